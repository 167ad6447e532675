import { groupBy } from '../helpers/group-by.ts';
import { canonical } from '../schemas/observations.ts';
import { type ClauseResult, clauseVerdicts, type Results } from '../schemas/results.ts';
import { filled, type Line, type Report, type Section } from './blocks.ts';
import { aboutRun, factLines } from './compare.ts';
import { isSelected, type ToldVerdict, toldVerdict, upheldInPart } from './grouping.ts';
import { counted } from './wording.ts';

/** A run among several, with a letter to stand for it in a table. */
export interface MatrixRun {
  readonly letter: string;
  /** The file that its results come from. */
  readonly file: string;
  readonly results: Results;
}

/** What became of a clause in a run; undefined where the run does not have it. */
type Cell = ClauseResult | undefined;

/** A clause with what became of it in each run. */
export interface MatrixRow {
  readonly clause: ClauseResult;
  readonly cells: readonly Cell[];
}

/** Several runs side by side, for example one of each region. */
export interface Matrix {
  readonly runs: readonly MatrixRun[];
  /** Every clause, in the order of the first run that has it. */
  readonly rows: readonly MatrixRow[];
  /** Those that are worth a look: not the same verdict everywhere, or violated somewhere. */
  readonly notable: readonly MatrixRow[];
  /** Open clauses of which not the same was observed everywhere. */
  readonly differing: readonly MatrixRow[];
}

/** Puts runs side by side. A clause that a run was not to look at counts as agreeing with the others. */
export function matrixOf(files: readonly { file: string; results: Results }[]): Matrix {
  const runs = files.map(({ file, results }, index) => ({
    letter: letterOf(index),
    file,
    results,
  }));
  const byId = runs.map(({ results }) => new Map(results.clauses.map((one) => [one.id, one])));
  const clauses = new Map<string, ClauseResult>();
  for (const clause of runs.flatMap(({ results }) => results.clauses)) {
    if (!clauses.has(clause.id)) clauses.set(clause.id, clause);
  }
  const rows = Array.from(clauses.values(), (clause) => ({
    clause,
    cells: byId.map((run) => run.get(clause.id)),
  }));
  return {
    runs,
    rows,
    notable: rows.filter(isNotable).toSorted((a, b) => rank(a) - rank(b)),
    differing: rows.filter(isDiffering),
  };
}

/** A, B, … Z, AA, AB, … */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

function verdictsOf({ cells }: MatrixRow): ReadonlySet<ToldVerdict | undefined> {
  return new Set(
    cells
      .filter((cell) => cell === undefined || isSelected(cell))
      .map((cell) => cell && toldVerdict(cell)),
  );
}

function isNotable(row: MatrixRow): boolean {
  const verdicts = verdictsOf(row);
  return verdicts.size > 1 || verdicts.has('violated');
}

/** What is violated in some of the runs comes first, then what differs otherwise, then what is violated in all. */
function rank(row: MatrixRow): number {
  const verdicts = verdictsOf(row);
  if (verdicts.size === 1) return 2;
  return verdicts.has('violated') ? 0 : 1;
}

/**
 * The one run of several whose value is none that the others share; undefined where they do not agree among themselves.
 * @param keys of each run what is compared; undefined where it has nothing to compare
 */
function oddOne(keys: readonly (string | undefined)[]): number | undefined {
  const known = keys.flatMap((key, index) => (key === undefined ? [] : [{ key, index }]));
  if (known.length < 3) return undefined;
  const groups = [...groupBy(known, ({ key }) => key).values()];
  const alone = groups.find(({ length }) => length === 1);
  return groups.length === 2 ? alone?.[0].index : undefined;
}

function isDiffering({ cells }: MatrixRow): boolean {
  const observed = cells.filter((cell) => cell?.verdict === 'observed');
  return new Set(observed.map((cell) => canonical(cell?.observed))).size > 1;
}

/** Runs side by side, for people: what differs, then all the rest. */
export function matrixReport(matrix: Matrix): Report {
  const { runs, rows, notable, differing } = matrix;
  const table = (
    title: string,
    some: readonly MatrixRow[],
    linesOf: (cell: Cell) => readonly Line[],
    keyOf: (cell: Cell) => string | undefined,
  ): Section => ({
    title,
    count: some.length,
    block: {
      kind: 'table',
      columns: ['Clause', ...runs.map(({ letter }) => letter)],
      rows: some.map(({ clause, cells }) => {
        const odd = oddOne(cells.map(keyOf));
        const marked = (cell: Cell, index: number): readonly Line[] =>
          index === odd ? withMark(linesOf(cell)) : linesOf(cell);
        return [[[{ clause: clause.id }]], ...cells.map(marked)];
      }),
    },
  });
  return {
    kind: 'Contract compliance',
    title: `${counted(runs.length, 'run')} side by side`,
    sentence: [
      sameEverywhere(matrix),
      ...(runs.length > 2 && notable.length + differing.length > 0
        ? ['← marks the one run that differs from all others.']
        : []),
    ].join(' '),
    facts: runs.map(({ letter, file, results }) => [
      letter,
      [{ value: file }, ': ', ...aboutRun(results)],
    ]),
    sections: filled([
      table(
        'Clauses whose verdicts differ, or that are violated',
        notable,
        verdictLines,
        verdictKey,
      ),
      table('Observations that differ', differing, observationLines, observationKey),
      { ...table('All clauses', rows, verdictLines, () => undefined), isAppendix: true },
    ]),
  };
}

/** How many clauses are not listed, and their verdicts. */
function sameEverywhere({ rows, notable }: Matrix): string {
  const rest = rows.filter((row) => !notable.includes(row));
  if (rest.length === 0) return 'No clause has the same verdict everywhere.';
  const verdicts = [...clauseVerdicts, upheldInPart].flatMap((verdict) => {
    const having = rest.filter(({ cells }) =>
      cells.some((cell) => cell !== undefined && toldVerdict(cell) === verdict),
    );
    return having.length === 0 ? [] : [`${having.length} ${verdict}`];
  });
  return `The same verdict everywhere: ${counted(rest.length, 'clause')} (${verdicts.join(', ')}).`;
}

function verdictLines(cell: Cell): Line[] {
  return [[cell === undefined ? 'not in the catalogue' : { verdict: toldVerdict(cell) }]];
}

/** Marks a cell that differs from those of all other runs. */
function withMark(lines: readonly Line[]): readonly Line[] {
  const [only = [], ...more] = lines;
  return more.length === 0 ? [[...only, ' ←']] : [...lines, ['←']];
}

/** What was not decided is no other behaviour of the target. */
function verdictKey(cell: Cell): string | undefined {
  const verdict = cell && toldVerdict(cell);
  return verdict === 'upheld' || verdict === 'violated' ? verdict : undefined;
}

function observationKey(cell: Cell): string | undefined {
  return cell?.verdict === 'observed' ? canonical(cell.observed) : undefined;
}

/** What was observed of a clause in a run, or its verdict where nothing was. */
function observationLines(cell: Cell): Line[] {
  return cell?.verdict === 'observed' ? factLines(cell) : verdictLines(cell);
}
