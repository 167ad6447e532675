import type { Exchange } from '../helpers/http/exchange.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandFor, invocation, shellQuoted } from './commands.ts';
import { shownBeside } from './difference.ts';
import { bodyText, mediaType, readableQuery } from './exchange-text.ts';
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
  violatedClauses,
} from './grouping.ts';
import { headlineOf } from './headlines.ts';
import { cut, printable, printableLine } from './printable.ts';
import { reproductionOf } from './reproduction/reproduction.ts';
import { scriptFile } from './scripts.ts';
import {
  breakable,
  breakableJson,
  fileLines,
  type Terminal,
  terminal,
  toneStyles,
  uncommanding,
} from './terminal.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  exchangeNumbers,
  exchangesOf,
  headline,
  instant,
  levelsOf,
  listed,
  otherWays,
  reasonsText,
  repeatsText,
  stacksOf,
  targetName,
  type UnusableValue,
  unusableLines,
  unusableText,
  whatWasDone,
  writesText,
} from './wording.ts';
import { howToRestore, leftChangedTexts } from './writes.ts';

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  findings: 12,
  alike: 3,
  /** Clauses that the command names which runs them again. */
  again: 6,
  clauses: 4,
  ids: 8,
  reasons: 10,
  observation: 72,
  value: 240,
  /** Of what was done: it names all the filters of an export. */
  what: 700,
  /** At least so much of the first line of a body. */
  body: 40,
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
  /** Configured values that cannot be used. */
  readonly unusable?: readonly UnusableValue[];
  /** `quiet`: the last line alone. `verbose`: also what was observed on open points. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

/**
 * What a person reads at the end of a run: the verdict first, then what it stands on, and the verdict again as the last
 * line, where the eye is then. Ends with a line feed.
 */
export function renderSummary(results: Results, options: ConsoleOptions): string {
  const screen = terminal(options);
  const {
    review = noWaivers,
    files = [],
    exchanges = [],
    unusable = [],
    detail = 'normal',
  } = options;
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
        : unusableLines(unusable, results.clauses).map(uncommanding)),
      ...leftChangedLines(results, screen),
      verdictLine(results, review, screen),
    ],
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

/** The verdict on one line, however long: it is what scripts and eyes look for. */
function verdictLine(results: Results, review: WaiverReview, { paint }: Terminal): string {
  const { word, tone, sentence } = headline(results, review);
  return paint(toneStyles[tone], value(`${word.toUpperCase()}  ${sentence}`));
}

function head(results: Results, review: WaiverReview, { paint, wrap }: Terminal): string[] {
  const { word, tone, sentence } = headline(results, review);
  const tally = tallyOf(results, review.waivedClauses);
  const run = [
    instant(results.startedAt),
    duration(results.durationMs),
    `seed ${results.seed}`,
    `suite ${results.suite}`,
  ];
  const line = (name: string, text: string): string[] =>
    wrap(safe(text), `  ${name.padEnd(10)}`, ' '.repeat(12));
  return [
    ...wrap(uncommanding(printableLine(`${word.toUpperCase()}  ${sentence}`)), '').map((each) =>
      paint(toneStyles[tone], each),
    ),
    '',
    ...line('Target', targetName(results)),
    ...line('Run', run.join(', ')),
    ...line(
      'Requests',
      `${results.requests.total.toLocaleString('en-US')}${repeatsText(results.requests)}`,
    ),
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
    if (count === 0) return [];
    const levels = verdict === 'violated' ? levelsOf(tally, ' (', ')') : '';
    return [`${count} ${verdict}${levels}`];
  });
  const besides = [
    leftOut > 0 && `${leftOut} left out`,
    notSelected > 0 && `${notSelected} not chosen`,
  ].filter((part) => part !== false);
  const ofAll = [...parts, ...(waived > 0 ? [`${waived} violated and waived`] : [])];
  const chosen = all === 0 ? 'none that is judged' : `${all}: ${ofAll.join(', ')}`;
  return [chosen, ...besides].join('; ');
}

/** What is said of each finding, and where it is taken from. */
interface Place {
  readonly number: number;
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** Paths of the files that were written. */
  readonly files: readonly string[];
  readonly screen: Terminal;
  /** Columns of the terminal. */
  readonly width: number;
}

function findingBlocks(findings: readonly Finding[], place: Omit<Place, 'number'>): string[][] {
  if (findings.length === 0) return [];
  const { screen } = place;
  const clauses = new Set(findings.flatMap((finding) => finding.clauses.map(({ id }) => id)));
  const hidden = findings.slice(max.findings);
  const rest = hidden.flatMap(({ clauses: own }) => own.map(({ id }) => id));
  const title = `${counted(findings.length, 'finding')} (${counted(clauses.size, 'violated clause')})`;
  return [
    [screen.paint('bold', title)],
    ...findings
      .slice(0, max.findings)
      .map((finding, index) => findingLines(finding, { ...place, number: index + 1 })),
    ...(hidden.length === 0
      ? []
      : [
          screen.wrap(
            `and ${counted(hidden.length, 'more finding')}, about ${listed(rest, max.ids)}`,
            '  ',
          ),
        ]),
  ];
}

function isIntermittent(violations: readonly ViolationResult[]): boolean {
  return violations.every(({ intermittent }) => intermittent);
}

const findingIndent = ' '.repeat(6);

function numberedHeadline(finding: Finding, number: number, { paint, wrap }: Terminal): string[] {
  const note = isIntermittent(finding.violations) ? ' (intermittent)' : '';
  return wrap(
    `${safe(headlineOf(finding))}${note}`,
    `  ${paint('red', `✗ ${number}`)} `,
    findingIndent,
  );
}

/** What is wrong in a line, then the values, the exchange that shows it, the clauses, and the commands that show it alone. */
function findingLines(finding: Finding, place: Place): string[] {
  const { violation, violations, clauses } = finding;
  const { paint, wrap } = place.screen;
  const { expected, actual } = shownBeside(violation.expected, violation.actual, max.value);
  const line = (name: string, text: string): string[] =>
    wrap(text, `${findingIndent}${name.padEnd(10)}`, `${findingIndent}${' '.repeat(10)}`);
  const isRequestShown = place.exchanges.some((one) => one.number === violation.on[0]?.exchange);
  return [
    ...numberedHeadline(finding, place.number, place.screen).map((each) => paint('bold', each)),
    ...(isRequestShown ? [] : line('done', cut(safe(whatWasDone(violation)), max.what))),
    ...line('expected', safe(expected)),
    ...line('actual', safe(actual)),
    ...exchangeLines(violation, line, place),
    ...alsoLines(violation, violations.slice(1), line),
    ...line(
      clauses.length === 1 ? 'clause' : 'clauses',
      listed(
        clauses.map(({ id, level }) => `${paint('red', id)} (${level})`),
        max.clauses,
      ),
    ),
    ...scriptLines(finding, line, place),
  ];
}

/** What else shows the same. */
function alsoLines(
  shown: ViolationResult,
  others: readonly ViolationResult[],
  line: NamedLine,
): string[] {
  const ways = otherWays(shown, others).map(
    (one) =>
      `${value(one.what)} (${exchangeNumbers(exchangesOf(one).slice(0, 1))})${one.intermittent ? ' (intermittent)' : ''}`,
  );
  const hidden = ways.length - max.alike;
  return [
    ...ways.slice(0, max.alike).flatMap((text, index) => line(index === 0 ? 'also' : '', text)),
    ...(hidden > 0 ? line('', `and ${hidden} more`) : []),
  ];
}

type NamedLine = (name: string, text: string) => string[];

/** The exchange to blame: the request, and what was answered. */
function exchangeLines(
  violation: ViolationResult,
  line: NamedLine,
  { exchanges, width }: Place,
): string[] {
  const numbers = exchangesOf(violation);
  const exchange = exchanges.find(({ number }) => number === numbers[0]);
  if (exchange === undefined) {
    return numbers.length === 0 ? [] : line('exchange', exchangeNumbers(numbers));
  }
  const { request } = exchange;
  const [second, ...others] = numbers.slice(1, 6);
  const compared = exchanges.find(({ number }) => number === second);
  return [
    ...line('request', requestText(exchange)),
    ...sentLines(request, line),
    ...line('answer', answerText(exchange, width)),
    ...(compared === undefined
      ? []
      : line(
          'see also',
          `${requestText(compared)}${others.map((number) => `, #${number}`).join('')}`,
        )),
  ];
}

function requestText({ number, request }: Exchange): string {
  const { pathname, search } = new URL(request.url);
  const text = `${request.method} ${pathname}${readableQuery(search)}`;
  return `#${number} ${breakable(cut(safe(text), max.what))}`;
}

/** What decides about a write: the version that it names, and the body. */
function sentLines({ headers, body }: Exchange['request'], line: NamedLine): string[] {
  if (body === undefined) return [];
  const version = headers.find(([name]) => name.toLowerCase() === 'if-match')?.[1];
  const condition = version === undefined ? 'no If-Match' : `If-Match: ${version}`;
  return [...line('sent', safe(condition)), ...line('', breakableJson(cut(safe(body), max.value)))];
}

/** The path of the script of a finding; undefined where none was written. */
function scriptOf(number: number, files: readonly string[]): string | undefined {
  return files.find((one) => one.replaceAll('\\', '/').endsWith(`/${scriptFile(number)}`));
}

/** The script that shows the finding by itself. */
function scriptLines(
  finding: Finding,
  line: NamedLine,
  { results, exchanges, number, files }: Place,
): string[] {
  const file = scriptOf(number, files);
  if (file === undefined) return [];
  const { writes } = reproductionOf(finding, results, exchanges) ?? {};
  const told = writes === undefined ? '' : ` (${writesText(writes)})`;
  return line('see it', `bash ${shellQuoted(file)}${value(told)}`);
}

/** The tasks that are not as they were before, which were named when they were put back, and what to do. */
function leftChangedLines(results: Results, { wrap }: Terminal): string[] {
  const { command } = howToRestore(results) ?? {};
  // How many failed is part of the verdict.
  const left = results.leftChanged?.filter(({ outcome }) => outcome === 'left');
  const todo = command === undefined ? [] : [`To put back: ${safe(command)}`];
  return [...leftChangedTexts(left).flatMap((text) => wrap(text, '')), ...todo];
}

/** What is wrong, and the command that shows it by itself, for whoever looks at the end of a run only. */
function headlineLines(
  findings: readonly Finding[],
  { results, exchanges, files, screen }: Omit<Place, 'number' | 'width'>,
): string[] {
  const hidden = findings.length - max.findings;
  const toldOf = (finding: Finding): string => {
    const { writes } = reproductionOf(finding, results, exchanges) ?? {};
    return writes === undefined ? '' : `  (writes to task ${value(writes.taskId)})`;
  };
  return [
    ...findings.slice(0, max.findings).flatMap((finding, index) => {
      const script = scriptOf(index + 1, files);
      return [
        ...numberedHeadline(finding, index + 1, screen),
        ...(script === undefined
          ? []
          : [screen.paint('dim', `${findingIndent}bash ${shellQuoted(script)}${toldOf(finding)}`)]),
      ];
    }),
    ...(hidden > 0 ? [`${findingIndent}and ${counted(hidden, 'more finding')}`] : []),
  ];
}

/** The status and the first line of the body, or what came in place of them. */
function answerText({ operation, response, failure }: Exchange, width: number): string {
  const parts = failure === undefined ? [] : [value(failure.why)];
  if (response === undefined) return parts.join('');
  const text = bodyText(response);
  const [first = ''] = (text ?? '').trimStart().split(/\r?\n/);
  const type = value(mediaType(response)) || 'no content type';
  // The first line of a file is its headings.
  const isFile = operation === 'export' && response.status < 300;
  const isText = text !== undefined && !text.includes('\u0000') && !isFile;
  const body =
    response.size === 0
      ? 'no body'
      : isText && !/pdf/i.test(type)
        ? cut(safe(first), Math.max(max.body, width - 40))
        : `${response.size.toLocaleString('en-US')} bytes, ${type}`;
  return [`${response.status}  ${body}`, ...parts].join('; ');
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
        ...wrap(value(reasonsText(group.reasons)), '  '),
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

/** What the configuration lacks, a line for each set of variables, with how many clauses that costs. */
function notJudged(results: Results, screen: Terminal): string[] {
  const clauses = undecidedClauses(results).filter(({ verdict }) => verdict === 'not judged');
  if (clauses.length === 0) return [];
  const { lacking, others } = byLacks(clauses);
  // What is configured cannot be used: that is told by itself.
  const isUnusable = lacking.every(({ lacks }) => lacks.some(({ unusable }) => unusable));
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
      return screen.wrap(
        value(why),
        `  ${(titles[index] ?? '').padEnd(column)} ${count}  `,
        '      ',
      );
    }),
    ...others.map(({ reasons, clauses: some }) =>
      screen.wrap(
        `${value(reasonsText(reasons))} → ${counted(some.length, 'clause')}`,
        '  ',
        '      ',
      ),
    ),
  ];
  return [
    screen.paint('bold', `Not judged (${clauses.length})`),
    ...rows.slice(0, max.reasons).flat(),
    ...moreReasons([...lacking, ...others].slice(max.reasons), screen),
    ...(isUnusable || results.interruptedBy !== null
      ? []
      : screen.wrap(
          `Set the variables; or leave the clauses out (EXCEPT, --except), or allow it (--allow not-judged). \`${invocation} doctor\` says more.`,
          '  ',
        )),
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
          .map((line) => `  ${value(line)}`),
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
      wrap(value(`${id}: ${reasonsText(reasons)}`), '  ', '    '),
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

function value(text: string): string {
  return cut(safe(text), max.value);
}

function safe(text: string): string {
  return uncommanding(printableLine(text));
}
