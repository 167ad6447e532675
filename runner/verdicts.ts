import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  notSelected,
  type RunVerdict,
  type ViolationResult,
} from '../schemas/results.ts';
import type { Finding, Findings } from './play.ts';

/** What a scenario found, or why it was not played. */
export interface Played {
  readonly scenario: string;
  readonly findings: Findings;
}

interface Said {
  readonly scenario: string;
  readonly finding: Finding;
}

/** Brings together what all scenarios say, clause by clause, in the order of the catalogue. */
export function clauseResults(played: readonly Played[]): ClauseResult[] {
  return clauseIds.map((id) => clauseResult(id, played));
}

/** Every violation, in the order of the catalogue. */
export function violationResults(played: readonly Played[]): ViolationResult[] {
  return clauseIds.flatMap((clause) =>
    saidOf(clause, played).flatMap(({ scenario, finding }) => {
      if (finding.kind !== 'violated') return [];
      const { message, expected, actual, exchanges } = finding.violation;
      const { intermittent } = finding;
      return [
        { clause, scenario, message, expected, actual, intermittent, exchanges: [...exchanges] },
      ];
    }),
  );
}

function saidOf(id: ClauseId, played: readonly Played[]): Said[] {
  return played.flatMap(({ scenario, findings }) => {
    const finding = findings.get(id);
    return finding === undefined ? [] : [{ scenario, finding }];
  });
}

/** What scenarios together say of one clause. */
export function clauseResult(id: ClauseId, played: readonly Played[]): ClauseResult {
  const said = saidOf(id, played);
  const { level, section, text, untestable } = clauseOf(id);
  const verdict = untestable === undefined ? verdictOf(said) : 'untestable';
  const scenarios = said.filter(({ finding }) => finding.kind !== 'not judged');
  return {
    id,
    level,
    section,
    text,
    verdict,
    reason: untestable ?? reasonOf(verdict, said),
    scenarios: scenarios.map(({ scenario }) => scenario),
    observed: observationsOf(said),
  };
}

/** The gravest finding decides, but for what could not be judged: that counts only where nothing was. */
const gravity: readonly [Finding['kind'], ClauseVerdict][] = [
  ['violated', 'violated'],
  ['inconclusive', 'inconclusive'],
  ['upheld', 'upheld'],
  ['observed', 'observed'],
];

function verdictOf(said: readonly Said[]): ClauseVerdict {
  // An observation that one scenario could not make does not take back what another one saw.
  if (said.some(({ finding }) => finding.kind === 'observed')) return 'observed';
  const gravest = gravity.find(([kind]) => said.some(({ finding }) => finding.kind === kind));
  return gravest?.[1] ?? 'not judged';
}

function reasonOf(verdict: ClauseVerdict, said: readonly Said[]): string {
  const reasons = said.flatMap(({ finding }) =>
    finding.kind === verdict && 'reason' in finding ? [finding.reason] : [],
  );
  if (verdict === 'not judged' && reasons.length === 0) {
    return said.length === 0 ? notSelected : 'Nothing to see of it came up.';
  }
  return distinct(reasons).join(' ');
}

/** Reasons that differ in the numbers of their exchanges only are told once. */
function distinct(reasons: readonly string[]): string[] {
  const byText = new Map<string, string>();
  for (const reason of reasons) {
    const text = reason.replaceAll(/#\d+/g, '#');
    if (!byText.has(text)) byText.set(text, reason);
  }
  return [...byText.values()];
}

function observationsOf(said: readonly Said[]): string[] {
  const values = said.flatMap(({ finding }) => (finding.kind === 'observed' ? finding.values : []));
  return [...new Set(values)].sort();
}

/** The verdict of a run over the clauses that it was to judge. */
export function runVerdict(results: readonly ClauseResult[]): RunVerdict {
  const judged = results.filter(
    ({ level, verdict }) => level !== 'open' && verdict !== 'untestable',
  );
  const has = (verdict: ClauseVerdict): boolean => judged.some((one) => one.verdict === verdict);
  if (has('violated')) return 'violations';
  if (!has('upheld')) return 'not run';
  return has('inconclusive') || has('not judged') ? 'incomplete' : 'conformant';
}

/**
 * The exit code that a pipeline sees.
 * @param verdict of the run, waived violations left out
 * @param options whether 0 is allowed where something could not be decided, whether waivers fail the run, and
 *   whether tasks were left changed
 */
export function exitCode(
  verdict: RunVerdict,
  { allowIncomplete = false, waiversFail = false, tasksLeftChanged = false } = {},
): 0 | 1 | 2 | 3 {
  switch (verdict) {
    case 'violations':
      return 1;
    case 'not run':
      return 2;
    case 'conformant':
      if (waiversFail) return 1;
      return tasksLeftChanged ? 3 : 0;
    case 'incomplete':
      if (waiversFail) return 1;
      return allowIncomplete && !tasksLeftChanged ? 0 : 3;
  }
}
