import type { ViolationResult } from '../schemas/results.ts';
import { type Comparison, nothingMoved, type Turn, turnGroups } from './compare.ts';
import { factsOf } from './facts.ts';
import { byClause } from './grouping.ts';
import { codeSpan, plain } from './markdown-text.ts';
import { cut, printableLine } from './printable.ts';
import { type Style, terminal, uncommanding } from './terminal.ts';
import { andInMore, instant, listed, targetName, whatWasDone } from './wording.ts';

const valueLength = 160;
const shownIds = 20;

/** What changed from one run to another, on a terminal. Ends with a line feed. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly color: boolean; readonly width: number },
): string {
  const { paint, wrap } = terminal(options);
  const { before, after, turned, newViolations, goneViolations, moved } = comparison;
  const value = (text: string): string => cut(uncommanding(printableLine(text)), valueLength);
  const values = (id: string, observed: readonly unknown[]): string =>
    factsOf({ id, observed: [...observed] })
      .map(value)
      .join(' | ');
  const run = (results: Comparison['before'], title: string): string[] => {
    const what = `${instant(results.startedAt)}, ${targetName(results)}: ${results.verdict}`;
    return wrap(value(what), `  ${title.padEnd(8)}`, ' '.repeat(10));
  };
  const block = (
    title: string,
    style: Style,
    lines: readonly string[],
    count = lines.length,
  ): string[] => {
    if (lines.length === 0) return [];
    const heading = paint(style, `${title} (${count})`);
    return ['', heading, ...lines.flatMap((line) => wrap(line, '  ', '    '))];
  };
  const violations = (some: readonly ViolationResult[]): string[] =>
    [...byClause(some)].map(
      ([clause, [first, ...more]]) =>
        `${clause}: ${value(first.scenario)}: ${value(whatWasDone(first))}${andInMore(more.length)}`,
    );
  const turns = turnGroups(turned).map(
    ({ before: was, after: is, clauses }) =>
      `${verdictWord(was)} -> ${verdictWord(is)}: ${listed(
        clauses.map(({ id }) => id),
        shownIds,
      )}`,
  );
  const moves = moved.map(
    ({ clause, before: was, after: is }) =>
      `${clause.id}: ${values(clause.id, was)} -> ${values(clause.id, is)}`,
  );
  return [
    paint('bold', nothingMoved(comparison) ? 'Nothing changed' : 'What changed'),
    ...run(before, 'before'),
    ...run(after, 'after'),
    ...block('Clauses with new violations', ['red', 'bold'], violations(newViolations)),
    ...block('Clauses with violations gone', ['green', 'bold'], violations(goneViolations)),
    ...block('Clauses that turned', 'bold', turns, turned.length),
    ...block('Observations that moved', 'bold', moves),
    '',
  ].join('\n');
}

/** The same as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { before, after, turned, newViolations, goneViolations, moved } = comparison;
  const run = (results: Comparison['before'], title: string): string =>
    `- ${title}: ${plain(instant(results.startedAt))}, ${codeSpan(results.target.baseUrl)}, ${results.verdict}`;
  const block = (title: string, lines: readonly string[], count = lines.length): string[] =>
    lines.length === 0
      ? []
      : ['', `## ${title} (${count})`, '', ...lines.map((line) => `- ${line}`)];
  const violations = (some: readonly ViolationResult[]): string[] =>
    [...byClause(some)].map(
      ([clause, [first, ...more]]) =>
        `${codeSpan(clause)} ${plain(first.scenario)}: ${codeSpan(whatWasDone(first))}${andInMore(more.length)}`,
    );
  const values = (id: string, observed: readonly unknown[]): string =>
    factsOf({ id, observed: [...observed] })
      .map((value) => codeSpan(value, valueLength))
      .join(' ');
  const turns = turnGroups(turned).map(
    ({ before: was, after: is, clauses }) =>
      `from ${verdictWord(was)} to ${verdictWord(is)}: ${listed(
        clauses.map(({ id }) => codeSpan(id)),
        shownIds,
      )}`,
  );
  const moves = moved.map(
    ({ clause, before: was, after: is }) =>
      `${codeSpan(clause.id)} from ${values(clause.id, was)} to ${values(clause.id, is)}`,
  );
  return [
    `# ${nothingMoved(comparison) ? 'Nothing changed' : 'What changed'}`,
    '',
    run(before, 'Before'),
    run(after, 'After'),
    ...block('Clauses with new violations', violations(newViolations)),
    ...block('Clauses with violations gone', violations(goneViolations)),
    ...block('Clauses that turned', turns, turned.length),
    ...block('Observations that moved', moves),
    '',
  ].join('\n');
}

function verdictWord(verdict: Turn['before']): string {
  return verdict === 'none' ? 'not in the catalogue' : verdict;
}
