import type { ClauseResult } from '../../schemas/results.ts';
import { hasReason, type ToldVerdict, toldVerdict, upheldInPart } from '../grouping.ts';
import type { WaiverReview } from '../waivers.ts';
import { html, type Markup } from './markup.ts';

export type ShownVerdict = ToldVerdict | 'waived' | 'left out';

/** What the page calls the verdict of a clause. */
export function shownVerdict(clause: ClauseResult, { waivedClauses }: WaiverReview): ShownVerdict {
  if (clause.verdict === 'violated' && waivedClauses.has(clause.id)) return 'waived';
  return hasReason(clause, 'left out') ? 'left out' : toldVerdict(clause);
}

/**
 * The sign of each verdict, for verdicts are never told apart by colour alone, and what it means, for people who see the
 * page for the first time; in the order in which the page lists them.
 */
const verdicts: Readonly<Record<ShownVerdict, readonly [sign: string, meaning: string]>> = {
  upheld: ['✓', 'What was seen agrees with the clause.'],
  [upheldInPart]: [
    '◐',
    'What was seen agrees with the clause; a part of it could not be judged for want of configuration.',
  ],
  violated: ['✗', 'The target broke the clause; the exchanges that show it are in the evidence.'],
  waived: ['⚑', 'Violated, and accepted until a date by somebody who is named.'],
  error: ['!', 'The suite itself failed; this says nothing about the target.'],
  inconclusive: [
    '?',
    'What came back does not decide the clause: timeouts, server errors, or a change by somebody else.',
  ],
  'not judged': ['–', 'Something that is needed to judge it is missing; the reason says what.'],
  'left out': ['/', 'Not to be judged: left out on purpose, by EXCEPT.'],
  observed: [
    '◦',
    'The document leaves it open; what the target does is recorded, and never wrong.',
  ],
  untestable: ['∅', 'No request can show it; the reason says why.'],
};

/** All verdicts, in the order in which the page lists them. The cast restores the type that Object.keys forgets. */
export const shownVerdicts = Object.keys(verdicts) as readonly ShownVerdict[];

export function meaningOf(verdict: ShownVerdict): string {
  return verdicts[verdict][1];
}

/** The CSS class of a verdict. */
export function verdictClass(verdict: ShownVerdict): string {
  return verdict.replaceAll(' ', '-');
}

export function badge(verdict: ShownVerdict): Markup {
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${verdicts[verdict][0]}</span> ${verdict}</span>`;
}

/** A verdict as a mark of one character, for a row of recent runs. */
export function mark(verdict: ShownVerdict): Markup {
  return html`<span class="mark ${verdictClass(verdict)}" aria-hidden="true">${verdicts[verdict][0]}</span>`;
}
