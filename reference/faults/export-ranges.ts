import type { ExportQuery } from '../export/query.ts';
import { zoneOffset } from '../export/zone.ts';
import type { Rules } from '../rules.ts';
import { ofFilters, ofTheTrail } from './export-clauses.ts';
import type { Fault } from './fault.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const down = (at: number, unit: number) => Math.floor(at / unit) * unit;

/** Goes by another range than the one that was asked for. */
const goingBy = (
  range: (query: ExportQuery) => {
    readonly start?: number | undefined;
    readonly end?: number | undefined;
  },
): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => {
    const { start: _start, end: _end, ...rest } = query;
    const { start, end } = range(query);
    return { ...rest, ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  },
});

const hasFilter = ({ lists, metadata }: ExportQuery) =>
  Object.keys(lists).length + Object.keys(metadata).length > 0;

const isNotReversed = ({ start, end }: ExportQuery) =>
  start === undefined || end === undefined || start <= end;

const together: readonly Fault[] = [
  {
    id: 'export-range-is-ignored-beside-a-filter',
    breaks: ['export.range-combines-with-filters'],
    mayBreak: [...ofFilters, ...ofTheTrail],
    rules: goingBy((query) => (hasFilter(query) ? {} : query)),
  },
  {
    id: 'export-range-start-is-ignored-beside-a-filter',
    breaks: ['export.range-combines-with-filters'],
    mayBreak: [...ofFilters, ...ofTheTrail],
    rules: goingBy((query) => (hasFilter(query) ? { end: query.end } : query)),
  },
  {
    id: 'export-range-is-ignored-beside-metadata',
    breaks: ['export.range-combines-with-filters'],
    mayBreak: [...ofFilters, ...ofTheTrail],
    rules: goingBy((query) => (Object.keys(query.metadata).length > 0 ? {} : query)),
  },
  {
    id: 'export-filters-are-ignored-beside-a-range',
    breaks: ['export.range-combines-with-filters'],
    mayBreak: [...ofFilters, ...ofTheTrail],
    rules: {
      queryActedOn: (query) =>
        query.start === undefined ? query : { ...query, lists: {}, metadata: {} },
    },
  },
  {
    id: 'export-range-start-alone-is-ignored',
    breaks: ['export.range-bounds-are-independent'],
    rules: goingBy((query) => (query.end === undefined ? {} : query)),
  },
  {
    id: 'export-range-end-alone-is-ignored',
    breaks: ['export.range-bounds-are-independent'],
    rules: goingBy((query) => (query.start === undefined ? {} : query)),
  },
  {
    id: 'export-one-bound-alone-is-refused',
    breaks: ['export.range-bounds-are-independent'],
    mayBreak: ['export.answers-200', 'export.parameters-are-optional'],
    rules: {
      rangeIsInOrder: (query) =>
        (query.start === undefined) === (query.end === undefined) && isNotReversed(query),
    },
  },
  {
    id: 'export-range-end-alone-reaches-back-thirty-days',
    breaks: ['export.range-bounds-are-independent'],
    rules: goingBy((query) =>
      query.start === undefined && query.end !== undefined
        ? { start: query.end - 30 * day, end: query.end }
        : query,
    ),
  },
  {
    id: 'export-range-moves-with-the-timezone',
    breaks: ['export.timezone-keeps-the-events'],
    rules: goingBy(({ start: from, end: to, timezone }) => {
      const moved = (at: number | undefined) =>
        at === undefined ? undefined : at - zoneOffset(timezone)(at) * minute;
      return { start: moved(from), end: moved(to) };
    }),
  },
  {
    id: 'export-days-of-the-range-are-those-of-the-timezone',
    breaks: ['export.timezone-keeps-the-events'],
    rules: goingBy((query) => {
      const { start: from, end: to, timezone } = query;
      if (timezone === 'UTC' || from === undefined) return query;
      const ahead = zoneOffset(timezone)(from) * minute;
      return { start: down(from + ahead, day) - ahead, end: to };
    }),
  },
];

const reversed = 'errors.reversed-range-is-400';

const order: readonly Fault[] = [
  {
    id: 'export-a-reversed-range-is-an-empty-file',
    breaks: [reversed],
    rules: { rangeIsInOrder: () => true },
  },
  {
    id: 'export-a-reversed-range-is-an-empty-csv',
    breaks: [reversed],
    rules: { rangeIsInOrder: (query) => query.fileType === 'csv' || isNotReversed(query) },
  },
  {
    id: 'export-a-reversed-range-is-an-empty-pdf',
    breaks: [reversed],
    rules: { rangeIsInOrder: (query) => query.fileType === 'pdf' || isNotReversed(query) },
  },
  {
    id: 'export-a-reversed-range-is-turned-round',
    breaks: [reversed],
    rules: {
      rangeIsInOrder: () => true,
      ...goingBy((query) =>
        isNotReversed(query) ? query : { start: query.end, end: query.start },
      ),
    },
  },
  {
    id: 'export-a-range-reversed-by-less-than-a-second-is-accepted',
    breaks: [reversed],
    rules: {
      rangeIsInOrder: (query) =>
        isNotReversed({
          ...query,
          ...(query.start !== undefined && { start: down(query.start, second) }),
        }),
    },
  },
  {
    id: 'export-a-range-of-one-instant-is-refused',
    breaks: ['export.range-start-equal-to-end'],
    mayBreak: ['export.answers-200'],
    rules: {
      rangeIsInOrder: ({ start: from, end: to }) =>
        from === undefined || to === undefined || from < to,
    },
  },
];

/** Ranges that are lost beside other parameters, or not checked (4. Export audit events, Errors). */
export const exportRangeFaults: readonly Fault[] = [...together, ...order];
