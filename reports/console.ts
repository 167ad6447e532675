import type { Exchange } from '../helpers/http/exchange.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandFor, invocation } from './commands.ts';
import { shownBeside } from './difference.ts';
import { bodyText, mediaType, renderCurl } from './exchange-text.ts';
import { factsOf } from './facts.ts';
import {
  byLacks,
  type Finding,
  findingsByClauses,
  findingsOf,
  isSelected,
  leftOutClauses,
  reasonsOfVerdict,
  type Tally,
  tallyOf,
  undecidedClauses,
  violatedClauses,
} from './grouping.ts';
import { cut, printable, printableLine } from './printable.ts';
import { fileLines, type Terminal, terminal, toneStyles, uncommanding } from './terminal.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  exchangeNumbers,
  exchangesOf,
  headline,
  instant,
  levelsText,
  listed,
  reasonsText,
  stacksOf,
  targetName,
  unusableText,
  whatWasDone,
} from './wording.ts';

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  findings: 12,
  alike: 6,
  /** Clauses that the command names which runs them again. */
  again: 6,
  clauses: 4,
  scenarios: 3,
  ids: 8,
  reasons: 10,
  observation: 72,
  value: 240,
  /** Of what was done: it names all the filters of an export. */
  what: 700,
  /** At least so much of the first line of a body. */
  body: 40,
  /** Of a curl command: a longer one is in the page. */
  command: 1500,
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
    ...violations(findings, exchanges, screen, options.width),
    suiteErrors(results, screen),
    waiverLines(review, screen),
    inconclusive(results, screen),
    notJudged(results, screen),
    leftOut(results, screen),
    ...(isVerbose ? [unobserved(results, screen), observations(results.clauses, screen)] : []),
    [...(findings.length === 0 ? [] : runAgain(results, findings)), ...fileLines(files, screen)],
    [verdictLine(results, review, screen)],
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
    wrap(value(text), `  ${name.padEnd(10)}`, ' '.repeat(12));
  return [
    ...wrap(uncommanding(printableLine(`${word.toUpperCase()}  ${sentence}`)), '').map((each) =>
      paint(toneStyles[tone], each),
    ),
    '',
    ...line('Target', targetName(results)),
    ...line('Run', run.join(', ')),
    ...line('Requests', requestsText(results.requests)),
    ...line('Clauses', clausesText(tally)),
    ...line(
      'Open',
      tally.open.all === 0
        ? 'no open points were looked at'
        : `${tally.open.observed} of ${counted(tally.open.all, 'open point')} observed`,
    ),
  ];
}

/** "18 of 510 requests had to be repeated (12 answered with 429, 6 without a whole response)" */
function requestsText({ total, repeated, lost, throttled }: Results['requests']): string {
  const all = total.toLocaleString('en-US');
  const causes = [
    throttled > 0 && `${throttled} answered with 429`,
    lost > 0 && `${lost} cut off or timed out`,
  ].filter((cause) => cause !== false);
  const had =
    repeated > 0 ? `${repeated} of ${counted(total, 'request')} had to be repeated` : `${all}`;
  return causes.length === 0 ? had : `${had} (${causes.join(', ')})`;
}

function clausesText(tally: Tally): string {
  const { all, verdicts, leftOut, notSelected } = tally;
  const parts = clauseVerdicts.flatMap((verdict) => {
    const count = verdicts[verdict];
    if (count === 0) return [];
    const levels = verdict === 'violated' ? ` (${levelsText(tally)})` : '';
    return [`${count} ${verdict}${levels}`];
  });
  const besides = [
    leftOut > 0 && `${leftOut} left out`,
    notSelected > 0 && `${notSelected} not chosen`,
  ].filter((part) => part !== false);
  return [`${all}: ${parts.join(', ')}`, ...besides].join('; ');
}

function violations(
  findings: readonly Finding[],
  exchanges: readonly Exchange[],
  screen: Terminal,
  width: number,
): string[][] {
  if (findings.length === 0) return [];
  const clauses = new Set(findings.flatMap((finding) => finding.clauses.map(({ id }) => id)));
  const groups = findingsByClauses(findings);
  const shown = groups.slice(0, max.findings);
  const hiddenGroups = groups.slice(max.findings);
  const rest = hiddenGroups.flatMap(([{ clauses: own }]) => own.map(({ id }) => id));
  const hidden = hiddenGroups.flat().length;
  const title = `Violated: ${counted(clauses.size, 'clause')}, ${counted(findings.length, 'finding')}`;
  return [
    [screen.paint('bold', title), ...screen.wrap(howToRepeat, '')],
    ...shown.map(([finding, ...others], index) => [
      ...findingLines(finding, { number: index + 1, exchanges, screen, width }),
      ...alsoLines(others, screen),
    ]),
    ...(hidden === 0
      ? []
      : [
          screen.wrap(
            `and ${counted(hidden, 'more finding')}${rest.length === 0 ? '' : `, about ${listed(rest, max.ids)}`}`,
            '  ',
          ),
        ]),
  ];
}

/** What else shows that the same clauses are violated. */
function alsoLines(others: readonly Finding[], { wrap }: Terminal): string[] {
  const hidden = others.length - max.alike;
  return [
    ...others
      .slice(0, max.alike)
      .flatMap(({ violation, violations: all }, index) =>
        wrap(
          `${value(violation.what)} (${exchangeNumbers(exchangesOf(violation).slice(0, 1))})${isIntermittent(all) ? ' (intermittent)' : ''}`,
          `${findingIndent}${(index === 0 ? 'also' : '').padEnd(10)}`,
          `${findingIndent}${' '.repeat(12)}`,
        ),
      ),
    ...(hidden > 0 ? [`${findingIndent}${' '.repeat(10)}and ${hidden} more`] : []),
  ];
}

function isIntermittent(violations: readonly ViolationResult[]): boolean {
  return violations.every(({ intermittent }) => intermittent);
}

const findingIndent = ' '.repeat(6);

const howToRepeat =
  'The commands send one request as it was sent, with the key in API_KEY; what came before it, "Run again" plays too.';

interface Place {
  readonly number: number;
  readonly exchanges: readonly Exchange[];
  readonly screen: Terminal;
  /** Columns of the terminal. */
  readonly width: number;
}

/** What was done, what came, the clauses that it breaks, and the exchange that shows it. */
function findingLines({ violation, violations: all, clauses }: Finding, place: Place): string[] {
  const { paint, wrap } = place.screen;
  const { expected, actual } = shownBeside(violation.expected, violation.actual, max.value);
  const scenarios = [...new Set(all.map(({ scenario }) => scenario))];
  const mark = paint('red', `✗ ${place.number}`);
  const note = isIntermittent(all) ? ` ${paint('yellow', '(intermittent)')}` : '';
  const line = (name: string, text: string): string[] =>
    wrap(text, `${findingIndent}${name.padEnd(10)}`, `${findingIndent}${' '.repeat(10)}`);
  const hidden = clauses.length - max.clauses;
  return [
    ...wrap(`${cut(safe(whatWasDone(violation)), max.what)}${note}`, `  ${mark} `, findingIndent),
    ...line('expected', safe(expected)),
    ...line('actual', safe(actual)),
    ...clauses
      .slice(0, max.clauses)
      .flatMap(({ id, level, text }, index) =>
        line(
          index === 0 ? (clauses.length === 1 ? 'clause' : 'clauses') : '',
          `${paint('red', id)} (${level}): ${value(text)}`,
        ),
      ),
    ...(hidden > 0
      ? line(
          '',
          `and ${listed(
            clauses.slice(max.clauses).map(({ id }) => id),
            max.ids,
          )}`,
        )
      : []),
    ...line(
      'scenario',
      `${value(scenarios.slice(0, max.scenarios).join('; '))}${scenarios.length > max.scenarios ? `; and ${scenarios.length - max.scenarios} more` : ''}`,
    ),
    ...evidenceLines(violation, line, place),
  ];
}

type NamedLine = (name: string, text: string) => string[];

/** The exchange to blame: the request, what was answered, and the command that repeats it. */
function evidenceLines(violation: ViolationResult, line: NamedLine, place: Place): string[] {
  const { exchanges, screen } = place;
  const numbers = exchangesOf(violation);
  const exchange = exchanges.find(({ number }) => number === numbers[0]);
  if (exchange === undefined) {
    return numbers.length === 0 ? [] : line('exchange', exchangeNumbers(numbers));
  }
  const { request } = exchange;
  const { pathname, search } = new URL(request.url);
  const [second, ...others] = numbers.slice(1, 6);
  const compared = exchanges.find(({ number }) => number === second);
  const command = renderCurl(exchange);
  const shown = command.length <= max.command ? printable(command) : 'its request is in index.html';
  return [
    ...line('request', `#${exchange.number} ${safe(`${request.method} ${pathname}${search}`)}`),
    ...line('answer', answerText(exchange, place.width)),
    ...(compared === undefined
      ? []
      : line(
          'see also',
          `#${compared.number} ${safe(`${compared.request.method} ${new URL(compared.request.url).pathname}`)}${others.map((number) => `, #${number}`).join('')}`,
        )),
    ...uncommanding(shown)
      .split('\n')
      .map((each, index) => screen.paint('dim', `      ${index === 0 ? '' : '  '}${each.trim()}`)),
  ];
}

/** The status and the first line of the body, or what came in place of them. */
function answerText({ response, failure }: Exchange, width: number): string {
  const parts = failure === undefined ? [] : [value(failure)];
  if (response === undefined) return parts.join('');
  const text = bodyText(response);
  const [first = ''] = (text ?? '').trimStart().split(/\r?\n/);
  const type = value(mediaType(response)) || 'no content type';
  const isText = text !== undefined && !text.includes('\u0000');
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

/** What the configuration lacks, a line for each set of variables, with how many clauses that costs. */
function notJudged(results: Results, screen: Terminal): string[] {
  const clauses = undecidedClauses(results).filter(({ verdict }) => verdict === 'not judged');
  if (clauses.length === 0) return [];
  const { lacking, others } = byLacks(clauses);
  const titles = lacking.map(({ lacks }) => lacks.map(({ variable }) => variable).join(' + '));
  const countWidth = Math.max(
    ...lacking.map((group) => `→ ${counted(group.clauses.length, 'clause')}`.length),
  );
  const column = Math.min(40, Math.max(0, ...titles.map(({ length }) => length)));
  const rows = [
    ...lacking.map(({ lacks, clauses: some }, index) => {
      const wrong = lacks.flatMap(({ variable, unusable = [] }) =>
        unusableText(variable, unusable),
      );
      const why = wrong.length > 0 ? wrong.join('; ') : lacks.map(({ what }) => what).join('; ');
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
    ...(lacking.every(({ lacks }) => lacks.some(({ unusable }) => unusable))
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
