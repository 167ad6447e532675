import {
  type ClauseResult,
  clauseVerdicts,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandsForClause } from './commands.ts';
import { factsOf } from './facts.ts';
import {
  commonActual,
  countByVerdict,
  reasonsOfVerdict,
  type ViolatedClause,
  violatedClauses,
} from './grouping.ts';
import { cut, printableLine } from './printable.ts';
import { fileLines, type Terminal, terminal, toneStyles, uncommanding } from './terminal.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  exchangeNumbers,
  exchangesOf,
  headline,
  instant,
  listed,
  reasonsText,
  stacksOf,
  targetName,
  whatWasDone,
} from './wording.ts';

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  clauses: 12,
  scenarios: 3,
  ids: 8,
  observation: 72,
  value: 240,
  stackLines: 8,
};

export interface ConsoleOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** The waivers of the run; none unless given. */
  readonly review?: WaiverReview;
  /** Paths of the files that were written; they are named last. */
  readonly files?: readonly string[];
}

/** What a person reads at the end of a run: the verdict first, then what it stands on. Ends with a line feed. */
export function renderSummary(results: Results, options: ConsoleOptions): string {
  const screen = terminal(options);
  const { review = noWaivers, files = [] } = options;
  const waived = new Set(review.waived.map(({ clause }) => clause));
  const violated = violatedClauses(results).filter(({ clause }) => !waived.has(clause.id));
  const blocks = [
    head(results, review, screen),
    violations(results, violated, screen),
    suiteErrors(results, screen),
    waiverLines(review, screen),
    undecided(results, 'inconclusive', screen),
    undecided(results, 'not judged', screen),
    observations(results.clauses, screen),
    runAgain(results, violated),
    fileLines(files, screen),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function head(results: Results, review: WaiverReview, { paint, wrap }: Terminal): string[] {
  const { word, tone, sentence } = headline(results, review);
  const counts = countByVerdict(results.clauses);
  const verdicts = clauseVerdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`);
  const run = [
    instant(results.startedAt),
    duration(results.durationMs),
    counted(results.requests.total, 'request'),
    `seed ${results.seed}`,
    `suite ${results.suite}`,
  ];
  return [
    ...wrap(uncommanding(printableLine(`${word.toUpperCase()}  ${sentence}`)), '').map((line) =>
      paint(toneStyles[tone], line),
    ),
    '',
    `  Target    ${value(targetName(results))}`,
    ...wrap(printableLine(run.join(', ')), '  Run       ', ' '.repeat(12)),
    ...wrap(`${results.clauses.length}: ${verdicts.join(', ')}`, '  Clauses   ', ' '.repeat(12)),
  ];
}

function violations(
  results: Results,
  violated: readonly ViolatedClause[],
  screen: Terminal,
): string[] {
  if (violated.length === 0) return [];
  const { paint, wrap } = screen;
  const shared = commonActual(results);
  const rest = violated.slice(max.clauses).map(({ clause }) => clause.id);
  return [
    paint('bold', `Violated (${violated.length})`),
    ...(shared === undefined
      ? []
      : wrap(
          `${shared.times} of ${results.violations.length} violations have the same actual value: ${value(shared.actual)}`,
          '  ',
        )),
    ...violated.slice(0, max.clauses).flatMap((one) => violatedClause(one, screen)),
    ...(rest.length === 0 ? [] : ['', ...wrap(`and ${listed(rest, max.ids)}`, '  ')]),
  ];
}

function violatedClause({ clause, violations }: ViolatedClause, screen: Terminal): string[] {
  const { paint, wrap } = screen;
  const hidden = violations.length - max.scenarios;
  return [
    '',
    ...wrap(`${paint('red', clause.id)} (${clause.level}; ${clause.section})`, '  '),
    ...wrap(printableLine(clause.text), '  '),
    ...violations.slice(0, max.scenarios).flatMap((violation) => violationLines(violation, screen)),
    ...(hidden > 0 ? [`    and in ${counted(hidden, 'more scenario')}`] : []),
  ];
}

function violationLines(violation: ViolationResult, { paint, wrap }: Terminal): string[] {
  const exchanges = exchangeNumbers(exchangesOf(violation));
  const note = violation.intermittent ? ` ${paint('yellow', '(intermittent)')}` : '';
  return [
    ...wrap(
      `${paint('red', '✗')} ${printableLine(violation.scenario)}${note}`,
      '    ',
      ' '.repeat(6),
    ),
    ...wrap(value(whatWasDone(violation)), ' '.repeat(6)),
    ...wrap(value(violation.expected), '      expected  ', ' '.repeat(16)),
    ...wrap(value(violation.actual), '      actual    ', ' '.repeat(16)),
    ...(exchanges === '' ? [] : wrap(exchanges, '      exchange  ', ' '.repeat(16))),
  ];
}

function waiverLines(review: WaiverReview, { paint, wrap }: Terminal): string[] {
  const blocks = waiverStates.filter(({ state }) => review[state].length > 0);
  return blocks.flatMap(({ state, title }) => [
    paint('bold', `${title} (${review[state].length})`),
    ...review[state].flatMap(({ clause, reason, owner, issue, expires }) =>
      wrap(`${clause}: ${reason} (${owner}, until ${expires}, ${issue})`, '  ', '    '),
    ),
  ]);
}

function undecided(
  results: Results,
  verdict: 'inconclusive' | 'not judged',
  { paint, wrap }: Terminal,
): string[] {
  const groups = reasonsOfVerdict(results, verdict);
  if (groups.length === 0) return [];
  const title = verdict === 'inconclusive' ? 'Inconclusive' : 'Not judged';
  return [
    paint('bold', `${title} (${countByVerdict(results.clauses)[verdict]})`),
    ...groups.flatMap(({ reasons, clauses }) => [
      ...wrap(value(reasonsText(reasons)), '  '),
      ...idLines(clauses, { paint, wrap }),
    ]),
  ];
}

function idLines(clauses: readonly ClauseResult[], { paint, wrap }: Terminal): string[] {
  const ids = clauses.map(({ id }) => id);
  return wrap(listed(ids, max.ids), '    ').map((line) => paint('dim', line));
}

/** Our own failures: each error with the beginning of its stack, for whoever fixes the suite. */
function suiteErrors(results: Results, screen: Terminal): string[] {
  const groups = reasonsOfVerdict(results, 'error');
  if (groups.length === 0) return [];
  return [
    screen.paint(
      ['magenta', 'bold'],
      `Errors of the suite (${countByVerdict(results.clauses).error})`,
    ),
    ...screen.wrap('The suite itself failed; this says nothing about the target.', '  '),
    ...groups.flatMap(({ reasons, clauses }) => [
      '',
      ...stacksOf(reasons).flatMap((stack) =>
        stack
          .split('\n')
          .slice(0, max.stackLines)
          .map((line) => `  ${value(line)}`),
      ),
      ...idLines(clauses, screen),
    ]),
  ];
}

function observations(clauses: readonly ClauseResult[], { paint }: Terminal): string[] {
  const observed = clauses.filter(({ verdict }) => verdict === 'observed');
  if (observed.length === 0) return [];
  const column = Math.max(...observed.map(({ id }) => id.length)) + 2;
  return [
    paint('bold', `Observed on open points (${observed.length})`),
    ...observed.map((clause) => {
      const values = uncommanding(factsOf(clause).map(printableLine).join(' | '));
      return `  ${clause.id.padEnd(column)}${cut(values, max.observation)}`;
    }),
  ];
}

function runAgain(results: Results, violated: readonly ViolatedClause[]): string[] {
  const clause = violated[0]?.clause.id ?? '<clause id>';
  return commandsForClause(clause, results.seed).map(
    (command, index) => `${index === 0 ? 'Run again' : '         '}   ${command}`,
  );
}

function value(text: string): string {
  return cut(uncommanding(printableLine(text)), max.value);
}
