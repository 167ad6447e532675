import type { Results, RunVerdict, ViolationResult } from '../schemas/results.ts';
import { byReason, violatedClauses } from './grouping.ts';

const words: Readonly<Record<RunVerdict, string>> = {
  conformant: 'Conformant',
  violations: 'Violations',
  incomplete: 'Incomplete',
  'not run': 'Not run',
};

/** The verdict of a run in words: one or two to remember, and a sentence that says why. */
export function headline(results: Results): { readonly word: string; readonly sentence: string } {
  return { word: words[results.verdict], sentence: sentence(results) };
}

function sentence(results: Results): string {
  switch (results.verdict) {
    case 'conformant':
      return 'Every clause that can be judged was judged, and upheld.';
    case 'violations':
      return `The target breaks ${counted(violatedClauses(results).length, 'clause')}.`;
    case 'incomplete':
      return `No violation, but ${counted(undecided(results), 'clause')} could not be decided.`;
    case 'not run':
      return `Nothing could be judged. ${mainReason(results)}.`;
  }
}

function undecided({ clauses }: Results): number {
  return clauses.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not judged')
    .length;
}

function mainReason(results: Results): string {
  const [first] = [...byReason(results, 'not judged'), ...byReason(results, 'inconclusive')];
  return first?.reason.replace(/\.$/, '') || 'no clause was selected';
}

/** "1 clause", "2 clauses". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Milliseconds for people: "87 ms", "3.2 s", "2 min 05 s". */
export function duration(ms: number): string {
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
