import type { AuditEvent } from '../../reference/records.ts';
import type { Rules } from '../../reference/rules.ts';

const withoutPerson = new WeakMap<AuditEvent, AuditEvent>();

/** Every eighth stored event is one that nobody caused: the system itself. Events are identified by being the same object. */
export const withoutPersons: Pick<Rules, 'storedEvents'> = {
  storedEvents: (events) =>
    events.map((event, index) => {
      if (index % 8 !== 3 || event.comment !== null) return event;
      const other = withoutPerson.get(event) ?? { ...event, auditeeId: '' };
      withoutPerson.set(event, other);
      return other;
    }),
};
