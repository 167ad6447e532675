import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { shortJson } from '../helpers/validation.ts';
import type { JudgedClause } from '../schemas/clauses.ts';

/** Judges of what the document says of every successful answer of the three JSON operations. */
export function jsonAnswerJudges<Evidence>(answers: (evidence: Evidence) => readonly Answer[]) {
  return {
    'interface.response-bodies-are-json': (evidence) => {
      for (const answer of successes(answers(evidence))) {
        if (answer.json !== undefined) continue;
        const actual = answer.bytes.length === 0 ? 'no body' : shortJson(answer.text);
        throw new Violation('the body', { expected: 'JSON', actual, on: [answer] });
      }
    },
    'interface.json-says-so': (evidence) => {
      for (const answer of successes(answers(evidence))) {
        const type = answer.header('content-type') ?? 'no Content-Type';
        if (answer.json === undefined || /^[\w.+-]+\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(type))
          continue;
        throw new Violation('the Content-Type', {
          expected: 'a JSON media type',
          actual: type,
          on: [answer],
        });
      }
    },
    'auth.valid-key-is-accepted': (evidence) => {
      for (const answer of answers(evidence)) {
        if (answer.status !== 401) continue;
        throw new Violation('with the valid key', {
          expected: 'another status than 401',
          actual: '401',
          on: [answer],
        });
      }
    },
    'versioning.paths-are-under-v5': (evidence) => {
      for (const answer of answers(evidence)) {
        const elsewhere = [405, 410, 501].includes(answer.status) || isRedirect(answer);
        if (!elsewhere) continue;
        throw new Violation('the path under the base address', {
          expected: 'the operation to be served there',
          actual: `${answer.status}`,
          on: [answer],
        });
      }
    },
  } satisfies { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };
}

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status <= 399;
}

function successes(answers: readonly Answer[]): Answer[] {
  const found = answers.filter(({ succeeded }) => succeeded);
  if (found.length === 0) throw new Inconclusive('No successful answer came to look at.');
  return found;
}
