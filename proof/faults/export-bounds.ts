import { dateStyles } from '../../reference/export/dates.ts';
import { type BoundName, type ExportQuery, ExportRefused } from '../../reference/export/query.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { auditTrailClauses, filterClauses, rangeClauses } from '../clause-groups.ts';
import { down, hasFilter, nanoseconds, up } from '../exports.ts';
import { type Fault, fault, table } from './fault.ts';

const { millisecond, second, minute, hour, day } = nanoseconds;

/** Refuses bounds by how they are written. */
const refusing = (isRefused: (text: string, name: BoundName) => boolean) => ({
  readBound: (value: string | undefined, name: BoundName) => {
    if (value !== undefined && isRefused(value, name)) {
      throw new ExportRefused(`${name} is not written as it should be`);
    }
    return exportRules.readBound(value, name);
  },
});

const start = 'export.range-start-includes-its-instant';
const end = 'export.range-end-includes-its-instant';

/** A wrong bound shows in every range, and the audit trail is looked for in one. */
const mayBreak = [
  ...rangeClauses,
  ...auditTrailClauses,
  'export.range-combines-with-filters',
] as const;

const inStart = { breaks: [start], mayBreak } as const;
const inEnd = { breaks: [end], mayBreak } as const;
const inBoth = { breaks: [start, end], mayBreak } as const;
const instants = ['export.range-bounds-are-instants'] as const;
const inInstants = { breaks: instants, mayBreak } as const;

/** As `java.time.Instant` writes it. */
const withoutWholeSeconds = (at: bigint): string =>
  new Date(Number(at / millisecond)).toISOString().replace('.000Z', 'Z');

/** As languages write instants that drop zeros at the end of the fraction; as text, .07Z comes after .071Z. */
const withoutZeros = (at: bigint): string =>
  new Date(Number(at / millisecond)).toISOString().replace(/\.?0+Z$/, 'Z');

/** Instants and bounds are compared as such texts. */
const comparedAs = (written: (at: bigint) => string): Partial<Rules> => ({
  isFromStart: (at, from) => written(at) >= written(from),
  isToEnd: (at, to) => written(at) <= written(to),
});

const compared: readonly Fault[] = [
  fault(
    'export-range-end-reaches-back-for-ten-days-only',
    { breaks: ['export.range-bounds-are-independent'], mayBreak },
    { isToEnd: (at, to) => at <= to && at > to - 10n * day },
  ),
  fault('export-range-start-is-exclusive', inStart, { isFromStart: (at, from) => at > from }),
  fault('export-range-end-is-exclusive', inEnd, { isToEnd: (at, to) => at < to }),
  ...(['range_start', 'range_end'] as const).map((bound) =>
    fault(
      `export-${dashed(bound)}-is-exclusive-beside-the-other-bound`,
      { breaks: ['export.range-bounds-are-independent'], mayBreak },
      {
        // Read to the millisecond, as events are kept, and not as they are shown.
        dateStyle: () => dateStyles.spacedToTheSecond.write,
        queryActedOn: (query) => {
          const { start: from, end: to } = query;
          if (from === undefined || to === undefined || from === to) return query;
          const range = { start: down(from, millisecond), end: down(to, millisecond) };
          const change =
            bound === 'range_start' ? { start: range.start + 1n } : { end: range.end - 1n };
          return { ...query, ...range, ...change };
        },
      },
    ),
  ),
  fault(
    'export-both-bounds-are-exclusive',
    { breaks: [start, end, 'export.ranges-split-without-loss'], mayBreak },
    { isFromStart: (at, from) => at > from, isToEnd: (at, to) => at < to },
  ),
  ...Object.entries({ seconds: second, minutes: minute, days: day }).flatMap(([units, unit]) => [
    fault(`export-range-start-is-cut-to-${units}`, inStart, {
      isFromStart: (at, from) => at >= down(from, unit),
    }),
    fault(`export-range-end-is-cut-to-${units}`, inEnd, {
      isToEnd: (at, to) => at <= down(to, unit),
    }),
    fault(`export-range-start-is-rounded-up-to-${units}`, inStart, {
      isFromStart: (at, from) => at >= up(from, unit),
    }),
    fault(`export-range-end-reaches-to-the-end-of-its-${units.slice(0, -1)}`, inEnd, {
      isToEnd: (at, to) => at < down(to, unit) + unit,
    }),
  ]),
  fault('export-range-start-is-a-millisecond-early', inStart, {
    isFromStart: (at, from) => at >= from - millisecond,
  }),
  fault('export-range-end-is-a-millisecond-late', inEnd, {
    isToEnd: (at, to) => at <= to + millisecond,
  }),
  fault('export-range-start-is-ignored', inStart, { isFromStart: () => true }),
  fault('export-range-end-is-ignored', inEnd, { isToEnd: () => true }),
  fault('export-range-is-read-in-the-time-of-the-server', inBoth, {
    isFromStart: (at, from) => at >= from - 2n * hour,
    isToEnd: (at, to) => at <= to - 2n * hour,
  }),
];

const written: readonly Fault[] = [
  fault(
    'export-bounds-without-fractional-digits-are-refused',
    { breaks: instants, mayBreak: ['export.answers-200'] },
    refusing((text) => !text.includes('.')),
  ),
  fault(
    'export-bounds-with-fractional-digits-are-refused',
    ['export.range-bounds-are-instants', 'export.answers-200'],
    refusing((text) => text.includes('.')),
  ),
  fault('export-a-bound-without-fractional-digits-is-a-whole-second', instants, {
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      const isWhole = value?.includes('.') === false;
      return at !== undefined && name === 'range_end' && isWhole ? at + 999n * millisecond : at;
    },
  }),
  fault('export-range-start-is-compared-as-text', inInstants, {
    // As texts, 12:00:05.123Z comes before 12:00:05Z.
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      const isWhole = value?.includes('.') === false;
      return at !== undefined && name === 'range_start' && isWhole ? at + second : at;
    },
  }),
  fault('export-bounds-are-put-in-order-as-texts', instants, {
    checkParameters: (parameters) => {
      exportRules.checkParameters(parameters);
      const { range_start: from, range_end: to } = Object.fromEntries(parameters);
      if (from && to && from > to) throw new ExportRefused('range_start is later than range_end');
    },
  }),
  fault(
    'export-a-bound-without-fractional-digits-is-ignored',
    { breaks: instants, mayBreak: ['errors.invalid-export-is-400'] },
    {
      readBound: (value, name) =>
        exportRules.readBound(value?.includes('.') ? value : undefined, name),
    },
  ),
];

const digitsIn = (value: string | undefined) => /\.(\d+)/.exec(value ?? '')?.[1] ?? '';

/** Reads the digits of a fraction as so many milliseconds, where they are not three. */
const readingFractions = (isMeant: (digits: string) => boolean): Partial<Rules> => ({
  readBound: (value, name) => {
    const at = exportRules.readBound(value, name);
    const digits = digitsIn(value);
    if (at === undefined || digits === '' || !isMeant(digits)) return at;
    return down(at, second) + BigInt(digits) * millisecond;
  },
});

/** A bound excludes its own instant, in some exports. */
const excluding = (
  id: string,
  breaks: Fault['breaks'],
  bound: 'start' | 'end',
  isMeant: (query: ExportQuery) => boolean,
  rules: Partial<Rules> = {},
): Fault =>
  fault(
    id,
    { breaks, mayBreak: hasFilter === isMeant ? [...filterClauses, ...auditTrailClauses] : [] },
    {
      ...rules,
      queryActedOn: (query) => {
        const at = query[bound];
        if (at === undefined || !isMeant(query)) return query;
        return { ...query, [bound]: bound === 'start' ? at + 1n : at - 1n };
      },
    },
  );

const monthOf = (at: bigint): number => new Date(Number(at / millisecond)).getUTCMonth();
const isLastOfMonth = (at: bigint): boolean => monthOf(at) !== monthOf(at + day);

const onEdges: readonly Fault[] = [
  ...table(fault, inEnd, {
    'export-range-end-at-midnight-is-the-whole-day': {
      isToEnd: (at, to) => at <= to || (to === down(to, day) && at < to + day),
    },
    'export-range-end-in-the-last-second-of-a-day-is-the-next-day': {
      isToEnd: (at, to) => at <= to || (up(to, second) === up(to, day) && at < up(to, day) + day),
    },
  }),
  ...table(fault, inStart, {
    'export-range-start-at-midnight-is-the-end-of-that-day': {
      isFromStart: (at, from) => at >= (from === down(from, day) ? from + day : from),
    },
    'export-range-start-on-the-last-day-of-a-month-loses-the-next-day': {
      isFromStart: (at, from) =>
        at >= from && !(isLastOfMonth(from) && down(at, day) === down(from, day) + day),
    },
    'export-range-start-at-midnight-is-two-days-early': {
      isFromStart: (at, from) => at >= (from === down(from, day) ? from - 2n * day : from),
    },
  }),
  fault('export-bounds-are-cut-to-milliseconds-in-floating-point', inEnd, {
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      return at && BigInt(Math.trunc((Number(at) / 1e9) * 1000)) * millisecond;
    },
  }),
  fault(
    'export-instants-are-compared-as-texts-without-the-digits-of-whole-seconds',
    inBoth,
    comparedAs(withoutWholeSeconds),
  ),
  fault(
    'export-instants-are-compared-as-texts-without-zeros-at-their-end',
    { breaks: [start], mayBreak: [...mayBreak, end] },
    comparedAs(withoutZeros),
  ),
  fault('export-range-bounds-are-rounded-to-seconds', inBoth, {
    isFromStart: (at, from) => at >= down(from + second / 2n, second),
    isToEnd: (at, to) => at <= down(to + second / 2n, second),
  }),
  ...Object.entries({
    'one-fractional-digit-is': 1,
    'two-fractional-digits-are': 2,
    'six-fractional-digits-are': 6,
    'nine-fractional-digits-are': 9,
  }).map(([what, digits]) =>
    fault(
      `export-${what}-so-many-milliseconds`,
      instants,
      readingFractions(({ length }) => length === digits),
    ),
  ),
  fault('export-a-bound-with-an-offset-on-the-last-day-of-a-month-is-a-day-early', instants, {
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      const isMeant = at !== undefined && value?.endsWith('Z') === false && isLastOfMonth(at);
      return isMeant ? at - day : at;
    },
  }),
  fault('export-the-first-midnight-of-a-month-is-that-of-the-month-before', inStart, {
    isFromStart: (at, from) =>
      at >= (from === down(from, day) && isLastOfMonth(from - 1n) ? from - 30n * day : from),
  }),
  fault('export-more-than-three-fractional-digits-are-left-out', instants, {
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      return at !== undefined && digitsIn(value).length > 3 ? down(at, second) : at;
    },
  }),
  ...(['end', 'start'] as const).flatMap((bound) =>
    Object.entries<Partial<Rules>>({
      '': {},
      // Where no other PDF begins or ends at the very instant of an event.
      '-where-seconds-are-shown': { dateStyle: () => dateStyles.spacedToTheSecond.write },
    }).map(([where, rules]) =>
      excluding(
        `export-range-${bound}-of-a-pdf-is-exclusive${where}`,
        ['export.pdf-holds-the-events-of-the-csv'],
        bound,
        ({ fileType }) => fileType === 'pdf',
        rules,
      ),
    ),
  ),
  ...(['end', 'start'] as const).map((bound) =>
    excluding(
      `export-range-${bound}-is-exclusive-beside-filters`,
      ['export.range-combines-with-filters'],
      bound,
      hasFilter,
    ),
  ),
];

/** Bounds that are compared or read wrongly (4. Export audit events). */
export const exportBoundFaults: readonly Fault[] = [...compared, ...written, ...onEdges];
