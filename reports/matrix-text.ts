import { clauseVerdicts } from '../schemas/results.ts';
import { factsOf } from './facts.ts';
import { codeCell, codeSpan, plain } from './markdown-text.ts';
import type { Matrix, MatrixRow } from './matrix.ts';
import { cut, printableLine } from './printable.ts';
import { type Style, terminal, uncommanding } from './terminal.ts';
import { counted, instant, targetName } from './wording.ts';

const valueLength = 160;

/** Runs side by side, on a terminal. Ends with a line feed. */
export function renderMatrix(
  matrix: Matrix,
  options: { readonly color: boolean; readonly width: number },
): string {
  const { paint, wrap } = terminal(options);
  const { runs, rows, notable, observedApart } = matrix;
  const value = (text: string): string => cut(uncommanding(printableLine(text)), valueLength);
  const legend = runs.flatMap(({ letter, file, results }) => {
    const facts = `${file}: ${instant(results.startedAt)}, ${targetName(results)}: ${results.verdict}`;
    return wrap(value(facts), `  ${letter.padEnd(4)}`, ' '.repeat(6));
  });
  const titles = runs.map(({ letter }) => letter);
  const widths = titles.map((_, column) =>
    Math.max(...notable.map(({ cells }) => wordOf(cells[column]).length), 1),
  );
  const first = Math.max(...notable.map(({ clause }) => clause.id.length)) + 2;
  const line = (title: string, cells: readonly string[], style: (cell: string) => Style): string =>
    `  ${title.padEnd(first)}${cells
      .map((cell, column) => paint(style(cell), cell.padEnd(widths[column] ?? 0)))
      .join('  ')}`.trimEnd();
  const table = [
    line('', titles, () => 'bold'),
    ...notable.map(({ clause, cells }) => line(clause.id, cells.map(wordOf), styleOf)),
  ];
  const apart = observedApart.flatMap(({ clause, cells }) => [
    `  ${clause.id}`,
    ...cells.flatMap((cell, column) =>
      wrap(
        seen(cell).map(value).join(' | '),
        `    ${(titles[column] ?? '').padEnd(4)}`,
        ' '.repeat(8),
      ),
    ),
  ]);
  return [
    paint('bold', `${counted(runs.length, 'run')} side by side`),
    ...legend,
    ...(notable.length === 0
      ? []
      : ['', paint('bold', `Verdicts that differ, or violated (${notable.length})`), ...table]),
    ...(apart.length === 0
      ? []
      : ['', paint('bold', `Observations that differ (${observedApart.length})`), ...apart]),
    '',
    ...wrap(sameEverywhere(matrix, rows.length - notable.length), ''),
    '',
  ].join('\n');
}

/** The same as Markdown: what differs, and all the rest folded away. */
export function renderMatrixMarkdown(matrix: Matrix): string {
  const { runs, rows, notable, observedApart } = matrix;
  const head = (title: string): string[] => [
    `| ${title} | ${runs.map(({ letter }) => letter).join(' | ')} |`,
    `| --- |${' --- |'.repeat(runs.length)}`,
  ];
  const verdicts = ({ clause, cells }: MatrixRow): string =>
    `| ${codeCell(clause.id)} | ${cells.map((cell) => markdownWord(wordOf(cell))).join(' | ')} |`;
  const observed = ({ clause, cells }: MatrixRow): string =>
    `| ${codeCell(clause.id)} | ${cells
      .map((cell) =>
        seen(cell)
          .map((text) => codeCell(text, valueLength))
          .join(' '),
      )
      .join(' | ')} |`;
  const block = (title: string, column: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title} (${lines.length})`, '', ...head(column), ...lines, ''];
  return [
    `# ${counted(runs.length, 'run')} side by side`,
    '',
    ...runs.map(
      ({ letter, file, results }) =>
        `- ${letter}: ${codeSpan(file)}, ${plain(instant(results.startedAt))}, ${codeSpan(results.target.baseUrl)}: ${results.verdict}`,
    ),
    '',
    ...block('Verdicts that differ, or violated', 'Clause', notable.map(verdicts)),
    ...block('Observations that differ', 'Clause', observedApart.map(observed)),
    sameEverywhere(matrix, rows.length - notable.length),
    '',
    '<details>',
    `<summary>All clauses (${rows.length})</summary>`,
    '',
    ...head('Clause'),
    ...rows.map(verdicts),
    '',
    '</details>',
    '',
  ].join('\n');
}

/** How many clauses are not told one by one, and their verdicts. */
export function sameEverywhere({ rows, notable }: Matrix, count: number): string {
  if (count === 0) return 'No clause has the same verdict everywhere.';
  const rest = rows.filter((row) => !notable.includes(row));
  const verdicts = clauseVerdicts.flatMap((verdict) => {
    const having = rest.filter(({ cells }) => cells.some((cell) => cell?.verdict === verdict));
    return having.length === 0 ? [] : [`${having.length} ${verdict}`];
  });
  return `The same verdict everywhere: ${counted(count, 'clause')} (${verdicts.join(', ')}).`;
}

/** The verdict of a clause in a run. */
export function wordOf(cell: MatrixRow['cells'][number]): string {
  return cell?.verdict ?? 'not in the catalogue';
}

/** What was observed of a clause in a run, or its verdict where nothing was. */
export function seen(cell: MatrixRow['cells'][number]): readonly string[] {
  return cell?.verdict === 'observed' ? factsOf(cell) : [wordOf(cell)];
}

function styleOf(verdict: string): Style {
  if (verdict === 'violated') return 'red';
  return verdict === 'upheld' ? 'green' : 'yellow';
}

function markdownWord(verdict: string): string {
  return verdict === 'violated' ? `**${verdict}**` : verdict;
}
