import type { ClauseResult, ClauseVerdict, Results } from '../schemas/results.ts';
import { jsonText } from './printable.ts';
import { noWaivers, type WaiverReview } from './waivers.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

const statuses: Readonly<Record<ClauseVerdict, Status>> = {
  upheld: 'passed',
  violated: 'failed',
  inconclusive: 'other',
  'not judged': 'skipped',
  observed: 'passed',
  untestable: 'skipped',
};

/** The results in the Common Test Report Format: a test for each clause, our verdict in `rawStatus`. */
export function renderCtrf(results: Results, review: WaiverReview = noWaivers): string {
  const waived = new Set(review.waived.map(({ clause }) => clause));
  const tests = results.clauses.map((clause) => test(clause, results, waived.has(clause.id)));
  const count = (wanted: Status): number => tests.filter(({ status }) => status === wanted).length;
  const start = Date.parse(results.startedAt);
  const duration = Math.round(results.durationMs);
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    results: {
      tool: { name: 'task-audit-contract' },
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
        extra: { verdict: results.verdict, target: results.target.kind, seed: results.seed },
      },
    },
  });
}

function test(clause: ClauseResult, { violations }: Results, waived: boolean) {
  const shown = violations.filter((violation) => violation.clause === clause.id);
  const message = shown[0]?.message ?? clause.reason;
  const status: Status = waived ? 'skipped' : statuses[clause.verdict];
  return {
    name: `${clause.id}: ${clause.text}`,
    status,
    rawStatus: waived ? 'violated (waived)' : clause.verdict,
    // Several clauses are judged by the same requests: a time of its own no clause has.
    duration: 0,
    suite: [clause.section],
    ...(message !== '' && { message }),
    ...(shown.length > 1 && { trace: shown.map((violation) => violation.message).join('\n') }),
    tags: [clause.level],
    extra: { clause: clause.id, scenarios: clause.scenarios, observed: clause.observed },
  };
}
