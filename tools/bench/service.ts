import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '../../reference/records.ts';
import type { Reference } from '../../reference/reference.ts';
import type { Rules } from '../../reference/rules.ts';
import { startReference } from '../../reference/serve.ts';

/** How many events the service has without copies. */
const ownEvents = 12_000;
const year = 365 * 24 * 60 * 60 * 1000;
/** The size of an exported row. */
const rowBytes = 336;

/** Starts a service with a large export; `bytes` is the size of that. */
export async function startLargeService() {
  const times = 65;
  const service = await startReference({ seed: 1, rules: manyEvents(times) });
  return { ...service, bytes: ownEvents * times * rowBytes };
}

/**
 * A rule that stores each event of the past as many times, each copy a year before the last one, and of other tasks and entities:
 * a region is large because it has many, and no task has a hundred events a day.
 */
export function manyEvents(times: number): Pick<Rules, 'storedEvents'> {
  const copiesOf = (event: AuditEvent): readonly AuditEvent[] => [
    ...Array.from({ length: times - 1 }, (_, index) => ({
      ...event,
      id: randomUUID(),
      at: event.at - (index + 1) * year,
      metadata: Object.fromEntries(
        Object.entries(event.metadata).map(([key, value]) => [
          key,
          key.endsWith('_id') ? `${value.slice(0, -2)}${10 + index}` : value,
        ]),
      ),
    })),
    event,
  ];
  let past: readonly AuditEvent[] | undefined;
  let many: readonly AuditEvent[] = [];
  let made = 0;
  return {
    storedEvents(events) {
      if (made === events.length) return many;
      made = events.length;
      past ??= events.slice(0, ownEvents).flatMap(copiesOf);
      // Events that the run itself records are not copied.
      many = [...past, ...events.slice(ownEvents)];
      return many;
    },
  };
}

/** An export of all events. */
export async function exportOf({ handle, facts }: Reference, fileType: string): Promise<Response> {
  const { body } = await handle({
    method: 'GET',
    target: `/v5/audit-sentinel/events/export?file_type=${fileType}`,
    headers: { apikey: facts.apiKey },
    body: '',
    remoteAddress: '127.0.0.1',
    region: 'own',
  });
  return new Response(body);
}
