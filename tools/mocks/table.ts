import { countByVerdict, violatedClauses } from '../../reports/grouping.ts';
import { codeCell, plain } from '../../reports/markdown-text.ts';
import { textsOf } from '../../reports/wording.ts';
import type { Results } from '../../schemas/results.ts';

/** A mock, and what a run against it found. */
export interface JudgedMock {
  readonly name: string;
  /** Of the tool that made it. */
  readonly version: string;
  readonly results: Results;
}

const shown = ['violated', 'upheld', 'inconclusive', 'not judged'] as const;

/** How much of an expected or actual value is shown, in characters. */
const valueLength = 60;

/** Two tables in Markdown: what became of the clauses, and which sections of the document are violated. */
export function renderTable(judged: readonly JudgedMock[]): string {
  return [
    row(['mock', 'version', ...shown]),
    row(['---', '---', ...shown.map(() => '--:')]),
    ...judged.map(({ name, version, results }) => {
      const counts = countByVerdict(results.clauses);
      return row([name, version, ...shown.map((verdict) => `${counts[verdict]}`)]);
    }),
    '',
    row(['violated', ...judged.map(({ name }) => name), 'for example']),
    row(['---', ...judged.map(() => '--:'), '---']),
    ...sections(judged).map((section) =>
      row([
        section,
        ...judged.map(({ results }) => `${violatedIn(section, results).length || ''}`),
        example(section, judged),
      ]),
    ),
    '',
  ].join('\n');
}

/** The sections of which any mock violates a clause, in the order of the document. */
function sections(judged: readonly JudgedMock[]): string[] {
  const [first] = judged;
  const all = new Set(first?.results.clauses.map(({ section }) => section));
  return [...all].filter((section) =>
    judged.some(({ results }) => violatedIn(section, results).length > 0),
  );
}

function violatedIn(section: string, results: Results) {
  return violatedClauses(results).filter(({ clause }) => clause.section === section);
}

/** One violation of the section, in the words of its verdict: of the first mock that has any. */
function example(section: string, judged: readonly JudgedMock[]): string {
  const [violation] = judged
    .flatMap(({ results }) => violatedIn(section, results))
    .flatMap(({ violations }) => violations);
  if (violation === undefined) return '';
  const { done, expected, actual } = textsOf(violation);
  const value = (text: string): string => codeCell(text, valueLength);
  return `${plain(done)}: expected ${value(expected)}, got ${value(actual)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * A text with the part between two markers replaced.
 * @throws Error where it lacks a marker
 */
export function between(text: string, marker: string, part: string): string {
  const [start, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`There is no ${start} … ${end}.`);
  return `${text.slice(0, from + start.length)}\n\n${part.trim()}\n\n${text.slice(to)}`;
}
