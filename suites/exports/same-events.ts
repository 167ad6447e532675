import { isSame, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import { Violation } from '../../helpers/outcomes.ts';

/**
 * Whether two exports hold the same events although they may be written differently: as many, and alike in the
 * columns that tell events apart and that do not change with the way of writing.
 *
 * @throws Violation where they do not
 */
export function expectSameEvents(
  what: string,
  one: CsvDownload,
  other: CsvDownload,
  { ignored, times }: Knowledge,
): void {
  const [a, b] = [tableOf(one), tableOf(other)];
  const on = [other.answer, one.answer];
  if (a.count !== b.count) {
    throw new Violation(what, { expected: `${a.count} events`, actual: `${b.count}`, on });
  }
  const ids = (table: CsvTable): number[] =>
    Array.from({ length: a.columns }, (_, column) => column).filter(
      (column) => column !== times?.column && !ignored.has(column) && holdsIds(table, column),
    );
  const column = ids(a).find((id) => {
    const valuesOf = (table: CsvTable) => multiset(table.rows.map((row) => [row[id] ?? '']));
    return !isSame(valuesOf(a), valuesOf(b));
  });
  if (column === undefined) return;
  throw new Violation(what, {
    expected: 'the same events',
    actual: `other ids in column ${column + 1}`,
    on,
  });
}

const id = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function holdsIds({ rows }: CsvTable, column: number): boolean {
  const values = rows.map((row) => row[column] ?? '').filter((value) => value !== '');
  return values.length > 0 && values.every((value) => id.test(value));
}
