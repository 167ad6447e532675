import type { Results } from '../schemas/results.ts';
import { compareResults, type Move, type Turn, turnGroups } from './compare.ts';
import { factsOf } from './facts.ts';
import { byClause, isSelected, violatedClauses } from './grouping.ts';
import { cut, printableLine } from './printable.ts';
import { type Terminal, terminal, uncommanding } from './terminal.ts';
import { duration, headline, listed, whatWasDone } from './wording.ts';

/** How much is spelled out before the rest is counted. */
const spelledOut = { clauses: 12, ids: 8, value: 120 };

type Options = { readonly color: boolean; readonly width: number };

/**
 * What a person reads between two plays while working on a mock: the verdict, and what changed since the last play;
 * after the first one, what is violated. Ends with a line feed.
 * @param before what was known before the play
 */
export function renderPlay(
  results: Results,
  before: Results | undefined,
  options: Options,
): string {
  const screen = terminal(options);
  const { word, sentence } = headline(results);
  const cost = `${duration(results.durationMs)}, ${results.requests.total} requests`;
  const lines = before === undefined ? standing(results, screen) : changes(before, results, screen);
  const head = screen.wrap(safe(`${word.toUpperCase()}  ${sentence} (${cost})`), '');
  return [...head.map((line) => screen.paint('bold', line)), ...lines, ''].join('\n');
}

/** A play of chosen clauses says nothing of the others: what was known of them stands. */
export function withWhatWasKnown(results: Results, before: Results | undefined): Results {
  if (before === undefined) return results;
  const earlier = new Map(before.clauses.map((clause) => [clause.id, clause]));
  const kept = new Set(unselectedIds(results));
  return {
    ...results,
    clauses: results.clauses.map((clause) =>
      kept.has(clause.id) ? (earlier.get(clause.id) ?? clause) : clause,
    ),
    violations: [
      ...results.violations,
      ...before.violations.filter(({ clause }) => kept.has(clause)),
    ],
  };
}

function unselectedIds({ clauses }: Results): string[] {
  return clauses.filter((clause) => !isSelected(clause)).map(({ id }) => id);
}

function standing(results: Results, screen: Terminal): string[] {
  const violated = violatedClauses(results);
  const rest = violated.slice(spelledOut.clauses).map(({ clause }) => clause.id);
  return [
    ...violated
      .slice(0, spelledOut.clauses)
      .flatMap(({ clause }) => violatedLine(clause.id, results, screen)),
    ...(rest.length === 0 ? [] : screen.wrap(`and ${listed(rest, spelledOut.ids)}`, '  ')),
  ];
}

function changes(before: Results, after: Results, screen: Terminal): string[] {
  const { turned, moved: allMoved } = compareResults(before, after);
  // Other scenarios see other things of an open clause.
  const played = new Map(before.clauses.map(({ id, scenarios }) => [id, scenarios.join('\n')]));
  const moved = allMoved.filter(
    ({ clause: { id, scenarios } }) => played.get(id) === scenarios.join('\n'),
  );
  const unknown = new Set(unselectedIds(before));
  const broken = violatedClauses(after)
    .map(({ clause }) => clause.id)
    .filter((id) => unknown.has(id) || turned.some(({ clause }) => clause.id === id));
  const mended = turned.filter((turn) => turn.before === 'violated' && turn.after === 'upheld');
  const others = turned.filter((turn) => turn.after !== 'violated' && !mended.includes(turn));
  const known = violatedClauses(withWhatWasKnown(after, before));
  const still = known.filter(({ clause }) => !broken.includes(clause.id)).length;
  return [
    ...(turned.length + broken.length + moved.length === 0 ? ['  Nothing changed.'] : []),
    ...mended.flatMap((turn) => mendedLine(turn, screen)),
    ...broken.flatMap((id) => violatedLine(id, after, screen)),
    ...turnGroups(others).flatMap((group) =>
      screen.wrap(
        `${group.before} -> ${group.after}: ${listed(
          group.clauses.map(({ id }) => id),
          spelledOut.ids,
        )}`,
        '  ',
        '    ',
      ),
    ),
    ...moved.flatMap((move) => movedLine(move, screen)),
    ...(still === 0 ? [] : [`  ${still} still violated`]),
  ];
}

function mendedLine({ clause }: Turn, { paint }: Terminal): string[] {
  return [`  ${paint('green', `✓ ${clause.id}`)}`];
}

function violatedLine(id: string, results: Results, { paint, wrap }: Terminal): string[] {
  const [first] = byClause(results.violations).get(id) ?? [];
  const why =
    first === undefined
      ? []
      : wrap(
          `${value(whatWasDone(first))}: expected ${value(first.expected)}, got ${value(first.actual)}`,
          '      ',
        );
  return [`  ${paint('red', `✗ ${id}`)}`, ...why];
}

function movedLine({ clause, before, after }: Move, { wrap }: Terminal): string[] {
  const words = (observed: readonly unknown[]): string =>
    factsOf({ id: clause.id, observed: [...observed] }).join(' | ');
  const text = `${clause.id}: ${words(before)} -> ${words(after)}`;
  return wrap(value(text), '  ', '    ');
}

function value(text: string): string {
  return cut(safe(text), spelledOut.value);
}

function safe(text: string): string {
  return uncommanding(printableLine(text));
}
