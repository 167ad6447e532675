import { type Comparison, nothingMoved, type Turn } from './compare.ts';
import { codeSpan, plain } from './markdown-text.ts';
import { cut, printableLine } from './printable.ts';
import { type Style, terminal, uncommanding } from './terminal.ts';
import { instant, targetName, whatWasDone } from './wording.ts';

const valueLength = 160;

/** What changed from one run to another, on a terminal. Ends with a line feed. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly color: boolean; readonly width: number },
): string {
  const { paint, wrap } = terminal(options);
  const { before, after, turned, newViolations, goneViolations, moved } = comparison;
  const value = (text: string): string => cut(uncommanding(printableLine(text)), valueLength);
  const block = (title: string, style: Style, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [
          '',
          paint(style, `${title} (${lines.length})`),
          ...lines.flatMap((line) => wrap(line, '  ', '    ')),
        ];
  return [
    paint('bold', nothingMoved(comparison) ? 'Nothing changed' : 'What changed'),
    ...wrap(
      value(`${instant(before.startedAt)}, ${targetName(before)}: ${before.verdict}`),
      '  before  ',
      ' '.repeat(10),
    ),
    ...wrap(
      value(`${instant(after.startedAt)}, ${targetName(after)}: ${after.verdict}`),
      '  after   ',
      ' '.repeat(10),
    ),
    ...block(
      'New violations',
      ['red', 'bold'],
      newViolations.map(
        (one) => `${one.clause}: ${value(one.scenario)}: ${value(whatWasDone(one))}`,
      ),
    ),
    ...block(
      'Violations that are gone',
      ['green', 'bold'],
      goneViolations.map((one) => `${one.clause}: ${value(one.scenario)}`),
    ),
    ...block(
      'Clauses that turned',
      'bold',
      turned.map(
        ({ clause, before: was, after: is }) =>
          `${clause.id}: ${verdictWord(was)} -> ${verdictWord(is)}`,
      ),
    ),
    ...block(
      'Observations that moved',
      'bold',
      moved.map(
        ({ clause, before: was, after: is }) =>
          `${clause.id}: ${was.map(value).join(' | ')} -> ${is.map(value).join(' | ')}`,
      ),
    ),
    '',
  ].join('\n');
}

/** The same as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { before, after, turned, newViolations, goneViolations, moved } = comparison;
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : ['', `## ${title} (${lines.length})`, '', ...lines.map((line) => `- ${line}`)];
  const values = (observed: readonly string[]): string =>
    observed.map((value) => codeSpan(value, valueLength)).join(' ');
  return [
    `# ${nothingMoved(comparison) ? 'Nothing changed' : 'What changed'}`,
    '',
    `- Before: ${plain(instant(before.startedAt))}, ${codeSpan(before.target.baseUrl)}, ${before.verdict}`,
    `- After: ${plain(instant(after.startedAt))}, ${codeSpan(after.target.baseUrl)}, ${after.verdict}`,
    ...block(
      'New violations',
      newViolations.map(
        (one) => `${codeSpan(one.clause)} ${plain(one.scenario)}: ${codeSpan(whatWasDone(one))}`,
      ),
    ),
    ...block(
      'Violations that are gone',
      goneViolations.map((one) => `${codeSpan(one.clause)} ${plain(one.scenario)}`),
    ),
    ...block('Clauses that turned', turned.map(turnLine)),
    ...block(
      'Observations that moved',
      moved.map(
        ({ clause, before: was, after: is }) =>
          `${codeSpan(clause.id)} from ${values(was)} to ${values(is)}`,
      ),
    ),
    '',
  ].join('\n');
}

function turnLine({ clause, before, after }: Turn): string {
  return `${codeSpan(clause.id)} from ${verdictWord(before)} to ${verdictWord(after)}`;
}

function verdictWord(verdict: Turn['before']): string {
  return verdict === 'none' ? 'not in the catalogue' : verdict;
}
