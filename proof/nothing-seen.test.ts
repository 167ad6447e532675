// What shows nothing of a clause does not uphold it: services of which some answers never come to be judged.

import { expect, test } from 'vitest';
import type { Rules } from '../reference/rules.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { refusedWith, type Wire } from './faults/fault.ts';
import { runAgainst } from './in-process.ts';
import { scenariosOf } from './parts.ts';

/** Fails whatever has this method and is under this path. */
const failing =
  (method: string, path: string, status = 500): Wire =>
  (handle) =>
  async (request) =>
    request.method === method && request.target.includes(path)
      ? { status, headers: {}, body: '' }
      : await handle(request);

interface Case {
  readonly service: string;
  readonly rules?: Partial<Rules>;
  readonly wire?: Wire;
  readonly part: keyof typeof scenariosOf;
  readonly clauses: readonly JudgedClause[];
}

const cases: readonly Case[] = [
  {
    service: 'fails every read of a task',
    wire: failing('GET', '/tasks/'),
    part: 'json',
    clauses: [
      'get-task.answers-with-the-task-asked-for',
      'auth.valid-key-is-accepted',
      'versioning.paths-are-under-v5',
    ],
  },
  {
    service: 'limits every read of a task',
    wire: failing('GET', '/tasks/', 429),
    part: 'json',
    clauses: ['get-task.answers-with-the-task-asked-for', 'get-task.unknown-task-is-404'],
  },
  {
    service: 'fails every read of an assessment',
    wire: failing('GET', '/assessments/'),
    part: 'json',
    clauses: ['get-assessment.answers-with-the-assessment-asked-for'],
  },
  {
    service: 'fails every write',
    wire: failing('PUT', '/tasks/'),
    part: 'json',
    clauses: [
      'task.updated-at-is-the-version',
      'conflict.changes-nothing',
      'conflict.one-of-simultaneous-writes-wins',
      'auth.refusal-changes-nothing',
    ],
  },
  {
    service: 'answers every version mismatch with 412',
    rules: refusedWith('version-mismatch', 412),
    part: 'json',
    clauses: ['conflict.changes-nothing'],
  },
  {
    service: 'sends no email',
    rules: { peopleToNotify: () => [] },
    part: 'email',
    clauses: ['notification.nobody-else-gets-email', 'notification.refused-write-sends-no-email'],
  },
];

test.each(cases)('a service that $service', async ({ rules = {}, wire, part, clauses }) => {
  const results = await runAgainst({ rules, ...(wire && { wire }) }, scenariosOf[part]);
  const upheld = results.clauses.filter(({ verdict }) => verdict === 'upheld').map(({ id }) => id);
  expect(clauses.filter((id) => upheld.includes(id))).toEqual([]);
});
