// A headline says of a service what is so of all that was tried, and what only some of it shows only where the rest is right;
// and that something is accepted only where something is given out, or carried out, for it.

import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import { findingsUnder, headlineOf, otherWays } from '../reports/findings.ts';
import { noWaivers } from '../reports/verdicts.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { scenarios } from '../suites/index.ts';
import { allFaults, type Fault } from './faults.ts';
import { runAgainst } from './in-process.ts';
import { lookingAt } from './parts.ts';

type Service = Pick<Fault, 'rules' | 'wire'>;

/** Refusals turned into successes that hold nothing. */
const emptyInPlaceOf =
  (status: number) =>
  (handle: Handle): Handle =>
  async (request) => {
    const answer = await handle(request);
    return answer.status === status ? { ...answer, status: 200, body: '{}' } : answer;
  };

const byFault = (id: string): Service => allFaults.find((fault) => fault.id === id) ?? {};

const cases: readonly (readonly [
  headline: string,
  clauses: readonly JudgedClause[],
  service: Service,
])[] = [
  [
    'GET /tasks/{id} accepts a request without the apikey header: 200, not 401; PUT …/update-assignment; GET /assessments/{id}; GET …/export',
    ['get-task.needs-the-apikey', 'auth.invalid-key-is-401', 'auth.empty-key-is-401'],
    { rules: { keyIsValid: () => true } },
  ],
  [
    'PUT …/update-assignment answers 200, not 401, to a request without the apikey header; GET /tasks/{id}',
    ['get-task.needs-the-apikey'],
    { wire: emptyInPlaceOf(401) },
  ],
  [
    'GET /tasks/{id} accepts a request with another key altogether: 200, not 401',
    ['auth.invalid-key-is-401'],
    byFault('any-key-is-accepted-by-get-task'),
  ],
  [
    'GET /tasks/{id} accepts a request with the key with an additional character: 200, not 401; a request with the key with an additional character, for the task that was just read; a request with the key without its last character; a request with the key with its last character changed; GET …/export',
    ['auth.invalid-key-is-401'],
    byFault('a-key-without-its-last-character-is-enough'),
  ],
  [
    'GET …/export: comment of the recorded event is cut to 255 of 4,000 characters',
    ['audit.comment-is-kept-to-the-letter'],
    byFault('export-by-auditee-id-cuts-comments-at-255-characters'),
  ],
  [
    'PUT …/update-assignment accepts an unknown id: 200, not 404; GET /tasks/{id}',
    ['get-task.unknown-task-is-404', 'update.unknown-task-is-404'],
    byFault('an-unknown-task-id-finds-some-other-task'),
  ],
  [
    'answers 200, not 404, to an unknown id',
    ['get-task.unknown-task-is-404'],
    { wire: emptyInPlaceOf(404) },
  ],
  [
    'accepts a known id without its last character: 200, not 404',
    ['get-task.unknown-task-is-404'],
    byFault('a-cut-task-id-finds-the-task'),
  ],
  [
    'PUT …/update-assignment accepts a write with an If-Match that is not the current version: 200, not 409',
    ['conflict.differing-version-is-409'],
    { rules: { versionMatches: () => true } },
  ],
  [
    'accepts a write with an If-Match one version old: 200, not 409',
    ['conflict.differing-version-is-409'],
    byFault('a-version-one-step-old-is-accepted'),
  ],
  [
    'PUT …/update-assignment answers 200, not 409, to a write with an If-Match that is not the current version',
    ['conflict.differing-version-is-409'],
    { wire: emptyInPlaceOf(409) },
  ],
];

test.for(cases)('%s', async ([headline, ids, { rules = {}, wire }]) => {
  const results = await runAgainst({ rules, ...(wire && { wire }) }, lookingAt(ids, scenarios));
  const own = findingsUnder(results, noWaivers).filter(({ finding }) =>
    finding.clauses.some(({ id }) => ids.some((one) => one === id)),
  );
  const headlines = own.map(({ finding }) =>
    [headlineOf(finding), ...otherWays(finding)].join('; '),
  );
  expect(headlines.join('\n')).toContain(headline);
});
