import type { ExportQuery } from '../../reference/export/query.ts';
import { zoneOffset } from '../../reference/export/zone.ts';
import type { Rules } from '../../reference/rules.ts';
import { auditTrailClauses, filterClauses } from '../clause-groups.ts';
import { down, hasFilter, hasMetadata, nanoseconds } from '../exports.ts';
import { type Fault, fault, table } from './fault.ts';

const { millisecond, second, minute, day } = nanoseconds;

/** How far the clocks of the zone of a query are ahead of UTC at an instant, in nanoseconds. */
const aheadAt = (at: bigint, { timezone }: ExportQuery) =>
  BigInt(zoneOffset(timezone)(Number(at / millisecond))) * minute;

/** Acts on another range than the one that was asked for. */
const actingOn = (
  range: (query: ExportQuery) => {
    readonly start?: bigint | undefined;
    readonly end?: bigint | undefined;
  },
): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => {
    const { start: _start, end: _end, ...rest } = query;
    const { start, end } = range(query);
    return { ...rest, ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  },
});

const isNotReversed = ({ start, end }: ExportQuery) =>
  start === undefined || end === undefined || start <= end;

const besideFilters = [...filterClauses, ...auditTrailClauses];

const together: readonly Fault[] = [
  ...table(
    fault,
    { breaks: ['export.range-combines-with-filters'], mayBreak: besideFilters },
    {
      'export-range-is-ignored-beside-a-filter': actingOn((query) =>
        hasFilter(query) ? {} : query,
      ),
      'export-range-start-is-ignored-beside-a-filter': actingOn((query) =>
        hasFilter(query) ? { end: query.end } : query,
      ),
      'export-range-is-ignored-beside-metadata': actingOn((query) =>
        hasMetadata(query) ? {} : query,
      ),
      'export-filters-are-ignored-beside-a-range': {
        queryActedOn: (query) =>
          query.start === undefined ? query : { ...query, lists: {}, metadata: {} },
      },
    },
  ),
  ...table(
    fault,
    {
      breaks: ['export.range-bounds-are-independent'],
      mayBreak: ['export.range-combines-with-filters'],
    },
    {
      'export-range-start-alone-is-ignored': actingOn((query) =>
        query.end === undefined ? {} : query,
      ),
      'export-range-end-alone-is-ignored': actingOn((query) =>
        query.start === undefined ? {} : query,
      ),
    },
  ),
  ...table(
    fault,
    { breaks: ['export.range-combines-with-filters'], mayBreak: besideFilters },
    {
      'export-range-start-alone-is-ignored-beside-metadata': actingOn((query) =>
        query.end === undefined && hasMetadata(query) ? {} : query,
      ),
      'export-range-end-alone-is-ignored-beside-metadata': actingOn((query) =>
        query.start === undefined && hasMetadata(query) ? {} : query,
      ),
    },
  ),
  fault(
    'export-one-bound-alone-is-refused',
    {
      breaks: ['export.range-bounds-are-independent'],
      mayBreak: ['export.answers-200', 'export.parameters-are-optional'],
    },
    {
      rangeIsInOrder: (query) =>
        (query.start === undefined) === (query.end === undefined) && isNotReversed(query),
    },
  ),
  ...table(fault, ['export.range-bounds-are-independent'], {
    'export-range-end-alone-reaches-back-thirty-days': actingOn((query) =>
      query.start === undefined && query.end !== undefined
        ? { start: query.end - 30n * day, end: query.end }
        : query,
    ),
    'export-without-a-range-reaches-back-thirty-days': {
      exportedEvents(selected, { start, end }) {
        if (start !== undefined || end !== undefined) return selected;
        const latest = Math.max(...selected.map(({ at }) => at));
        return selected.filter(
          ({ at }) => BigInt(Math.round(latest - at)) * millisecond < 30n * day,
        );
      },
    },
  }),
  fault(
    'export-range-moves-with-the-timezone',
    ['export.timezone-keeps-the-events'],
    actingOn((query) => {
      const moved = (at: bigint | undefined) =>
        at === undefined ? undefined : at - aheadAt(at, query);
      return { start: moved(query.start), end: moved(query.end) };
    }),
  ),
  fault(
    'export-days-of-the-range-are-those-of-the-timezone',
    { breaks: ['export.timezone-keeps-the-events'], mayBreak: ['export.locale-keeps-the-events'] },
    actingOn((query) => {
      const { start: from, end: to, timezone } = query;
      if (timezone === 'UTC' || from === undefined) return query;
      const ahead = aheadAt(from, query);
      return { start: down(from + ahead, day) - ahead, end: to };
    }),
  ),
];

const reversed = 'errors.reversed-range-is-400';

const order: readonly Fault[] = [
  ...table(fault, [reversed], {
    'export-a-reversed-range-is-an-empty-file': { rangeIsInOrder: () => true },
    'export-a-reversed-range-is-an-empty-csv': {
      rangeIsInOrder: (query) => query.fileType === 'csv' || isNotReversed(query),
    },
    'export-a-reversed-range-is-an-empty-pdf': {
      rangeIsInOrder: (query) => query.fileType === 'pdf' || isNotReversed(query),
    },
    'export-a-reversed-range-is-empty-beside-three-filters': {
      rangeIsInOrder: (query) =>
        Object.keys({ ...query.lists, ...query.metadata }).length > 2 || isNotReversed(query),
    },
    'export-a-reversed-range-is-turned-round': {
      rangeIsInOrder: () => true,
      ...actingOn((query) =>
        isNotReversed(query) ? query : { start: query.end, end: query.start },
      ),
    },
    'export-a-range-reversed-by-less-than-a-second-is-accepted': {
      rangeIsInOrder: (query) =>
        isNotReversed({
          ...query,
          ...(query.start !== undefined && { start: down(query.start, second) }),
        }),
    },
  }),
  fault(
    'export-a-range-of-one-instant-is-refused',
    { breaks: ['export.range-start-equal-to-end'], mayBreak: ['export.answers-200'] },
    {
      rangeIsInOrder: ({ start: from, end: to }) =>
        from === undefined || to === undefined || from < to,
    },
  ),
];

/** Ranges that are lost beside other parameters, or not checked (4. Export audit events, Errors). */
export const exportRangeFaults: readonly Fault[] = [...together, ...order];
