import type { Exchange } from '../helpers/http/exchange.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  isUpheldInPart,
  type Results,
} from '../schemas/results.ts';
import { commandFor, invocation } from './commands.ts';
import { findingBlocks, headlineLines } from './console-findings.ts';
import { factsOf } from './facts.ts';
import { type Finding, findingsOf } from './findings.ts';
import {
  byLacks,
  isSelected,
  leftOutClauses,
  reasonsOfVerdict,
  type Tally,
  tallyOf,
  undecidedClauses,
  upheldInPart,
  violatedClauses,
} from './grouping.ts';
import { cut, printable, printableLine } from './printable.ts';
import {
  fileLines,
  safe,
  safeValue,
  type Terminal,
  terminal,
  toneStyles,
  uncommanding,
} from './terminal.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  headline,
  instant,
  levelsOf,
  listed,
  reasonsText,
  repeatsText,
  stacksOf,
  targetName,
  unusableLines,
  unusableText,
  verdictText,
} from './wording.ts';
import { howToRestore, leftChangedTexts } from './writes.ts';

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  /** Clauses that the command names which runs them again. */
  again: 6,
  ids: 8,
  reasons: 10,
  observation: 72,
  stackLines: 8,
};

export interface ConsoleOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** The waivers of the run; none unless given. */
  readonly review?: WaiverReview;
  /** The exchanges of the run, redacted: what shows violations. */
  readonly exchanges?: readonly Exchange[];
  /** Paths of the files that were written. */
  readonly files?: readonly string[];
  /** `quiet`: the last line alone. `verbose`: also what was observed on open points. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

/**
 * What a person reads at the end of a run: the verdict first, then what it stands on, and the verdict again as the last
 * line, where the eye is then. Ends with a line feed.
 */
export function renderSummary(results: Results, options: ConsoleOptions): string {
  const screen = terminal(options);
  const { review = noWaivers, files = [], exchanges = [], detail = 'normal' } = options;
  if (detail === 'quiet') return `${verdictLine(results, review, screen)}\n`;
  const violated = violatedClauses(results, review.covered);
  const findings = findingsOf(violated);
  const isVerbose = detail === 'verbose';
  const blocks = [
    head(results, review, screen),
    ...findingBlocks(findings, { results, exchanges, files, screen, width: options.width }),
    suiteErrors(results, screen),
    waiverLines(review, screen),
    inconclusive(results, screen),
    ...(results.verdict === 'not run' && haveOneReason(results)
      ? []
      : [notJudged(results, screen)]),
    leftOut(results, screen),
    ...(isVerbose ? [unobserved(results, screen), observations(results.clauses, screen)] : []),
    [...(findings.length === 0 ? [] : runAgain(results, findings)), ...fileLines(files, screen)],
    [
      ...headlineLines(findings, { results, exchanges, files, screen }),
      // Where nothing could be judged for it, the verdict says so.
      ...(results.verdict === 'not run'
        ? []
        : unusableLines(results.unusable, results.clauses).flatMap((line) =>
            screen.wrap(uncommanding(line), '! ', '  '),
          )),
      ...leftChangedLines(results, screen),
      verdictLine(results, review, screen),
    ],
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

/** The verdict on one line, however long: it is what scripts and eyes look for. */
function verdictLine(results: Results, review: WaiverReview, { paint }: Terminal): string {
  const { tone, ...words } = headline(results, review);
  return paint(toneStyles[tone], safeValue(verdictText(words)));
}

function head(results: Results, review: WaiverReview, { paint, wrap }: Terminal): string[] {
  const { tone, ...words } = headline(results, review);
  const tally = tallyOf(results, review.waivedClauses);
  const run = [
    instant(results.startedAt),
    duration(results.durationMs),
    `seed ${results.seed}`,
    `suite ${results.suite}`,
  ];
  const line = (name: string, text: string): string[] =>
    wrap(safe(text), `  ${name.padEnd(10)}`, ' '.repeat(12));
  const facts = [
    ...line('Target', targetName(results)),
    ...line('Run', run.join(', ')),
    ...line(
      'Requests',
      `${results.requests.total.toLocaleString('en-US')}${repeatsText(results.requests)}`,
    ),
  ];
  const verdict = verdictText(words);
  // Where there is nothing to be told but the verdict, that is a few lines below, if its line has room for all of it.
  const isAll =
    results.interruptedBy === null &&
    safeValue(verdict) === safe(verdict) &&
    haveOneReason(results) &&
    results.clauses.every(({ verdict }) => verdict !== 'inconclusive');
  if (results.verdict === 'not run' && isAll) return facts;
  return [
    ...wrap(safe(verdict), '').map((each) => paint(toneStyles[tone], each)),
    '',
    ...facts,
    ...line('Clauses', clausesText(tally)),
    ...line(
      'Open',
      tally.open.all === 0
        ? 'no open points were looked at'
        : `${tally.open.observed} of ${counted(tally.open.all, 'open point')} observed`,
    ),
  ];
}

function clausesText(tally: Tally): string {
  const { all, verdicts, waived, leftOut, notSelected } = tally;
  const parts = clauseVerdicts.flatMap((verdict) => {
    const count = verdicts[verdict];
    const levels = verdict === 'violated' ? levelsOf(tally, ' (', ')') : '';
    return [
      ...(count === 0 ? [] : [`${count} ${verdict}${levels}`]),
      ...(verdict === 'upheld' && tally.inPart > 0 ? [`${tally.inPart} ${upheldInPart}`] : []),
    ];
  });
  const besides = [
    leftOut > 0 && `${leftOut} left out`,
    notSelected > 0 && `${notSelected} not chosen`,
  ].filter((part) => part !== false);
  const ofAll = [...parts, ...(waived > 0 ? [`${waived} violated and waived`] : [])];
  const chosen = all === 0 ? 'none that is judged' : `${all}: ${ofAll.join(', ')}`;
  return [chosen, ...besides].join('; ');
}

/** The tasks that are not as they were before, which were named when they were put back, and what to do. */
function leftChangedLines(results: Results, { wrap }: Terminal): string[] {
  const { command } = howToRestore(results) ?? {};
  // How many failed is part of the verdict.
  const left = results.leftChanged?.filter(({ outcome }) => outcome === 'left');
  const todo = command === undefined ? [] : [`To put back: ${safe(command)}`];
  return [...leftChangedTexts(left).flatMap((text) => wrap(text, '')), ...todo];
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

function inconclusive(results: Results, { paint, wrap }: Terminal): string[] {
  const clauses = undecidedClauses(results).filter(({ verdict }) => verdict === 'inconclusive');
  const groups = byLacks(clauses).others;
  if (groups.length === 0) return [];
  const hidden = groups.slice(max.reasons);
  return [
    paint('bold', `Inconclusive (${clauses.length})`),
    ...groups
      .slice(0, max.reasons)
      .flatMap((group) => [
        ...wrap(safeValue(reasonsText(group.reasons)), '  '),
        ...idLines(group.clauses, { paint, wrap }),
      ]),
    ...moreReasons(hidden, { paint, wrap }),
  ];
}

/** Whether all that was not judged was not for one and the same reason, which the verdict tells. */
function haveOneReason(results: Results): boolean {
  const { lacking, others } = byLacks(undecidedClauses(results));
  return lacking.length + others.length === 1;
}

/** What was not judged, or not whole, and what to do about it. */
function notJudged(results: Results, screen: Terminal): string[] {
  const undecided = undecidedClauses(results);
  const whole = undecided.filter(({ verdict }) => verdict === 'not judged');
  const inPart = undecided.filter(isUpheldInPart);
  if (whole.length + inPart.length === 0) return [];
  // What is configured cannot be used: that is told by itself.
  const isUnusable = byLacks([...whole, ...inPart]).lacking.every(({ lacks }) =>
    lacks.some(({ unusable }) => unusable),
  );
  return [
    ...lackRows('Not judged', whole, screen),
    ...(whole.length > 0 && inPart.length > 0 ? [''] : []),
    ...lackRows('Upheld in part; not judged in the rest', inPart, screen),
    ...(isUnusable || results.interruptedBy !== null
      ? []
      : screen.wrap(
          `Set the variables. What the target does not have (an assessment in some state, so many events) can be left out (EXCEPT, --except) or allowed (--allow not-judged). \`${invocation} doctor\` says more.`,
          '  ',
        )),
  ];
}

/** What the configuration lacks, a line for each set of variables, with how many clauses that costs. */
function lackRows(title: string, clauses: readonly ClauseResult[], screen: Terminal): string[] {
  if (clauses.length === 0) return [];
  const { lacking, others } = byLacks(clauses);
  const titles = lacking.map(({ lacks }) => lacks.map(({ variable }) => variable).join(' + '));
  const countWidth = Math.max(
    ...lacking.map((group) => `→ ${counted(group.clauses.length, 'clause')}`.length),
  );
  const column = Math.min(40, Math.max(0, ...titles.map(({ length }) => length)));
  const explained = new Set<string>();
  const rows = [
    ...lacking.map(({ lacks, clauses: some }, index) => {
      // Each variable is explained once.
      const needed = lacks.filter(({ variable }) => !explained.has(variable));
      for (const { variable } of needed) explained.add(variable);
      const told = needed.flatMap(({ variable, what, unusable = [] }) => [
        what,
        ...unusableText(variable, unusable),
      ]);
      const why = [...(needed.length < lacks.length ? ['as above'] : []), ...told].join('; ');
      const count = `→ ${counted(some.length, 'clause')}`.padEnd(countWidth);
      return [
        ...screen.wrap(
          safeValue(why),
          `  ${(titles[index] ?? '').padEnd(column)} ${count}  `,
          '      ',
        ),
        ...(some.some(isUpheldInPart) ? idLines(some, screen) : []),
      ];
    }),
    ...others.map(({ reasons, clauses: some }) =>
      screen.wrap(
        `${safeValue(reasonsText(reasons))} → ${counted(some.length, 'clause')}`,
        '  ',
        '      ',
      ),
    ),
  ];
  return [
    screen.paint('bold', `${title} (${clauses.length})`),
    ...rows.slice(0, max.reasons).flat(),
    ...moreReasons([...lacking, ...others].slice(max.reasons), screen),
  ];
}

function leftOut(results: Results, screen: Terminal): string[] {
  const clauses = leftOutClauses(results);
  if (clauses.length === 0) return [];
  const open = clauses.filter(({ level }) => level === 'open').length;
  const points = open === 0 ? '' : `, and ${counted(open, 'open point')}`;
  return [
    screen.paint('bold', `Left out (${clauses.length - open}${points})`),
    ...idLines(clauses, screen),
  ];
}

function moreReasons(
  hidden: readonly { readonly clauses: readonly ClauseResult[] }[],
  { wrap }: Pick<Terminal, 'wrap' | 'paint'>,
): string[] {
  if (hidden.length === 0) return [];
  const clauses = hidden.reduce((sum, one) => sum + one.clauses.length, 0);
  return wrap(
    `and ${counted(clauses, 'clause')} for ${counted(hidden.length, 'other reason')}`,
    '  ',
  );
}

function idLines(clauses: readonly ClauseResult[], { paint, wrap }: Terminal): string[] {
  const ids = clauses.map(({ id }) => id);
  return wrap(listed(ids, max.ids), '    ').map((line) => paint('dim', line));
}

/** Our own failures: each error with the beginning of its stack, for whoever fixes the suite. */
function suiteErrors(results: Results, screen: Terminal): string[] {
  const groups = reasonsOfVerdict(results, 'error');
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, { clauses }) => sum + clauses.length, 0);
  return [
    screen.paint(['magenta', 'bold'], `Errors of the suite (${count})`),
    ...screen.wrap('The suite itself failed; this says nothing about the target.', '  '),
    ...groups.flatMap(({ reasons, clauses }) => [
      '',
      ...stacksOf(reasons).flatMap((stack) =>
        stack
          .split('\n')
          .slice(0, max.stackLines)
          .map((line) => `  ${safeValue(line)}`),
      ),
      ...idLines(clauses, screen),
    ]),
  ];
}

/** The open points of which nothing was seen. */
function unobserved({ clauses }: Results, { paint, wrap }: Terminal): string[] {
  const unseen = clauses.filter(
    (clause) =>
      clause.level === 'open' &&
      ['inconclusive', 'not judged'].includes(clause.verdict) &&
      isSelected(clause),
  );
  if (unseen.length === 0) return [];
  return [
    paint('bold', `Open points that were not observed (${unseen.length})`),
    ...unseen.flatMap(({ id, reasons }) =>
      wrap(safeValue(`${id}: ${reasonsText(reasons)}`), '  ', '    '),
    ),
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

/** How what was found is run again, with the same seed. */
function runAgain(results: Results, findings: readonly Finding[]): string[] {
  const ids = [...new Set(findings.flatMap(({ clauses }) => clauses.map(({ id }) => id)))];
  const command = commandFor(ids.slice(0, max.again), results);
  return [`${'Run again'.padEnd(12)}${uncommanding(printable(command))}`];
}
