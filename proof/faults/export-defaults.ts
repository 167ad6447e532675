import { type ExportQuery, ExportRefused, type Parameters } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { nanoseconds, withoutList } from '../exports.ts';
import { type Fault, fault, table } from './fault.ts';

/*
 * Parameters that are left out and do not mean what the document says, or that mean something else where their default
 * is said (4. Export audit events: file_type, locale, range_start and range_end).
 */

const { day, hour } = nanoseconds;
const dayMs = 24 * 60 * 60 * 1000;

const defaultsToCsv = 'export.file-type-defaults-to-csv';
const unbounded = 'export.range-bounds-are-independent';

/** Rules that know which parameters were sent: they are read right before events are selected. */
function knowing(
  rules: (sent: () => ReadonlyMap<string, string>) => Partial<Rules>,
): Partial<Rules> {
  let last: ReadonlyMap<string, string> = new Map();
  return {
    checkParameters: (parameters: Parameters) => {
      last = new Map(parameters);
    },
    ...rules(() => last),
  };
}

type Events = readonly AuditEvent[];

const latestDays =
  (days: number) =>
  (events: Events): Events => {
    const latest = Math.max(...events.map(({ at }) => at));
    return events.filter(({ at }) => latest - at < days * dayMs);
  };

const exporting = (
  isMeant: (query: ExportQuery, sent: ReadonlyMap<string, string>) => boolean,
  kept: (events: Events) => Events,
): Partial<Rules> =>
  knowing((sent) => ({
    exportedEvents: (selected, query) => (isMeant(query, sent()) ? kept(selected) : selected),
  }));

const hasNoRange = ({ start, end }: ExportQuery) => start === undefined && end === undefined;
const saysNothing = (_: ExportQuery, sent: ReadonlyMap<string, string>) => sent.size === 0;
const saysCsv = (_: ExportQuery, sent: ReadonlyMap<string, string>) =>
  sent.get('file_type') === 'csv';

const actingOn = (change: (query: ExportQuery) => ExportQuery): Partial<Rules> => ({
  queryActedOn: change,
});

/** A PDF where no file_type is said, and something else is. */
const pdfBeside = (pattern: RegExp): Partial<Rules> =>
  knowing((sent) => ({
    readFileType: (value) =>
      value === undefined && [...sent().keys()].some((name) => pattern.test(name))
        ? 'pdf'
        : exportRules.readFileType(value),
  }));

const isAlone = (name: 'start' | 'end', { start, end }: ExportQuery) =>
  name === 'start'
    ? start !== undefined && end === undefined
    : start === undefined && end !== undefined;

const downToDay = (at: bigint) => at - (at % day);

const ranges: readonly Fault[] = [
  ...table(fault, [unbounded], {
    'export-without-parameters-reaches-back-thirty-days': exporting(saysNothing, latestDays(30)),
    'export-without-parameters-holds-the-latest-100-events': exporting(saysNothing, (events) =>
      events.slice(-100),
    ),
    'export-without-a-range-reaches-back-ninety-days': exporting(hasNoRange, latestDays(90)),
    'export-without-a-range-leaves-out-what-is-older-than-a-range-may-be': exporting(
      ({ start }) => start === undefined,
      latestDays(180),
    ),
  }),
  fault(
    'export-of-a-pdf-without-a-range-reaches-back-thirty-days',
    ['export.pdf-holds-the-events-of-the-csv'],
    exporting((query) => query.fileType === 'pdf' && hasNoRange(query), latestDays(30)),
  ),
  ...table(fault, [unbounded], {
    'export-range-start-alone-reaches-thirty-days': actingOn((query) =>
      isAlone('start', query) ? { ...query, end: (query.start ?? 0n) + 30n * day } : query,
    ),
    'export-range-start-alone-is-one-day': actingOn((query) =>
      isAlone('start', query) ? { ...query, end: downToDay(query.start ?? 0n) + day - 1n } : query,
    ),
    'export-range-end-alone-is-one-day': actingOn((query) =>
      isAlone('end', query) ? { ...query, start: downToDay(query.end ?? 0n) } : query,
    ),
    'export-range-start-alone-is-exclusive': actingOn((query) =>
      isAlone('start', query) ? { ...query, start: (query.start ?? 0n) + 1n } : query,
    ),
    'export-range-end-alone-is-exclusive': actingOn((query) =>
      isAlone('end', query) ? { ...query, end: (query.end ?? 0n) - 1n } : query,
    ),
  }),
  fault(
    'export-range-start-alone-is-a-local-time',
    ['export.timezone-keeps-the-events'],
    actingOn((query) =>
      isAlone('start', query) && query.timezone !== 'UTC'
        ? { ...query, start: (query.start ?? 0n) + 3n * hour }
        : query,
    ),
  ),
  fault(
    'export-range-end-alone-is-lost-in-other-languages',
    ['export.locale-keeps-the-events'],
    actingOn((query) => {
      const { end: _, ...others } = query;
      return isAlone('end', query) && query.locale !== 'en' ? others : query;
    }),
  ),
];

const hasNoTimezone = (_: ExportQuery, sent: ReadonlyMap<string, string>) => !sent.has('timezone');

/** What most clients leave out. */
const timezones: readonly Fault[] = table(fault, ['export.timezone-keeps-the-events'], {
  'export-without-timezone-ignores-sub-type': knowing((sent) => ({
    queryActedOn: (query) =>
      hasNoTimezone(query, sent()) ? withoutList('sub_type', query) : query,
  })),
  'export-without-timezone-excludes-its-range-end': knowing((sent) => ({
    queryActedOn: ({ end, ...query }) => ({
      ...query,
      ...(end !== undefined && { end: hasNoTimezone(query, sent()) ? end - 1n : end }),
    }),
  })),
});

const files: readonly Fault[] = [
  ...(
    [
      ['a-range', /^range_/],
      ['a-list', /^(auditee_id|event_type|sub_type|system_source)/],
      ['metadata', /^metadata/],
      ['a-timezone', /^timezone/],
      ['a-locale', /^locale/],
    ] as const
  ).map(([what, pattern]) =>
    fault(
      `export-file-type-defaults-to-pdf-beside-${what}`,
      { breaks: [defaultsToCsv], mayBreak: ['export.csv-is-one-table'] },
      pdfBeside(pattern),
    ),
  ),
  ...table(fault, [defaultsToCsv], {
    'export-csv-that-is-asked-for-lacks-metadata': exporting(saysCsv, (events) =>
      events.map((event) => ({ ...event, metadata: {} })),
    ),
    'export-csv-that-is-asked-for-lacks-the-last-event': exporting(saysCsv, (events) =>
      events.slice(0, -1),
    ),
  }),
  fault(
    'export-csv-that-is-asked-for-is-refused',
    { breaks: [defaultsToCsv], mayBreak: ['export.answers-200'] },
    {
      readFileType: (value) => {
        if (value === 'csv') throw new ExportRefused('file_type csv is the default');
        return exportRules.readFileType(value);
      },
    },
  ),
  fault(
    'export-csv-that-is-asked-for-has-no-range',
    { breaks: [defaultsToCsv], showsAmongMany: true },
    knowing((sent) =>
      actingOn((query) => {
        const { start: _start, end: _end, ...rest } = query;
        return saysCsv(query, sent()) ? rest : query;
      }),
    ),
  ),
  fault(
    'export-csv-that-is-asked-for-has-no-filters',
    [defaultsToCsv],
    knowing((sent) =>
      actingOn((query) => (saysCsv(query, sent()) ? { ...query, lists: {}, metadata: {} } : query)),
    ),
  ),
  fault(
    'export-csv-is-cut-silently-at-1000-events-where-it-is-asked-for',
    { breaks: [defaultsToCsv], showsAmongMany: true },
    exporting(saysCsv, (events) => events.slice(0, 1000)),
  ),
  fault(
    'export-csv-is-cut-silently-at-5000-events-where-it-is-not-asked-for',
    {
      breaks: [defaultsToCsv],
      showsAmongMany: true,
      mayBreak: ['export.csv-has-no-limit-of-5000', 'export.ranges-split-without-loss', unbounded],
    },
    exporting(
      ({ fileType }, sent) => fileType === 'csv' && !sent.has('file_type'),
      (events) => events.slice(0, 5000),
    ),
  ),
];

const locales: readonly Fault[] = [
  ...table(fault, ['export.locale-defaults-to-en'], {
    'export-of-a-pdf-locale-defaults-to-de': knowing((sent) => ({
      readLocale: (value) =>
        exportRules.readLocale(value ?? (sent().get('file_type') === 'pdf' ? 'de' : 'en')),
    })),
    'export-locale-defaults-to-de-beside-filters': knowing((sent) => ({
      readLocale: (value) =>
        exportRules.readLocale(
          value ??
            ([...sent().keys()].some((name) =>
              /^metadata|_type|_source|_id/.test(name.replace('file_type', '')),
            )
              ? 'de'
              : 'en'),
        ),
    })),
  }),
];

/** Parameters of an export that are left out. */
export const exportDefaultFaults: readonly Fault[] = [
  ...ranges,
  ...timezones,
  ...files,
  ...locales,
];
