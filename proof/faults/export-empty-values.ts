import type { ExportQuery } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { hasRange } from '../exports.ts';
import { withoutPersons } from './empty-values.ts';
import { type Fault, fault } from './fault.ts';

/*
 * Events of which something is empty, and that an export loses which does not ask for it: an inner join in place of an
 * outer one, a comparison with null (4. Export audit events).
 */

const empty = {
  'a-person': ({ auditeeId }: AuditEvent) => auditeeId === '',
  metadata: ({ metadata }: AuditEvent) => Object.keys(metadata).length === 0,
};

const losing = (
  what: keyof typeof empty,
  where: string,
  breaks: Fault['breaks'],
  isMeant: (query: ExportQuery) => boolean,
  mayBreak: Fault['breaks'] = [],
): Fault =>
  fault(
    `export-events-without-${what}-are-lost-${where}`,
    { breaks, mayBreak },
    {
      ...withoutPersons,
      exportedEvents: (selected, query) =>
        isMeant(query) ? selected.filter((event) => !empty[what](event)) : selected,
    },
  );

const unbounded = 'export.range-bounds-are-independent';
const inPdf = 'export.pdf-holds-the-events-of-the-csv';

export const exportEmptyValueFaults: readonly Fault[] = (['a-person', 'metadata'] as const).flatMap(
  (what) => [
    losing(what, 'beside-a-range', [unbounded], hasRange),
    losing(
      what,
      'beside-a-range-start',
      [unbounded],
      ({ start, end }) => start !== undefined && end === undefined,
    ),
    losing(what, 'without-a-range', [unbounded], (query) => !hasRange(query)),
    losing(what, 'as-pdf', [inPdf], ({ fileType }) => fileType === 'pdf'),
    losing(
      what,
      'in-other-timezones',
      ['export.timezone-keeps-the-events'],
      ({ timezone }) => timezone !== 'UTC',
      ['export.locale-keeps-the-events'],
    ),
    losing(
      what,
      'in-other-locales',
      ['export.locale-keeps-the-events'],
      ({ locale }) => locale !== 'en',
    ),
  ],
);
