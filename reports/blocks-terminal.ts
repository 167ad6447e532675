import type { Line, Report, Row, Section, Span, Tone } from './blocks.ts';
import type { ToldVerdict } from './grouping.ts';
import { cut, printableLine } from './printable.ts';
import {
  fileLines,
  type Style,
  type Terminal,
  terminal,
  toneStyles,
  uncommanding,
} from './terminal.ts';
import { listed } from './wording.ts';

const maxIds = 20;
const maxValueLength = 600;

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Paths of the files that were written; they are named last. */
  readonly files?: readonly string[];
}

/** A report on a terminal. Ends with a line feed. */
export function renderOnTerminal(report: Report, options: TerminalOptions): string {
  const screen = terminal(options);
  const { title, tone, sentence, facts, sections } = report;
  const { files = [] } = options;
  const head = sentence === undefined ? title : `${title.toUpperCase()}  ${sentence}`;
  const names = Math.max(...facts.map(([name]) => name.length)) + 2;
  return [
    ...screen.wrap(plainText([head]), '').map((line) => screen.paint(styleOf(tone), line)),
    '',
    ...facts.flatMap(([name, line]) =>
      screen.wrap(painted(line, screen), `  ${name.padEnd(names)}`, ' '.repeat(names + 2)),
    ),
    ...sections
      .filter(({ isAppendix = false }) => !isAppendix)
      .flatMap((section) => sectionLines(section, screen, options.width)),
    ...(files.length === 0 ? [] : ['', ...fileLines(files, screen)]),
    '',
  ].join('\n');
}

function sectionLines(
  { title, count, tone, block }: Section,
  screen: Terminal,
  width: number,
): string[] {
  const head = ['', screen.paint(styleOf(tone), `${title} (${count})`)];
  switch (block.kind) {
    case 'paragraph':
      return [...head, ...screen.wrap(painted(block.line, screen), '  ')];
    case 'list':
      return [...head, ...block.items.flatMap((lines) => itemLines(lines, screen))];
    case 'table':
      return [...head, ...tableLines(block.columns, block.rows, screen, width)];
  }
}

function itemLines([first = [], ...more]: readonly Line[], screen: Terminal): string[] {
  return [
    ...screen.wrap(painted(first, screen), '  ', '    '),
    ...more.flatMap((line) => screen.wrap(painted(line, screen), '    ')),
  ];
}

/** A table with its columns side by side where they fit, and row by row where they do not. */
function tableLines(
  columns: readonly string[],
  rows: readonly Row[],
  screen: Terminal,
  width: number,
): string[] {
  const all: readonly Row[] = [columns.map((name) => [[name]]), ...rows];
  const widths = columns.map((_, column) =>
    Math.max(...all.flatMap((row) => (row[column] ?? []).map((line) => plainText(line).length))),
  );
  const isFlat = all.every((row) => row.every(({ length }) => length === 1));
  const total = widths.reduce((sum, one) => sum + 2 + one, 0);
  if (!isFlat || total > width) return rows.flatMap((row) => recordLines(columns, row, screen));
  return all.map((row, index) => {
    const cells = row.map(([line = []], column) => {
      const text = plainText(line);
      const padding = ' '.repeat((widths[column] ?? 0) - text.length);
      return (index === 0 ? screen.paint('bold', text) : painted(line, screen)) + padding;
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** A row by itself: what it is about, then its cells by the names of their columns. */
function recordLines(
  [, ...columns]: readonly string[],
  [[first = [], ...more] = [], ...cells]: Row,
  screen: Terminal,
): string[] {
  const width = Math.max(...columns.map(({ length }) => length)) + 2;
  return [
    '',
    ...screen.wrap(screen.paint('bold', plainText(first)), '  '),
    ...more.flatMap((line) => screen.wrap(painted(line, screen), '  ')),
    ...cells.flatMap((lines, column) =>
      lines.flatMap((line, index) => {
        const name = index === 0 ? (columns[column] ?? '') : '';
        const start = `    ${name.padEnd(width)}`;
        return screen.wrap(painted(line, screen), start, ' '.repeat(start.length));
      }),
    ),
  ];
}

function painted(line: Line, { paint }: Terminal): string {
  return line
    .map((span) => {
      const isVerdict = typeof span === 'object' && 'verdict' in span;
      return isVerdict ? paint(styleOf(toneOf(span.verdict)), span.verdict) : spanText(span);
    })
    .join('');
}

function plainText(line: Line): string {
  return line.map(spanText).join('');
}

function spanText(span: Span): string {
  const safe = (text: string): string => uncommanding(printableLine(text));
  if (typeof span === 'string') return safe(span);
  if ('clause' in span) return safe(span.clause);
  if ('clauses' in span) return safe(listed(span.clauses, maxIds));
  if ('verdict' in span) return span.verdict;
  return cut(safe(span.value), maxValueLength);
}

function styleOf(tone: Tone | undefined): Style {
  return tone === undefined ? 'bold' : toneStyles[tone];
}

function toneOf(verdict: ToldVerdict): Tone {
  if (verdict === 'violated') return 'bad';
  if (verdict === 'error') return 'failure';
  return verdict === 'upheld' ? 'good' : 'undecided';
}
