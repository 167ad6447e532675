import type { Clause } from '../../schemas/clause.ts';
import { clauseIds, clauseOf } from '../../schemas/clauses.ts';

/** What the document says under these headings, as Markdown: what holds, then what it leaves open. */
export function statementsOf(headings: readonly string[]): string {
  const said = clauseIds.map(clauseOf).filter(({ section }) => headings.includes(section));
  const isOpen = ({ level }: Clause): boolean => level === 'open';
  return [
    ...bullets(said.filter((clause) => !isOpen(clause))),
    '',
    'Left open:',
    '',
    ...bullets(said.filter(isOpen)),
  ].join('\n');
}

function bullets(some: readonly Clause[]): string[] {
  return some.map(({ text }) => `- ${text}`);
}
