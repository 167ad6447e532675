import type { TaskRecord } from '../records.ts';

/** The versions of a task, written as answers write them. */
export interface Versions {
  readonly current: string;
  /** From the first one to the one before the current. */
  readonly earlier: readonly string[];
}

/** Optimistic concurrency (Versioning; Errors: 409). */
export interface VersionRules {
  /** If-Match is required; the document does not say what a write without it gets. A status refuses the write. */
  ifMatchProblem(header: string | undefined): 'none' | number;
  /** The document does not say whether the version may be quoted: the version that the header names. */
  versionInIfMatch(header: string): string;
  /** The document does not say what `If-Match: *` does: whether it matches any version. */
  starMatches(): boolean;
  /** The write is carried out when If-Match equals the task's current updated_at; `change` is what the body asks for. */
  versionMatches(
    given: string,
    versions: Versions,
    change: 'update' | 'unassign' | undefined,
  ): boolean;
  /** updated_at changes when the task changes: the new one, in milliseconds, always later than the previous. */
  newVersion(previous: number, now: number, written: (at: number) => string): number;
  /** Time between the comparison and the write, in which other requests are served. */
  beforeWriting(): Promise<void>;
  /** Of simultaneous writes with the same right version one wins: a task that changed since it was compared is not written. */
  isStillTheSame(compared: TaskRecord, current: TaskRecord, change: 'update' | 'unassign'): boolean;
}

export const versionRules: VersionRules = {
  ifMatchProblem: (header) => (header === undefined ? 428 : 'none'),
  versionInIfMatch: (header) => header,
  starMatches: () => false,
  versionMatches: (given, { current }) => given === current,
  newVersion(previous, now, written) {
    const next = Math.max(now, previous + 1);
    // Without milliseconds, neighbouring instants are written alike.
    const differs = written(next) !== written(previous);
    return differs ? next : previous + 1000;
  },
  beforeWriting: () => Promise.resolve(),
  isStillTheSame: (compared, current) => compared === current,
};
