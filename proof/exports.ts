import { allColumns, type Column } from '../reference/export/columns.ts';
import { seconds, type WriteDate } from '../reference/export/dates.ts';
import { type ExportQuery, ExportRefused, type Parameters } from '../reference/export/query.ts';
import type { ListFilter } from '../schemas/operations.ts';

// What faults and variants of exports are made of.

/** What a query asks for besides the form of the file. */
export const hasLists = ({ lists }: ExportQuery): boolean => Object.keys(lists).length > 0;
export const hasMetadata = ({ metadata }: ExportQuery): boolean => Object.keys(metadata).length > 0;
export const hasFilter = (query: ExportQuery): boolean => hasLists(query) || hasMetadata(query);
export const hasRange = ({ start, end }: ExportQuery): boolean =>
  start !== undefined || end !== undefined;

const known =
  /^(auditee_id|event_type|sub_type|system_source)(\[\d*\])?$|^metadata\[|^(range_(start|end)|file_type|locale|timezone)$/;

/** @throws ExportRefused where one is none of the table's, in whatever encoding lists are sent */
export function refuseOthers(parameters: Parameters): void {
  const unknown = parameters.find(([name]) => !known.test(name));
  if (unknown !== undefined) throw new ExportRefused(`${unknown[0]} is not a parameter`);
}

/** The query without one of its lists. */
export function withoutList(list: ListFilter, query: ExportQuery): ExportQuery {
  const { [list]: _, ...lists } = query.lists;
  return { ...query, lists };
}

/** Units of time in nanoseconds. */
export const nanoseconds = {
  millisecond: 1_000_000n,
  second: 1_000_000_000n,
  minute: 60_000_000_000n,
  hour: 3_600_000_000_000n,
  day: 86_400_000_000_000n,
} as const;

/** The last whole unit up to an instant. */
export function down(at: bigint, unit: bigint): bigint {
  return at - (((at % unit) + unit) % unit);
}

/** The first whole unit from an instant on. */
export function up(at: bigint, unit: bigint): bigint {
  return -down(-at, unit);
}

/** Everything but some columns. */
export function allColumnsBut(...left: readonly Column[]): readonly Column[] {
  return allColumns.filter((column) => !left.includes(column));
}

/** ISO 8601 with so many digits of the second. */
export function fractional(digits: number): WriteDate {
  return (time) => {
    const fraction = `.${time.millisecond}${time.beyondMs}`.slice(0, digits === 0 ? 0 : digits + 1);
    const offset = time.offset === '+00:00' ? 'Z' : time.offset;
    return `${time.year}-${time.month}-${time.day}T${seconds(time)}${fraction}${offset}`;
  };
}
