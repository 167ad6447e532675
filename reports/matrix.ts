import { canonical } from '../schemas/observations.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { isSelected } from './grouping.ts';

/** A run among several, with a letter to stand for it in a table. */
export interface MatrixRun {
  readonly letter: string;
  /** The file that its results come from. */
  readonly file: string;
  readonly results: Results;
}

/** A clause with what became of it in each run; undefined where a run does not have it. */
export interface MatrixRow {
  readonly clause: ClauseResult;
  readonly cells: readonly (ClauseResult | undefined)[];
}

/** Several runs side by side, for example one of each region. */
export interface Matrix {
  readonly runs: readonly MatrixRun[];
  /** Every clause, in the order of the first run that has it. */
  readonly rows: readonly MatrixRow[];
  /** Those that are worth a look: not the same verdict everywhere, or violated somewhere. */
  readonly notable: readonly MatrixRow[];
  /** Open clauses of which not the same was observed everywhere. */
  readonly observedApart: readonly MatrixRow[];
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
    notable: rows.filter(isNotable),
    observedApart: rows.filter(isObservedApart),
  };
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

function isObservedApart({ cells }: MatrixRow): boolean {
  const observed = cells.filter((cell) => cell?.verdict === 'observed');
  return new Set(observed.map((cell) => canonical(cell?.observed))).size > 1;
}
