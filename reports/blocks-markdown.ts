import type { Line, Report, Row, Section, Span } from './blocks.ts';
import { codeCell, codeSpan, plain } from './markdown-text.ts';

const maxIds = 20;
const maxValueLength = 600;

/** A report as Markdown. Ends with a line feed. */
export function renderAsMarkdown({ kind, title, sentence, facts, sections }: Report): string {
  return [
    `# ${kind}: ${title}`,
    '',
    ...(sentence === undefined ? [] : [plain(sentence), '']),
    ...facts.map(([name, line]) => `- ${plain(name)}: ${text(line, codeSpan)}`),
    ...sections.flatMap((one) => ['', ...section(one)]),
    '',
  ].join('\n');
}

function section({ title, count, block, isAppendix = false }: Section): string[] {
  const content = linesOf(block);
  return isAppendix
    ? ['<details>', `<summary>${title} (${count})</summary>`, '', ...content, '', '</details>']
    : [`## ${title} (${count})`, '', ...content];
}

function linesOf(block: Section['block']): string[] {
  switch (block.kind) {
    case 'paragraph':
      return [text(block.line, codeSpan)];
    case 'list':
      return block.items.map((lines) => `- ${joined(lines, codeSpan)}`);
    case 'table':
      return [
        row(block.columns.map((name) => [[name]])),
        row(block.columns.map(() => [['---']])),
        ...block.rows.map(row),
      ];
  }
}

function row(cells: Row): string {
  return `| ${cells.map((lines) => joined(lines, codeCell)).join(' | ')} |`;
}

function joined(lines: readonly Line[], code: typeof codeSpan): string {
  return lines.map((line) => text(line, code)).join('<br>');
}

function text(line: Line, code: typeof codeSpan): string {
  return line.map((span) => spanText(span, code)).join('');
}

function spanText(span: Span, code: typeof codeSpan): string {
  if (typeof span === 'string') return plain(span);
  if ('clause' in span) return code(span.clause);
  if ('verdict' in span) return span.verdict === 'violated' ? '**violated**' : span.verdict;
  if ('value' in span) return code(span.value, maxValueLength);
  const hidden = span.clauses.length - maxIds;
  const shown = span.clauses.slice(0, maxIds).map((id) => code(id));
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}
