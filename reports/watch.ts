import type { Results, ViolationResult } from '../schemas/results.ts';
import { alikeChanges, compareResults, type ObservationChange } from './compare.ts';
import { groupedFactsOf } from './facts.ts';
import { byClause, isSelected, violatedClauses } from './grouping.ts';
import { cut, printableLine } from './printable.ts';
import { type Terminal, terminal, uncommanding } from './terminal.ts';
import { duration, headline, listed, textsOf, verdictText } from './wording.ts';

// What `watch` prints: what is watched, why there is another run, and what it changed.

/** How much is shown before the rest is counted. */
const max = { clauses: 12, ids: 8, value: 120 };

type Options = { readonly color: boolean; readonly width: number };

/** What is watched, and what to type. Ends with an empty line. */
export function renderHowToWatch(paths: readonly string[]): string {
  const watched = paths.length === 0 ? 'No files are watched' : `Watching ${paths.join(', ')}`;
  return [
    `${watched}. Press Enter to run again; Ctrl-C ends, and puts everything back.`,
    'Type a clause, the beginning of its id, or a part of a scenario’s name to run that alone; "all" runs everything.',
    '',
    '',
  ].join('\n');
}

/** Why there is another run: files that changed, or a line that was typed. */
export type Trigger =
  | { readonly kind: 'files'; readonly names: readonly string[] }
  | { readonly kind: 'line'; readonly text: string };

/** When and why everything is run again. @param time of day */
export function renderTrigger(trigger: Trigger, time: string): string {
  if (trigger.kind === 'line') return `\n${time}  Again${trigger.text && `: ${trigger.text}`}\n`;
  const { names } = trigger;
  const more = names.length > 1 ? `, and ${names.length - 1} more` : '';
  return `\n${time}  ${names[0]} changed${more}\n`;
}

export function renderWaiting(baseUrl: string): string {
  return `Waiting for ${baseUrl} to answer …\n`;
}

/** @param requestTimeout what the variable is called */
export function renderSlow(baseUrl: string, timeoutMs: number, requestTimeout: string): string {
  return `${baseUrl} has not answered yet; it is given ${timeoutMs / 1000} s (${requestTimeout}) …\n`;
}

export const everythingIsPutBack = '\nEverything is put back.\n';

/**
 * What a person reads of one run after another while working on a mock: the verdict, and what changed since the last
 * run; after the first one, what is violated. Ends with a line feed.
 * @param before what was known before the run
 */
export function renderRerun(
  results: Results,
  before: Results | undefined,
  options: Options,
): string {
  const screen = terminal(options);
  const cost = `${duration(results.durationMs)}, ${results.requests.total} requests`;
  const lines =
    before === undefined ? violations(results, screen) : changes(before, results, screen);
  const head = screen.wrap(safe(`${verdictText(headline(results))} (${cost})`), '');
  return [...head.map((line) => screen.paint('bold', line)), ...lines, ''].join('\n');
}

/** What is known after a run. One of chosen clauses says nothing about the others: what was known of them stands. */
export function withEarlier(results: Results, before: Results | undefined): Results {
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

function violations(results: Results, screen: Terminal): string[] {
  const violated = violatedClauses(results);
  const rest = violated.slice(max.clauses).map(({ clause }) => clause.id);
  return [
    ...violated
      .slice(0, max.clauses)
      .flatMap(({ clause }) => violatedLine(clause.id, results, screen)),
    ...(rest.length === 0 ? [] : screen.wrap(`and ${listed(rest, max.ids)}`, '  ')),
  ];
}

function changes(before: Results, after: Results, screen: Terminal): string[] {
  const { verdicts, observations: allObservations } = compareResults(before, after);
  // Other scenarios see other things of an open clause.
  const scenariosOf = ({ clauses }: Results, id: string): string | undefined =>
    clauses.find((clause) => clause.id === id)?.scenarios.join('\n');
  const observations = allObservations.filter(
    ({ id }) => scenariosOf(before, id) === scenariosOf(after, id),
  );
  const changed = new Set(verdicts.map(({ clause }) => clause.id));
  const unknown = new Set(unselectedIds(before));
  const broken = violatedClauses(after)
    .map(({ clause }) => clause.id)
    .filter((id) => unknown.has(id) || changed.has(id));
  const fixed = verdicts.filter((one) => one.before === 'violated' && one.after === 'upheld');
  const others = verdicts.filter((one) => one.after !== 'violated' && !fixed.includes(one));
  const known = violatedClauses(withEarlier(after, before));
  const still = known.filter(({ clause }) => !broken.includes(clause.id)).length;
  return [
    ...(verdicts.length + broken.length + observations.length === 0 ? ['  Nothing changed.'] : []),
    ...fixed.map(({ clause }) => `  ${screen.paint('green', `✓ ${clause.id}`)}`),
    ...broken.flatMap((id) => violatedLine(id, after, screen)),
    ...alikeChanges(others).flatMap(({ before: was, after: is, ids }) =>
      screen.wrap(`${was} → ${is}: ${listed(ids, max.ids)}`, '  ', '    '),
    ),
    ...observations.flatMap((change) => observationLines(change, screen)),
    ...(still === 0 ? [] : [`  ${still} still violated`]),
  ];
}

function violatedLine(id: string, results: Results, { paint, wrap }: Terminal): string[] {
  const [first] = byClause(results.violations).get(id) ?? [];
  const why = first === undefined ? [] : wrap(shownText(first), '      ');
  return [`  ${paint('red', `✗ ${id}`)}`, ...why];
}

function shownText(violation: ViolationResult): string {
  const { done, expected, actual } = textsOf(violation);
  return `${value(done)}: expected ${value(expected)}, got ${value(actual)}`;
}

function observationLines({ id, gone, added }: ObservationChange, { wrap }: Terminal): string[] {
  const facts = (some: readonly unknown[]): string =>
    some.length === 0 ? 'nothing' : groupedFactsOf(id, some).join(' | ');
  const text = `${id}: ${facts(gone)} → ${facts(added)}`;
  return wrap(value(text), '  ', '    ');
}

function value(text: string): string {
  return cut(safe(text), max.value);
}

function safe(text: string): string {
  return uncommanding(printableLine(text));
}
