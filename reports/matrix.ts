import { canonical } from '../schemas/observations.ts';
import { type ClauseResult, clauseVerdicts, type Results } from '../schemas/results.ts';
import { filled, type Line, type Report, type Section } from './blocks.ts';
import { aboutRun, factLines } from './compare.ts';
import { isSelected } from './grouping.ts';
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
  return { runs, rows, notable: rows.filter(isNotable), differing: rows.filter(isDiffering) };
}

/** A, B, … Z, AA, AB, … */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

function isNotable({ cells }: MatrixRow): boolean {
  const verdicts = new Set(
    cells.filter((cell) => cell === undefined || isSelected(cell)).map((cell) => cell?.verdict),
  );
  return verdicts.size > 1 || verdicts.has('violated');
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
  ): Section => ({
    title,
    count: some.length,
    block: {
      kind: 'table',
      columns: ['Clause', ...runs.map(({ letter }) => letter)],
      rows: some.map(({ clause, cells }) => [[[{ clause: clause.id }]], ...cells.map(linesOf)]),
    },
  });
  return {
    kind: 'Contract compliance',
    title: `${counted(runs.length, 'run')} side by side`,
    sentence: sameEverywhere(matrix),
    facts: runs.map(({ letter, file, results }) => [
      letter,
      [{ value: file }, ': ', ...aboutRun(results)],
    ]),
    sections: filled([
      table('Verdicts that differ, or violated', notable, verdictLines),
      table('Observations that differ', differing, observationLines),
      { ...table('All clauses', rows, verdictLines), isAppendix: true },
    ]),
  };
}

/** How many clauses are not listed, and their verdicts. */
function sameEverywhere({ rows, notable }: Matrix): string {
  const rest = rows.filter((row) => !notable.includes(row));
  if (rest.length === 0) return 'No clause has the same verdict everywhere.';
  const verdicts = clauseVerdicts.flatMap((verdict) => {
    const having = rest.filter(({ cells }) => cells.some((cell) => cell?.verdict === verdict));
    return having.length === 0 ? [] : [`${having.length} ${verdict}`];
  });
  return `The same verdict everywhere: ${counted(rest.length, 'clause')} (${verdicts.join(', ')}).`;
}

function verdictLines(cell: Cell): Line[] {
  return [[cell === undefined ? 'not in the catalogue' : { verdict: cell.verdict }]];
}

/** What was observed of a clause in a run, or its verdict where nothing was. */
function observationLines(cell: Cell): Line[] {
  return cell?.verdict === 'observed' ? factLines(cell) : verdictLines(cell);
}
