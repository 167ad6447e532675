import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '../../reference/records.ts';
import { environment, startReference } from '../../reference/serve.ts';

/** So many times as many events as the service has by itself. */
const times = 65;
const year = 365 * 24 * 60 * 60 * 1000;
/** Of a row, in bytes. */
const rowBytes = 336;

/**
 * Starts a service of which an export of everything is large: what it has by itself is there many times, each time a year
 * earlier. Prints the configuration of a run against it, and how large that is.
 */
export async function serveManyEvents(): Promise<void> {
  const earlier = new Map<AuditEvent, readonly AuditEvent[]>();
  let many: readonly AuditEvent[] = [];
  let made = 0;
  const { reference, listening } = await startReference({
    seed: 1,
    rules: {
      storedEvents(events) {
        if (made === events.length) return many;
        made = events.length;
        many = events.flatMap((event, index) => {
          // What the run records is there once.
          if (index >= 12_000) return [event];
          const copies = earlier.get(event) ?? copiesOf(event);
          earlier.set(event, copies);
          return copies;
        });
        return many;
      },
    },
  });
  console.log(environment(reference.facts, listening));
  console.log(`megabytes ${Math.round((12_000 * times * rowBytes) / 1_000_000)}`);
}

function copiesOf(event: AuditEvent): readonly AuditEvent[] {
  const others = Array.from({ length: times - 1 }, (_, index) => ({
    ...event,
    id: randomUUID(),
    at: event.at - (index + 1) * year,
  }));
  return [...others, event];
}
