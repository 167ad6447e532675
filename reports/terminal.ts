import { basename, dirname } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { type Exchange, headerOf } from '../helpers/http/exchange.ts';
import type { ViolationResult } from '../schemas/results.ts';
import {
  type Block,
  type Code,
  type Line,
  notesOf,
  type Report,
  type Row,
  type Section,
  sectionsOn,
  type Tone,
  titleOf,
} from './blocks.ts';
import { shellQuoted } from './commands.ts';
import { kindOf } from './differences.ts';
import { answerLine, readableQuery } from './exchange-text.ts';
import { groupsOf, headlineOf } from './findings.ts';
import { cut, printableLine, shownBeside } from './printable.ts';
import type { ToldFinding } from './run-report.ts';
import type { ToldVerdict } from './verdicts.ts';
import { counted, exchangeNumbers, listed, present } from './wording.ts';

type Style = Parameters<typeof styleText>[0];

export type Terminal = ReturnType<typeof terminal>;

/** How text is put on a terminal: in colour or not, and how wide. @param width columns */
export function terminal({ color, width }: { color: boolean; width: number }) {
  return {
    width,
    paint(style: Style, text: string): string {
      return color ? styleText(style, text, { validateStream: false }) : text;
    },
    /** Lines of at most the terminal's width, broken at spaces. A longer word stays whole, so that it can be copied. */
    wrap(text: string, first: string, following = first): string[] {
      const lines: string[] = [];
      let line = first;
      for (const [index, word] of text.split(' ').entries()) {
        // A word that is too long for any line stays on this one.
        const fitsBelow = visibleLength(following + word) <= width;
        if (index > 0 && fitsBelow && visibleLength(`${line} ${word}`) > width) {
          lines.push(line);
          line = following + word;
        } else line += index === 0 ? word : ` ${word}`;
      }
      return [...lines, line];
    },
  };
}

/**
 * Text of a target on one line, without what a terminal or a pipeline would carry out: pipelines read `::name::` at the
 * start of a line, and `##[name]` anywhere, as commands.
 */
function safe(text: string): string {
  return printableLine(text).replaceAll('::', ':\\u003a').replaceAll('##[', '#\\u0023[');
}

function safeValue(text: string): string {
  return cut(safe(text), max.short);
}

/** The files that were written, a folder a line: the first one with its path, the others by name. */
export function fileLines(files: readonly string[], { wrap }: Terminal): string[] {
  const folders = [...new Set(files.map(dirname))];
  return folders.flatMap((folder, index) => {
    const [first = '', ...others] = files.filter((file) => dirname(file) === folder);
    const names = [first, ...others.map((file) => basename(file))];
    const title = (index === 0 ? 'Reports' : '').padEnd(12);
    return wrap(listed(names, max.files), title, ' '.repeat(12));
  });
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  ids: 20,
  value: 600,
  /** Characters of what was expected, came or was sent. */
  short: 240,
  items: 20,
  /** Names of files of a folder. */
  files: 12,
  findings: 12,
  clauses: 4,
  hidden: 8,
  stackLines: 8,
  /** Characters of a request, which may name all filters of an export, and of its answer. */
  request: 700,
  /** Characters of the first line of a body that even a narrow terminal shows. */
  body: 40,
  /** Parameters in which a compared request is shown by these alone. */
  differing: 3,
};

export interface TerminalOptions {
  readonly color: boolean;
  readonly width: number;
  /** Paths of the files that were written; they are named before what is urgent, and after everything else. */
  readonly files?: readonly string[];
  /** `quiet`: the result on one line. `verbose`: appendices too, and lists in full. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

/** `items`: how many items of a list are shown; the rest is counted. */
type Screen = Terminal & { readonly items: number };

/** A report on a terminal. Ends with a line feed. */
export function renderOnTerminal(report: Report, options: TerminalOptions): string {
  const { title, of = '', tone, sentence, facts, endsWithResult = false } = report;
  const { files = [], detail = 'normal' } = options;
  // A run shows the most important only; any other report is asked for by somebody who wants all of it.
  const items = endsWithResult && detail !== 'verbose' ? max.items : Number.POSITIVE_INFINITY;
  const screen = { ...terminal(options), items };
  const head = sentence === undefined ? title : `${title.toUpperCase()}${of}  ${sentence}`;
  const result = screen.paint(styleOf(tone), cut(safe(head), max.value));
  if (detail === 'quiet') return `${result}\n`;
  const sections = sectionsOn('terminal', report);
  const shown = sections.filter((one) => detail === 'verbose' || one.isAppendix !== true);
  const nameWidth = Math.max(...facts.map(([name]) => name.length)) + 2;
  const blocks = [
    screen.wrap(safe(head), '').map((line) => screen.paint(styleOf(tone), line)),
    facts.flatMap(([name, line]) =>
      namedLines(`  ${name.padEnd(nameWidth)}`, [painted(line, screen)], screen),
    ),
    ...shown.filter(({ isLast }) => !isLast).map((one) => sectionLines(one, screen)),
    fileLines(files, screen),
    ...(endsWithResult ? shown.map(({ block }) => headlines(block, screen)) : []),
    ...shown.filter(({ isLast }) => isLast).map((one) => sectionLines(one, screen)),
    endsWithResult ? [result] : [],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function sectionLines(section: Section, screen: Screen): string[] {
  const { tone, intro, block } = section;
  return [
    screen.paint(styleOf(tone), safe(titleOf(section))),
    ...(intro === undefined ? [] : screen.wrap(painted(intro, screen), '  ')),
    ...(intro !== undefined && block?.kind === 'list' ? [''] : []),
    ...(block === undefined ? [] : blockLines(block, screen)),
  ];
}

function blockLines(block: Block, screen: Screen): string[] {
  switch (block.kind) {
    case 'list': {
      const hidden = block.items.length - screen.items;
      return [
        ...block.items.slice(0, screen.items).flatMap((lines) => itemLines(lines, screen)),
        ...(hidden > 0 ? [`  and ${hidden} more`] : []),
      ];
    }
    case 'table':
      return block.rows.flatMap((row) => recordLines(block.columns, row, screen));
    case 'code':
      return block.items.flatMap((code) => codeLines(code, screen));
    case 'findings':
      return findingsLines(block.items, screen);
  }
}

function itemLines([first = [], ...more]: readonly Line[], screen: Screen): string[] {
  return [
    ...screen.wrap(painted(first, screen), '  ', '    '),
    ...more.flatMap((line) => screen.wrap(painted(line, screen), '    ')),
  ];
}

/** A command on a line of its own, to be copied; or the first lines of a stack, with its caption below. */
function codeLines({ caption, text, isCommand }: Code, screen: Screen): string[] {
  if (isCommand) return [`  ${safe(text)}`];
  const lines = text.split('\n').slice(0, max.stackLines);
  return [
    '',
    ...lines.map((line) => `  ${cut(safe(line), max.value)}`),
    ...screen.wrap(painted(caption, screen), '    '),
  ];
}

/** A row of a table as a record, for columns seldom fit side by side: its first cell, then the others by name. */
function recordLines(
  [, ...columns]: readonly string[],
  [[first = [], ...more] = [], ...cells]: Row,
  screen: Screen,
): string[] {
  const width = Math.max(...columns.map(({ length }) => length)) + 2;
  return [
    '',
    ...screen.wrap(screen.paint('bold', painted(first, screen)), '  '),
    ...more.flatMap((line) => screen.wrap(painted(line, screen), '  ')),
    ...cells.flatMap((lines, column) => {
      const texts = lines.map((line) => painted(line, screen));
      return namedLines(`    ${(columns[column] ?? '').padEnd(width)}`, texts, screen);
    }),
  ];
}

function namedLines(name: string, texts: readonly string[], { wrap }: Screen): string[] {
  const space = ' '.repeat(name.length);
  return texts.flatMap((text, index) => wrap(text, index === 0 ? name : space, space));
}

const findingIndent = ' '.repeat(6);

function findingsLines(findings: readonly ToldFinding[], screen: Screen): string[] {
  const hidden = findings.slice(max.findings);
  const rest = hidden.flatMap(({ clauses }) => clauses.map(({ id }) => id));
  const text = `and ${counted(hidden.length, 'more finding')}, about ${listed(rest, max.hidden)}`;
  return [
    ...findings.slice(0, max.findings).flatMap((one) => ['', ...findingLines(one, screen)]),
    ...(hidden.length === 0 ? [] : ['', ...screen.wrap(text, '  ')]),
  ];
}

/** What somebody sees who looks only at the end of a run: each headline, other ways, and the command to send its requests. */
function headlines(block: Block | undefined, screen: Screen): string[] {
  if (block?.kind !== 'findings') return [];
  const hidden = block.items.length - max.findings;
  return [
    ...block.items.slice(0, max.findings).flatMap((finding) => {
      const { also, requests: { path, writesTo } = {} } = finding;
      const note = writesTo === undefined ? '' : '  (it writes to a task)';
      const command = path && `${findingIndent}bash ${shellQuoted(path)}${note}`;
      return present(
        ...numberedHeadline(finding, screen),
        ...(also.length === 0 ? [] : screen.wrap(`also: ${safe(also.join('; '))}`, findingIndent)),
        command && screen.paint('dim', command),
      );
    }),
    ...(hidden > 0 ? [`${findingIndent}and ${counted(hidden, 'more finding')}`] : []),
  ];
}

function numberedHeadline(finding: ToldFinding, { paint, wrap }: Screen): string[] {
  const text = `${safe(finding.headline)}${notesOf(finding)}`;
  return wrap(text, `  ${paint('red', `✗ ${finding.number}`)} `, findingIndent);
}

function findingLines(finding: ToldFinding, screen: Screen): string[] {
  const { paint } = screen;
  const { clauses, also, requests } = finding;
  const { expected, actual } = shownBeside(finding.expected, finding.actual, max.short);
  const ids = clauses.map(({ id, level }) => `${paint('red', id)} (${level})`);
  const note =
    requests?.writesTo === undefined
      ? ''
      : ` (writes to task ${safeValue(requests.writesTo)}, then assigns it as it was)`;
  // A row for each text; the first of several has the name.
  const rows: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['expected', [safe(expected)]],
    ['actual', [safe(actual)]],
    ...exchangeRows(finding, screen.width),
    ['also', also.length === 0 ? [] : [safe(also.join('; '))]],
    [clauses.length === 1 ? 'clause' : 'clauses', [listed(ids, max.clauses)]],
    ['see it', requests?.path === undefined ? [] : [`bash ${shellQuoted(requests.path)}${note}`]],
  ];
  return [
    ...numberedHeadline(finding, screen).map((line) => paint('bold', line)),
    ...rows.flatMap(([name, texts]) =>
      namedLines(`${findingIndent}${name.padEnd(10)}`, texts, screen),
    ),
  ];
}

function exchangeRows(
  { on, exchanges, violations: [{ difference }] }: ToldFinding,
  width: number,
): [name: string, texts: string[]][] {
  const [exchange, compared] = exchanges;
  if (exchange === undefined) return on.length === 0 ? [] : [['exchange', [exchangeNumbers(on)]]];
  const { body } = exchange.request;
  const version = headerOf(exchange.request, 'if-match');
  const condition = version === undefined ? 'no If-Match' : `If-Match: ${version}`;
  const bodyLength = Math.max(max.body, width - 40);
  const others = on.slice(2, 6).map((number) => `, #${number}`);
  const { field } = kindOf(difference).telling?.(difference) ?? {};
  return [
    ['request', [requestText(exchange)]],
    // Of JSON that was sent, a line may be broken before each field.
    ['sent', body === undefined ? [] : [safe(condition), safeValue(body.replaceAll(',"', ', "'))]],
    ['answer', [cut(safe(answerLine(exchange, bodyLength, field)), max.request)]],
    [
      'see also',
      compared === undefined ? [] : [`${comparedText(compared, exchange)}${others.join('')}`],
    ],
  ];
}

function requestText({ number, request }: Exchange): string {
  const { pathname, search } = new URL(request.url);
  const text = `${request.method} ${pathname}${readableQuery(search)}`;
  return `#${number} ${cut(safe(text), max.request)}`;
}

/** A request that the one to blame is compared with: “#7 the same without locale=en”, or whole where more differs. */
function comparedText(compared: Exchange, shown: Exchange): string {
  const [url, shownUrl] = [new URL(compared.request.url), new URL(shown.request.url)];
  const without = (one: URL, other: URL) =>
    [...one.searchParams].filter(([name, value]) => !other.searchParams.has(name, value));
  const [added, removed] = [without(url, shownUrl), without(shownUrl, url)];
  const count = added.length + removed.length;
  const isSamePath =
    compared.request.method === shown.request.method && url.pathname === shownUrl.pathname;
  if (!isSamePath || count === 0 || count > max.differing) return requestText(compared);
  // A parameter with another value is named once.
  const missing = removed.filter(([name]) => added.every(([other]) => other !== name));
  const texts = (pairs: readonly [string, string][]) =>
    pairs.map((pair) => pair.join('=')).join(', ');
  const parts = present(
    missing.length > 0 && `without ${texts(missing)}`,
    added.length > 0 && `with ${texts(added)}`,
  );
  return `#${compared.number} the same ${cut(safe(parts.join(', ')), max.request)}`;
}

function painted(line: Line, { paint }: Terminal): string {
  const texts = line.map((span) => {
    if (typeof span === 'string') return safe(span);
    if ('verdict' in span) return paint(styleOf(tones[span.verdict] ?? 'undecided'), span.verdict);
    if ('link' in span) return safe(span.link);
    if ('value' in span) return cut(safe(span.value), max.value);
    const { clauses, counted: isCounted } = span;
    return isCounted ? counted(clauses.length, 'clause') : safe(listed(clauses, max.ids));
  });
  return texts.join('');
}

function styleOf(tone: Tone | undefined): Style {
  const colors = { good: 'green', bad: 'red', undecided: 'yellow', failure: 'magenta' } as const;
  return tone === undefined ? 'bold' : ['bold', colors[tone]];
}

const tones: { readonly [Verdict in ToldVerdict]?: Tone } = {
  upheld: 'good',
  violated: 'bad',
  error: 'failure',
};

interface ProgressState {
  readonly finished: number;
  readonly total: number;
  readonly requests: number;
  /** Those that were answered with 429. */
  readonly throttled: number;
  /** The scenario that has been running longest. */
  readonly current: string;
  /** What has been found violated since the state before. */
  readonly violations: readonly ViolationResult[];
}

const intervals = { terminal: 50, log: 10_000 };

/**
 * Shows how far a run is: one line that renews itself on a terminal, and elsewhere a plain line now and then,
 * so that a log neither floods nor looks dead. What is found violated is a line that stays, once for each finding.
 * @param stream where it is written, for example `process.stderr`
 * @param options `width`: columns of the terminal; `now`: a clock in milliseconds
 */
export function createProgress(
  stream: { write(text: string): unknown },
  { isTTY, width = 80, now }: { isTTY: boolean; width?: number; now: () => number },
) {
  const interval = isTTY ? intervals.terminal : intervals.log;
  let last = isTTY ? Number.NEGATIVE_INFINITY : now();
  let shown = false;
  let found: readonly ViolationResult[] = [];
  const clear = (): void => {
    if (isTTY && shown) stream.write('\r\u001b[K');
  };
  return {
    update(state: ProgressState): void {
      const before = found;
      if (state.violations.length > 0) found = [...before, ...state.violations];
      const groups = found === before ? [] : groupsOf(found);
      // A group with an earlier violation is a finding that stands there already.
      for (const group of groups.filter((one) => !one.some((member) => before.includes(member)))) {
        clear();
        stream.write(`  ✗ ${safeValue(headlineOf({ violations: group }))}\n`);
        // The line of progress is to stand below.
        if (isTTY) last = Number.NEGATIVE_INFINITY;
      }
      if (now() - last < interval) return;
      last = now();
      const line = progressLine(state, isTTY ? width - 1 : Number.POSITIVE_INFINITY);
      stream.write(isTTY ? `\r${line}\u001b[K` : `${line}\n`);
      shown = true;
    },
    /** Takes the line away from a terminal. */
    done: clear,
  };
}

/** “[3/90] name of a scenario … 120 requests, 7 answered 429”, the name cut so that the line fits the width. */
function progressLine(
  { finished, total, requests, throttled, current }: ProgressState,
  width: number,
): string {
  const start = `[${finished}/${total}] `;
  const tooMany = throttled > 0 ? `, ${throttled} answered 429: set MAX_REQUESTS_PER_SECOND` : '';
  const end = ` … ${counted(requests, 'request')}${tooMany}`;
  const room = width - start.length - end.length;
  const name = printableLine(current);
  return start + (name.length <= room ? name : name.slice(0, Math.max(0, room - 1))) + end;
}
