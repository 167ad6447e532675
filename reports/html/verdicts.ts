import type { ClauseVerdict } from '../../schemas/results.ts';
import { html, type Markup } from './markup.ts';

export type ShownVerdict = ClauseVerdict | 'waived';

/** Verdicts are told apart by a sign and a word, never by colour alone. */
const signs: Readonly<Record<ShownVerdict, string>> = {
  upheld: '✓',
  violated: '✗',
  error: '!',
  waived: '⚑',
  inconclusive: '?',
  'not judged': '–',
  observed: '◦',
  untestable: '∅',
};

/** What each verdict means, for people who see the page for the first time. */
export const meanings: Readonly<Record<ShownVerdict, string>> = {
  upheld: 'What was seen agrees with the clause.',
  violated: 'The target broke the clause; the exchanges that show it are in the evidence.',
  waived: 'Violated, and accepted for a while by someone who is named.',
  error: 'The suite itself failed; this says nothing about the target.',
  inconclusive: 'The target could not be heard properly, so the clause could not be decided.',
  'not judged': 'Something to judge it with is missing; the reason says what.',
  observed: 'The document leaves it open; what the target does is noted, and never wrong.',
  untestable: 'No request can show it; the reason says why.',
};

/** The name of a class for a verdict. */
export function verdictClass(verdict: ShownVerdict): string {
  return verdict.replace(' ', '-');
}

export function badge(verdict: ShownVerdict): Markup {
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${signs[verdict]}</span> ${verdict}</span>`;
}

/** A verdict as a mark of one character, for a row of recent runs. */
export function mark(verdict: ShownVerdict): Markup {
  return html`<span class="mark ${verdictClass(verdict)}" aria-hidden="true">${signs[verdict]}</span>`;
}
