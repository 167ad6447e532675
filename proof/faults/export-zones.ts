import type { Column } from '../../reference/export/columns.ts';
import { allColumns, timeColumn } from '../../reference/export/columns.ts';
import { clockOf, type LocalTime, localDate, localTime } from '../../reference/export/dates.ts';
import { type BoundName, ExportRefused } from '../../reference/export/query.ts';
import { type ZoneOffset, zoneOffset } from '../../reference/export/zone.ts';
import { type ExportMoment, type ExportRules, exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { nanoseconds } from '../exports.ts';
import { type Fault, fault, table, type Wire } from './fault.ts';

/*
 * Zones that are served or refused by how their names are written, that hold for a part of a file only, or whose
 * offset is not that of each event (4. Export audit events).
 */

const formats = 'export.timezone-formats-the-dates';
const keeps = 'export.timezone-keeps-the-events';

const day = 24 * 60 * 60 * 1000;
const [inJanuary, inJuly] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

const zones = (id: string, breaks: Fault['breaks'], rules: Partial<Rules>): Fault =>
  fault(`export-timezone-${id}`, { breaks, mayBreak: ['export.answers-200'] }, rules);

const offsets = (
  wrongly: (right: ZoneOffset, moment: ExportMoment) => ZoneOffset,
): Pick<Rules, 'zoneOffset'> => ({
  zoneOffset: (timezone, moment) => wrongly(zoneOffset(timezone), moment),
});

const refusing = (isRefused: (name: string) => boolean): Pick<Rules, 'readTimezone'> => ({
  readTimezone: (value) => {
    if (value !== undefined && isRefused(value)) {
      throw new ExportRefused(`timezone ${value} is not known`);
    }
    return exportRules.readTimezone(value);
  },
});

const takenAsUtc = (isMeant: (name: string) => boolean): Pick<Rules, 'readTimezone'> => ({
  readTimezone: (value) =>
    exportRules.readTimezone(value !== undefined && isMeant(value) ? undefined : value),
});

/** Answers with another status where the zone has such a name. */
const answering =
  (status: number, isMeant: (name: string, fileType: string) => boolean): Wire =>
  (handle) =>
  (request) => {
    const parameters = new URLSearchParams(request.target.split('?')[1] ?? '');
    const name = parameters.get('timezone');
    return name !== null && isMeant(name, parameters.get('file_type') ?? 'csv')
      ? Promise.resolve({ status, headers: {}, body: '' })
      : handle(request);
  };

const notServed = (
  id: string,
  status: number,
  isMeant: (name: string, fileType: string) => boolean,
) =>
  fault(
    `export-timezone-${id}-is-answered-with-${status}`,
    {
      breaks: [formats, 'export.answers-200'],
      mayBreak: [...(status === 404 ? (['versioning.paths-are-under-v5'] as const) : [])],
    },
    answering(status, isMeant),
  );

const hasThreeParts = (name: string) => name.split('/').length > 2;
const hasHyphen = (name: string) => name.includes('-');
const hasPlus = (name: string) => name.includes('+');
const isByParts = (part: number) => (name: string) => zoneOffset(name)(inJanuary) % part !== 0;

const inUtc: Column['cell'] = ({ at, beyondMs }, { number: _ }) =>
  localDate(localTime(at, 0, 'en', beyondMs));

/** Dates from a row on are written in UTC. */
const utcFrom = (row: number): Column[] =>
  allColumns.map((column) =>
    column === timeColumn
      ? {
          ...column,
          cell: (event, context) =>
            (context.number < row ? timeColumn.cell : inUtc)(event, context),
        }
      : column,
  );

const inPdf = (
  wrongly: (right: ZoneOffset, moment: ExportMoment) => ZoneOffset,
): Pick<Rules, 'zoneOffset'> =>
  offsets((right, moment) => (moment.query.fileType === 'pdf' ? wrongly(right, moment) : right));

const berlin = zoneOffset('Europe/Berlin');

const standard = (right: ZoneOffset) => Math.min(right(inJanuary), right(inJuly));

/** As where the letter for the year of the week is written: the year in which the Thursday of its week lies. */
function yearOfWeek(time: LocalTime): LocalTime {
  const clock = new Date(clockOf(time));
  const thursday = clock.getUTCDate() + 4 - (clock.getUTCDay() || 7);
  clock.setUTCDate(thursday);
  return { ...time, year: String(clock.getUTCFullYear()) };
}

/** Read by a form of its own, of which nobody says that it is in UTC. */
function localWithoutDigits(): Pick<ExportRules, 'readBound' | 'queryActedOn'> {
  const bare = new Set<BoundName>();
  return {
    readBound: (value, name) => {
      if (value?.includes('.') === false) bare.add(name);
      else bare.delete(name);
      return exportRules.readBound(value, name);
    },
    queryActedOn: (query) => {
      const { start, end, timezone } = query;
      const local = (at: bigint): bigint => at - aheadAt(at, timezone);
      return {
        ...query,
        ...(start !== undefined && bare.has('range_start') && { start: local(start) }),
        ...(end !== undefined && bare.has('range_end') && { end: local(end) }),
      };
    },
  };
}

const aheadAt = (at: bigint, timezone: string) =>
  BigInt(zoneOffset(timezone)(Number(at / nanoseconds.millisecond))) * nanoseconds.minute;

export const exportZoneFaults: readonly Fault[] = [
  ...table(zones, [formats], {
    'has-the-offset-of-the-last-event': offsets(
      (right, { last = 0 }) =>
        () =>
          right(last),
    ),
    'has-the-offset-of-the-first-of-the-month': offsets(
      (right) => (at) => right(Date.parse(`${new Date(at).toISOString().slice(0, 7)}-01`)),
    ),
  }),
  fault(
    'export-timezone-has-the-offset-of-the-day',
    { breaks: [formats], showsAmongMany: true },
    offsets((right) => (at) => right(at - (at % day))),
  ),
  ...table(zones, [formats], {
    'has-the-daylight-saving-of-europe': offsets((right) => {
      if (right(inJanuary) === right(inJuly)) return right;
      return (at) => standard(right) + berlin(at) - standard(berlin);
    }),
    'by-quarters-of-an-hour-is-refused': refusing(isByParts(30)),
    'by-parts-of-an-hour-is-utc': takenAsUtc(isByParts(60)),
    'with-a-hyphen-is-refused': refusing(hasHyphen),
    'with-a-digit-is-refused': refusing((name) => /\d/.test(name)),
    'with-an-underscore-is-refused': refusing((name) => name.includes('_')),
    'with-a-plus-is-decoded-twice': refusing(hasPlus),
    'with-a-plus-is-utc': takenAsUtc(hasPlus),
    'with-a-hyphen-is-utc': takenAsUtc(hasHyphen),
    'of-three-parts-is-utc': takenAsUtc(hasThreeParts),
  }),
  notServed('of-three-parts', 404, hasThreeParts),
  notServed('of-three-parts', 500, hasThreeParts),
  notServed('with-a-plus', 500, hasPlus),
  notServed('of-a-pdf', 500, (name, fileType) => fileType === 'pdf' && name !== 'UTC'),
  ...table(zones, [formats], {
    'is-ignored-by-csv': offsets((right, { query }) =>
      query.fileType === 'csv' ? () => 0 : right,
    ),
    'holds-for-the-first-100-events': { csvColumns: () => utcFrom(101) },
    'holds-for-the-first-page-of-a-pdf': { pdfColumns: () => utcFrom(21) },
    'of-a-pdf-has-no-daylight-saving': inPdf((right) => () => standard(right)),
    'of-a-pdf-has-the-offset-of-the-first-event': inPdf(
      (right, { first = 0 }) =>
        () =>
          right(first),
    ),
    'of-a-pdf-is-applied-twice': inPdf((right) => (at) => 2 * right(at)),
  }),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`export-range-${bound}-moves-with-the-timezone`, [keeps], {
      queryActedOn: (query) => {
        const at = query[bound];
        return at === undefined ? query : { ...query, [bound]: at - aheadAt(at, query.timezone) };
      },
    }),
  ),
  fault('export-range-start-has-the-offset-of-the-last-summer', [keeps], {
    queryActedOn: (query) => {
      const { start, timezone } = query;
      if (start === undefined) return query;
      const summer = aheadAt(BigInt(inJuly) * nanoseconds.millisecond, timezone);
      return { ...query, start: start + summer - aheadAt(start, timezone) };
    },
  }),
  fault('export-whole-days-are-days-of-the-timezone', [keeps], {
    queryActedOn: (query) => {
      const { start, end, timezone } = query;
      const local = (at: bigint): bigint => at - aheadAt(at, timezone);
      const isMidnight = (at: bigint): boolean => at % (24n * nanoseconds.hour) === 0n;
      return {
        ...query,
        ...(start !== undefined && isMidnight(start) && { start: local(start) }),
        ...(end !== undefined && isMidnight(end + nanoseconds.millisecond) && { end: local(end) }),
      };
    },
  }),
  ...table(fault, [formats], {
    'export-dates-have-the-year-of-their-week': {
      dateStyle: (query, now) => {
        const write = exportRules.dateStyle(query, now);
        return (time) => write(yearOfWeek(time));
      },
    },
    'export-dates-of-a-pdf-have-the-year-of-their-week': {
      dateStyle: (query, now) => {
        const write = exportRules.dateStyle(query, now);
        return (time) => write(query.fileType === 'pdf' ? yearOfWeek(time) : time);
      },
    },
  }),
  fault('export-bounds-without-fractional-digits-are-local-times', [keeps], localWithoutDigits()),
  fault(
    'export-range-of-a-pdf-moves-with-the-timezone',
    { breaks: [keeps], mayBreak: ['export.pdf-holds-the-events-of-the-csv'] },
    {
      queryActedOn: (query) => {
        const { start, end, timezone, fileType } = query;
        if (fileType === 'csv' || start === undefined || end === undefined) return query;
        return {
          ...query,
          start: start - aheadAt(start, timezone),
          end: end - aheadAt(end, timezone),
        };
      },
    },
  ),
];
