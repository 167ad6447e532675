import type { Redactor } from '../helpers/http/redact.ts';
import type { Violation } from '../helpers/outcomes.ts';
import type { Finding, Findings } from './play.ts';

/** Findings without secrets: judges look at answers as they came, and a target may echo a key. */
export function redacted(findings: Findings, redactor: Redactor): Findings {
  return new Map([...findings].map(([id, finding]) => [id, redactedFinding(finding, redactor)]));
}

function redactedFinding(finding: Finding, redactor: Redactor): Finding {
  switch (finding.kind) {
    case 'violated':
      return { ...finding, violation: clean(finding.violation, (text) => redactor.excerpt(text)) };
    case 'inconclusive':
    case 'not judged':
      return { ...finding, reason: redactor.excerpt(finding.reason) };
    case 'observed':
      return { ...finding, values: finding.values.map((value) => redactor.excerpt(value)) };
    default:
      return finding;
  }
}

/** The violation itself where there is nothing to take out. */
function clean(violation: Violation, rewrite: (text: string) => string): Violation {
  const { message, expected, actual } = violation;
  const isClean = [message, expected, actual].every((text) => rewrite(text) === text);
  return isClean ? violation : violation.rewritten(rewrite);
}
