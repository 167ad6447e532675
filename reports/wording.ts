import {
  notSelected,
  type Results,
  type RunVerdict,
  type ViolationResult,
} from '../schemas/results.ts';
import { byReason, violatedClauses } from './grouping.ts';
import {
  noWaivers,
  undecidedClauses,
  verdictUnder,
  type WaiverReview,
  waiversFail,
} from './waivers.ts';

const words: Readonly<Record<RunVerdict, string>> = {
  conformant: 'Conformant',
  violations: 'Violations',
  incomplete: 'Incomplete',
  'not run': 'Not run',
};

/** The verdict of a run in words: one or two to remember, and a sentence that says why. */
export function headline(
  results: Results,
  review: WaiverReview = noWaivers,
): { readonly verdict: RunVerdict; readonly word: string; readonly sentence: string } {
  const verdict = verdictUnder(review, results);
  const { waived, stale } = review;
  const sentences = [
    sentence(verdict, results, review),
    waived.length > 0 && `Waived: ${counted(waived.length, 'violated clause')}.`,
    waiversFail(review) && `The run fails for ${counted(stale.length, 'stale waiver')}.`,
  ];
  const covered = verdict === 'conformant' && waived.length > 0;
  return {
    verdict,
    word: covered ? `${words[verdict]}, with waivers` : words[verdict],
    sentence: sentences.filter((each) => each !== false).join(' '),
  };
}

function sentence(verdict: RunVerdict, results: Results, { waived }: WaiverReview): string {
  switch (verdict) {
    case 'conformant':
      return conformantSentence(results, waived.length);
    case 'violations':
      return `The target breaks ${counted(violatedClauses(results).length - waived.length, 'clause')}.`;
    case 'incomplete': {
      const undecided = counted(undecidedClauses(results).length, 'clause');
      return waived.length === 0
        ? `No violation, but ${undecided} could not be decided.`
        : `No violation that is not waived, but ${undecided} could not be decided.`;
    }
    case 'not run':
      return `Nothing could be judged. ${mainReason(results)}`;
  }
}

function conformantSentence({ clauses }: Results, waived: number): string {
  const upheld = waived === 0 ? 'upheld' : 'upheld or waived';
  const unselected = clauses.filter(
    ({ level, reason }) => level !== 'open' && reason === notSelected,
  ).length;
  return unselected === 0
    ? `Every clause that can be judged was judged, and ${upheld}.`
    : `Every selected clause was judged, and ${upheld}; ${counted(unselected, 'clause')} ${unselected === 1 ? 'was' : 'were'} not selected.`;
}

function mainReason(results: Results): string {
  const [most] = [...byReason(results, 'not judged'), ...byReason(results, 'inconclusive')]
    .filter(({ reason }) => reason !== notSelected)
    .sort((a, b) => b.clauses.length - a.clauses.length);
  const reason = most?.reason || 'No clause was selected.';
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** "1 clause", "2 clauses". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first of several ids, and how many more there are. */
export function listed(ids: readonly string[], most: number): string {
  const hidden = ids.length - most;
  const shown = ids.slice(0, most).join(', ');
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** What follows the first of several violations of a clause. */
export function andInMore(count: number): string {
  return count === 0 ? '' : ` (and in ${counted(count, 'more scenario')})`;
}

/** Milliseconds for people: "87 ms", "3.2 s", "2 min 05 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** An ISO instant for people, still UTC and to the second; anything else is left as it is. */
export function instant(iso: string): string {
  return iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

/** The target with its kind, for people. */
export function targetName({ target }: Results): string {
  return target.kind === 'embedded'
    ? `the embedded reference service (${target.baseUrl})`
    : target.baseUrl;
}

/** What was done, out of the message of a violation: without what was expected and came, shown beside it. */
export function whatWasDone({ message, expected, actual }: ViolationResult): string {
  const end = message.indexOf(`: expected ${expected}, got ${actual}`);
  return end === -1 ? message : message.slice(0, end);
}

/** What was done, without the query that some messages hold in brackets: it is long, and made up anew for each run. */
export function inShort(violation: ViolationResult): string {
  return whatWasDone(violation).replace(/ \(.*$/s, '');
}
