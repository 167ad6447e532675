import type { ClauseResult, ClauseVerdict, Results } from '../schemas/results.ts';
import { factsOf } from './facts.ts';
import { toldVerdict } from './grouping.ts';
import { jsonText } from './printable.ts';
import { noWaivers, type WaiverReview } from './waivers.ts';
import { reasonsOfClause, stacksOf, violationText } from './wording.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

const statuses: Readonly<Record<ClauseVerdict, Status>> = {
  upheld: 'passed',
  violated: 'failed',
  error: 'other',
  inconclusive: 'other',
  'not judged': 'skipped',
  observed: 'passed',
  untestable: 'skipped',
};

/** The results in the Common Test Report Format: a test for each clause, our verdict in `rawStatus`. */
export function renderCtrf(results: Results, review: WaiverReview = noWaivers): string {
  const { waivedClauses: waived } = review;
  const tests = results.clauses.map((clause) => test(clause, results, waived.has(clause.id)));
  const count = (wanted: Status): number => tests.filter(({ status }) => status === wanted).length;
  const start = Date.parse(results.startedAt);
  const duration = Math.round(results.durationMs);
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    results: {
      tool: { name: 'task-audit-contract', version: results.suite },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        start,
        stop: start + duration,
        duration,
      },
      tests,
      environment: {
        testEnvironment: results.target.baseUrl,
        extra: {
          verdict: results.verdict,
          target: results.target.kind,
          seed: results.seed,
          requests: results.requests.total,
        },
      },
    },
  });
}

function test(clause: ClauseResult, { violations }: Results, waived: boolean) {
  const shown = violations.filter((violation) => violation.clause === clause.id).map(violationText);
  const message = shown[0] ?? reasonsOfClause(clause);
  const trace = shown.length > 1 ? shown : stacksOf(clause.reasons);
  const status: Status = waived ? 'skipped' : statuses[clause.verdict];
  return {
    name: `${clause.id}: ${clause.text}`,
    status,
    rawStatus: waived ? 'violated (waived)' : toldVerdict(clause),
    // Several clauses are judged by the same requests: none has a time of its own.
    duration: 0,
    suite: [clause.section],
    ...(message !== '' && { message }),
    ...(trace.length > 0 && { trace: trace.join('\n') }),
    tags: [clause.level],
    extra: { clause: clause.id, scenarios: clause.scenarios, observed: factsOf(clause) },
  };
}
