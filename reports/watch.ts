import type { Results } from '../schemas/results.ts';
import { filled } from './blocks.ts';
import { renderOnTerminal } from './blocks-terminal.ts';
import { type Comparison, changeSections, compareResults, violationsSection } from './compare.ts';
import { isSelected, violatedClauses } from './grouping.ts';
import { counted, duration, headline, verdictText } from './wording.ts';

// What `watch` prints: what is watched, why there is another run, and what changed with it.

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
 * run; after the first run, what is violated. Ends with a line feed.
 * @param before what was known before the run
 */
export function renderRerun(
  results: Results,
  before: Results | undefined,
  options: { readonly color: boolean; readonly width: number },
): string {
  const verdict = headline(results);
  const sections =
    before === undefined
      ? filled([violationsSection('Violations', results.violations, 'bad')])
      : changeSections(changesFrom(before, results));
  const known = violatedClauses(withEarlier(results, before)).length;
  return renderOnTerminal(
    {
      kind: 'A run while files are watched',
      title: verdictText(verdict),
      tone: verdict.tone,
      facts: [
        [
          'Took',
          [`${duration(results.durationMs)}, ${counted(results.requests.total, 'request')}`],
        ],
        ...(before !== undefined && sections.length === 0
          ? [['Changed', ['nothing']] as const]
          : []),
        ...(known === 0 ? [] : [['Violated', [counted(known, 'clause')]] as const]),
      ],
      sections,
    },
    options,
  );
}

function changesFrom(before: Results, after: Results): Comparison {
  const comparison = compareResults(before, after);
  const unknown = new Set(unselectedIds(before));
  // Other scenarios see other things of an open clause.
  const scenariosOf = ({ clauses }: Results, id: string): string | undefined =>
    clauses.find((clause) => clause.id === id)?.scenarios.join('\n');
  return {
    ...comparison,
    newViolations: [
      ...comparison.newViolations,
      ...after.violations.filter(({ clause }) => unknown.has(clause)),
    ],
    observations: comparison.observations.filter(
      ({ id }) => scenariosOf(before, id) === scenariosOf(after, id),
    ),
  };
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
