import type { MetadataKey } from '../schemas/operations.ts';

/** An event as the service keeps it. The document shows only what events can be filtered by (4. Export audit events). */
export interface AuditEvent {
  readonly id: string;
  /** When it happened, in milliseconds since 1970, UTC. */
  readonly at: number;
  /** The user who caused it. */
  readonly auditeeId: string;
  readonly eventType: string;
  readonly subType: string;
  readonly systemSource: string;
  readonly metadata: Readonly<Partial<Record<MetadataKey, string>>>;
  /** What happened, as a sentence for people. */
  readonly description: string;
  /** The comment of an assignment or unassignment, to the letter. */
  readonly comment: string | null;
}
