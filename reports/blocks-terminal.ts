import type { Line, Report, Row, Section, Span, Tone } from './blocks.ts';
import { cut, printableLine } from './printable.ts';
import { fileLines, terminal, toneStyles, uncommanding } from './terminal.ts';
import { listed } from './wording.ts';

const maxIds = 20;
const maxValueLength = 600;

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Paths of the files that were written; they are told last. */
  readonly files?: readonly string[];
}

/** A report on a terminal. Ends with a line feed. */
export function renderOnTerminal(report: Report, options: TerminalOptions): string {
  const screen = terminal(options);
  const { paint, wrap } = screen;
  const { files = [] } = options;
  const { title, tone, sentence, facts, sections } = report;
  const inTone = (text: string, style: Tone | undefined): string =>
    paint(style === undefined ? 'bold' : toneStyles[style], text);
  const painted = (line: Line): string =>
    line.map((span) => words(span, (verdict) => inTone(verdict, verdictTone(verdict)))).join('');

  const table = (columns: readonly string[], rows: readonly Row[]): string[] => {
    const cells = [columns.map((name) => [[name]]), ...rows];
    const widths = columns.map((_, column) =>
      Math.max(...cells.map((row) => lengthOf(row[column]))),
    );
    const isNarrow = rows.every((row) => row.every((cell) => cell.length === 1));
    const total = widths.reduce((sum, width) => sum + width + 2, 0);
    if (!isNarrow || total > options.width) return rows.flatMap((row) => record(columns, row));
    return cells.map((row, index) => {
      const texts = row.map(([line = []], column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - plainText(line).length);
        return `${index === 0 ? paint('bold', plainText(line)) : painted(line)}${padding}`;
      });
      return `  ${texts.join('  ')}`.trimEnd();
    });
  };
  /** A row that is too wide for a line: what it is about, then its cells by the names of their columns. */
  const record = ([, ...columns]: readonly string[], [head = [], ...cells]: Row): string[] => {
    const width = Math.max(...columns.map(({ length }) => length)) + 2;
    const [first = [], ...more] = head;
    return [
      '',
      ...wrap(paint('bold', plainText(first)), '  '),
      ...more.flatMap((line) => wrap(painted(line), '  ')),
      ...cells.flatMap((lines, column) =>
        lines.flatMap((line, index) => {
          const name = index === 0 ? (columns[column] ?? '') : '';
          return wrap(painted(line), `    ${name.padEnd(width)}`, ' '.repeat(width + 4));
        }),
      ),
    ];
  };
  const listItem = (lines: readonly Line[]): string[] =>
    lines.flatMap((line, index) => wrap(painted(line), index === 0 ? '  ' : '    ', '    '));
  const section = ({ title, count, tone, block }: Section): string[] => {
    const head = ['', inTone(`${title} (${count})`, tone)];
    switch (block.kind) {
      case 'paragraph':
        return [...head, ...wrap(painted(block.line), '  ')];
      case 'list':
        return [...head, ...block.items.flatMap(listItem)];
      case 'table':
        return [...head, ...table(block.columns, block.rows)];
    }
  };

  const head = sentence === undefined ? title : `${title.toUpperCase()}  ${sentence}`;
  const names = Math.max(...facts.map(([name]) => name.length)) + 2;
  return [
    ...wrap(plainText([head]), '').map((line) => inTone(line, tone)),
    '',
    ...facts.flatMap(([name, line]) =>
      wrap(painted(line), `  ${name.padEnd(names)}`, ' '.repeat(names + 2)),
    ),
    ...sections.filter(({ isAppendix = false }) => !isAppendix).flatMap(section),
    ...(files.length === 0 ? [] : ['', ...fileLines(files, screen)]),
    '',
  ].join('\n');
}

function lengthOf(cell: readonly Line[] = []): number {
  return Math.max(0, ...cell.map((line) => plainText(line).length));
}

function plainText(line: Line): string {
  return line.map((span) => words(span, (verdict) => verdict)).join('');
}

function words(span: Span, verdictWords: (verdict: string) => string): string {
  if (typeof span === 'string') return uncommanding(printableLine(span));
  if ('clause' in span) return uncommanding(printableLine(span.clause));
  if ('clauses' in span) return uncommanding(printableLine(listed(span.clauses, maxIds)));
  if ('verdict' in span) return verdictWords(span.verdict);
  return uncommanding(cut(printableLine(span.value), maxValueLength));
}

function verdictTone(verdict: string): Tone {
  if (verdict === 'violated') return 'bad';
  if (verdict === 'error') return 'failure';
  return verdict === 'upheld' ? 'good' : 'undecided';
}
