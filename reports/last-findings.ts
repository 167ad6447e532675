import type { Results } from '../schemas/results.ts';
import { compareResults } from './compare.ts';
import { type Finding, findingsUnder } from './findings.ts';
import { isSelected } from './grouping.ts';
import { headlineOf } from './headlines.ts';
import { safeValue } from './terminal.ts';
import type { WaiverReview } from './waivers.ts';
import { instant } from './wording.ts';

/** What became of a finding of an earlier run. */
export type Became = 'still there' | 'gone' | 'not judged' | 'not seen, and was intermittent';

/**
 * What became of the findings of an earlier run, in the order in which its reports number them.
 * @param review of the earlier run
 */
export function lastFindings(
  last: Results,
  review: Pick<WaiverReview, 'covered'>,
  now: Results,
): { readonly finding: Finding; readonly became: Became }[] {
  const { goneViolations, unjudgedViolations } = compareResults(last, now);
  const gone = new Set(goneViolations);
  const unjudged = new Set(unjudgedViolations);
  const selected = new Set(now.clauses.filter(isSelected).map(({ id }) => id));
  return findingsUnder(last, review).map(({ finding }) => {
    const { violations } = finding;
    const isThere = violations.some(
      (one) => selected.has(one.clause) && !gone.has(one) && !unjudged.has(one),
    );
    if (isThere) return { finding, became: 'still there' };
    if (!violations.every((one) => gone.has(one))) return { finding, became: 'not judged' };
    const isSteady = violations.some(({ intermittent }) => !intermittent);
    return { finding, became: isSteady ? 'gone' : 'not seen, and was intermittent' };
  });
}

/** `lastFindings` for a terminal, a line for each finding. Ends with an empty line. */
export function renderLastFindings(
  last: Results,
  review: Pick<WaiverReview, 'covered'>,
  now: Results,
): string {
  const isSamePlace = last.target.baseUrl === now.target.baseUrl || last.target.kind === 'embedded';
  const where = isSamePlace
    ? ''
    : ` at ${last.target.baseUrl}, looked for at ${now.target.baseUrl}`;
  const lines = lastFindings(last, review, now).map(
    ({ finding, became }, index) => `  ${index + 1}. ${became}: ${safeValue(headlineOf(finding))}`,
  );
  return `${[`Of the run of ${instant(last.startedAt)}${safeValue(where)}:`, ...lines].join('\n')}\n\n`;
}
