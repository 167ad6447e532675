import type { Results } from '../schemas/results.ts';
import { jsonText } from './printable.ts';

/**
 * The content of results.json. Keys stand in the order of the format whatever order they came in, so that two
 * runs compare with `diff`. Ends with a line feed.
 */
export function renderJson(results: Results): string {
  const { format, verdict, target, seed, startedAt, durationMs, requests } = results;
  const { byOperation } = requests;
  const ordered: Results = {
    format,
    verdict,
    target: { kind: target.kind, baseUrl: target.baseUrl },
    seed,
    startedAt,
    durationMs,
    requests: {
      total: requests.total,
      byOperation: {
        'update-assignment': byOperation['update-assignment'],
        'get-task': byOperation['get-task'],
        'get-assessment': byOperation['get-assessment'],
        export: byOperation.export,
      },
    },
    clauses: results.clauses.map((clause) => ({
      id: clause.id,
      level: clause.level,
      section: clause.section,
      text: clause.text,
      verdict: clause.verdict,
      reason: clause.reason,
      scenarios: clause.scenarios,
      observed: clause.observed,
    })),
    violations: results.violations.map((violation) => ({
      clause: violation.clause,
      scenario: violation.scenario,
      message: violation.message,
      expected: violation.expected,
      actual: violation.actual,
      intermittent: violation.intermittent,
      exchanges: violation.exchanges,
    })),
  };
  return jsonText(ordered);
}
