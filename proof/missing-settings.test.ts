// What a setting is needed for is not called upheld without it: with one setting after the other taken away, the run is
// incomplete and names the variable, and no fault passes under a clause that is called upheld.

import { describe, expect, test } from 'vitest';
import type { Environment } from '../helpers/config/read-settings.ts';
import { isObject, jsonObject } from '../helpers/json.ts';
import type { Reference } from '../reference/reference.ts';
import { headline } from '../reports/run-report.ts';
import { unallowedClauses, undecidedClauses } from '../reports/verdicts.ts';
import { clausesOfEveryAnswer } from '../runner/needs.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { isUpheldInPart, type Results } from '../schemas/results.ts';
import type { Wire } from './faults/fault.ts';
import { faults } from './faults.ts';
import { type ProofOptions, runAgainst } from './in-process.ts';
import { lookingAt, scenariosOf } from './parts.ts';

interface Case {
  /** What is taken away. */
  readonly without: string;
  readonly variable: string;
  readonly configured: (facts: Reference['facts']) => Environment;
  /** Of clauses that can be judged without it, those that lack a part. */
  readonly inPart: readonly ClauseId[];
  /** Faults that it takes the setting to see, or to see in all clauses that they break. */
  readonly seenWith: readonly string[];
}

const ofOneUser = ({ userIds: [id = ''], userEmails }: Reference['facts']): Environment => ({
  USER_IDS: id,
  USER_EMAILS: JSON.stringify({ [id]: userEmails[id] }),
});

const cases: readonly Case[] = [
  {
    without: 'a second user',
    variable: 'USER_IDS',
    configured: ofOneUser,
    inPart: [
      'service.assignee-is-single',
      'reassign.task-goes-to-the-new-assignee',
      'audit.event-names-its-records',
    ],
    seenWith: [
      'any-key-is-accepted-by-update-assignment',
      'an-unassign-refused-with-401-is-carried-out',
      'reading-a-task-unassigns-it',
      'errors-of-version-mismatch-are-html',
    ],
  },
  {
    without: 'a team',
    variable: 'TEAM_IDS',
    configured: () => ({ TEAM_IDS: '', TEAM_EMAILS: '' }),
    inPart: [
      'assignment.assigned-to-type',
      'assign.task-becomes-assigned',
      'reassign.task-goes-to-the-new-assignee',
      'update.answers-with-the-new-assignment',
      'comment.is-on-the-assignment',
      'unassign.task-becomes-unassigned',
      'conflict.differing-version-is-409',
      'audit.records-assignment-comments',
    ],
    seenWith: [
      'a-team-is-shown-as-a-group',
      'a-task-that-nobody-has-does-not-go-to-a-team',
      'a-task-of-a-user-does-not-go-to-a-team',
      'a-task-of-a-team-cannot-be-unassigned',
      'a-comment-for-a-team-is-lost',
      'an-unassignment-with-a-null-comment-is-refused',
      'a-stale-version-is-accepted-for-a-team',
      'reassignments-to-teams-are-recorded-without-their-comment',
    ],
  },
  {
    without: 'a second task',
    variable: 'TASK_IDS',
    configured: ({ taskIds: [id = ''] }) => ({ TASK_IDS: id }),
    inPart: ['get-task.answers-with-the-task-asked-for', 'conflict.differing-version-is-409'],
    seenWith: [
      'the-version-of-any-task-is-accepted',
      'simultaneous-reads-get-the-task-of-the-last-of-them',
    ],
  },
  {
    without: 'an assessment that was cancelled, and one with an error',
    variable: 'ASSESSMENT_IDS',
    configured: ({ assessmentIds: [id = ''] }) => ({ ASSESSMENT_IDS: id }),
    inPart: ['assessment.workflow-state', 'assessment.error-fields-null-without-error'],
    seenWith: [],
  },
  {
    without: 'another region',
    variable: 'WRONG_REGION_URL',
    configured: () => ({ WRONG_REGION_URL: '' }),
    inPart: ['auth.refusal-changes-nothing'],
    seenWith: [],
  },
  {
    without: 'an address that is not allowed',
    variable: 'BLOCKED_LOCAL_ADDRESS',
    configured: () => ({ BLOCKED_LOCAL_ADDRESS: '' }),
    inPart: ['auth.refusal-changes-nothing'],
    seenWith: [],
  },
  // Email shows nothing that is seen otherwise too: its clauses are not judged, and no other one is in part.
  {
    without: 'a mailbox',
    variable: 'MAILBOX_URL',
    configured: () => ({ MAILBOX_URL: '' }),
    inPart: [],
    seenWith: [],
  },
  {
    without: 'the addresses of a team',
    variable: 'TEAM_EMAILS',
    configured: () => ({ TEAM_EMAILS: '' }),
    inPart: ['notification.new-assignee-gets-email', 'notification.nobody-else-gets-email'],
    seenWith: ['only-the-first-member-of-a-team-gets-email', 'email-of-a-team-goes-to-every-team'],
  },
];

const inPartOf = ({ clauses }: Results): string[] =>
  clauses.filter(isUpheldInPart).map(({ id }) => id);

/** The variables that clauses were not judged for, or not whole; that of the few events of these services is another matter. */
function lackingIn(results: Results): string[] {
  const lacks = undecidedClauses(results)
    .flatMap(({ reasons }) => reasons)
    .flatMap((reason) => (reason.kind === 'not configured' ? reason.lacks : []));
  const variables = new Set(lacks.map(({ variable }) => variable));
  variables.delete('EXPORT_RANGE_START');
  return [...variables];
}

const allFaults = Object.values(faults).flat();

/** What became of the clauses that a fault breaks. */
async function resultsUnder(id: string, options: ProofOptions) {
  const fault = allFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`There is no fault ${id}.`);
  const { breaks, rules = {}, wire } = fault;
  const scenarios = lookingAt(breaks, [
    ...scenariosOf.json,
    ...scenariosOf.export,
    ...scenariosOf.email,
  ]);
  const { clauses } = await runAgainst({ ...options, rules, ...(wire && { wire }) }, [
    ...new Set(scenarios),
  ]);
  return clauses.filter((clause) => breaks.some((one) => one === clause.id));
}

describe.each(cases)('without $without', ({ variable, configured, inPart, seenWith }) => {
  test('the run is incomplete, and says for want of what', async () => {
    const results = await runAgainst({ configured });
    expect(results.violations).toEqual([]);
    expect(results.verdict).toBe('incomplete');
    expect(headline(results).sentence).toContain(variable);
    expect(lackingIn(results)).toContain(variable);
    expect(inPartOf(results)).toEqual(expect.arrayContaining([...inPart]));
    // What every answer is held to loses nothing.
    const ofAll = results.clauses.filter(({ id }) => clausesOfEveryAnswer.has(id));
    expect(ofAll.filter((one) => one.verdict !== 'upheld')).toEqual([]);
    expect(unallowedClauses(results, new Set(['not judged']))).toEqual([]);
    expect(unallowedClauses(results, new Set(['inconclusive']))).not.toEqual([]);
  });

  test.each(seenWith.map((id) => [id] as const))('%s is not called upheld', async (id) => {
    const clauses = await resultsUnder(id, { configured });
    const passed = clauses.filter((one) => one.verdict === 'upheld' && !isUpheldInPart(one));
    expect(passed.filter((one) => !clausesOfEveryAnswer.has(one.id))).toEqual([]);
  });
});

test('a mailbox that is missing leaves no other clause in part', async () => {
  const whole = await runAgainst({});
  const without = await runAgainst({ configured: () => ({ MAILBOX_URL: '' }) });
  expect(inPartOf(without)).toEqual(inPartOf(whole));
});

test.each([1, 8])(
  'without a team and a second user, and with %i tasks, nothing is in doubt',
  async (tasks) => {
    const configured = ({ taskIds, userIds: [id] }: Reference['facts']): Environment => ({
      TASK_IDS: taskIds.slice(0, tasks).join(','),
      USER_IDS: id,
      ...{ TEAM_IDS: '', TEAM_EMAILS: '', USER_EMAILS: '', MAILBOX_URL: '' },
    });
    const { violations, clauses } = await runAgainst({ configured });
    expect(violations).toEqual([]);
    expect(clauses.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  },
);

describe('with one user in whose name tasks are assigned', () => {
  const configured = ({ actorIds: [actor], userIds }: Reference['facts']): Environment => ({
    ASSIGNED_BY_ID: actor,
    USER_IDS: userIds.slice(0, 2).join(','),
  });

  test('one of USER_IDS is the other, and nothing is missing', async () => {
    const results = await runAgainst({ configured });
    expect(results.violations).toEqual([]);
    expect(lackingIn(results)).toEqual([]);
  });

  test.each([
    'a-reassignment-keeps-who-assigned-before',
    'a-reassignment-to-the-same-assignee-keeps-who-assigned-before',
    'a-reassignment-is-recorded-under-who-made-the-change-before',
    'every-change-is-recorded-under-who-made-the-first',
    'an-unassignment-is-recorded-under-who-had-assigned',
  ])('%s is found', async (id) => {
    const clauses = await resultsUnder(id, { configured });
    expect(clauses.map(({ verdict }) => verdict)).toEqual(clauses.map(() => 'violated'));
  });

  test.each([
    [400, 'writes'],
    [403, 'writes'],
    [404, 'writes'],
    [422, 'writes'],
    // Assigning tasks may be everybody's business, and unassigning them not.
    [403, 'unassignments'],
  ] as const)(
    'a service that answers %i to %s of any other one is accused of nothing, and the part is not judged',
    async (status, what) => {
      let actor = '';
      const refused: string[] = [];
      const wire: Wire = (handle) => async (request) => {
        const { update, unassign } = jsonObject(request.body) ?? {};
        const object = update ?? unassign;
        const by = isObject(object) ? object.assigned_by_id : undefined;
        const isAnother = typeof by === 'string' && others.includes(by) && by !== actor;
        const isRefused = isAnother && (what === 'writes' || unassign !== undefined);
        if (!isRefused) return await handle(request);
        refused.push(by);
        return { status, headers: { 'content-type': 'application/json' }, body: '{}' };
      };
      let others: readonly string[] = [];
      const results = await runAgainst({
        wire,
        configured: (facts) => {
          [actor] = facts.actorIds;
          others = [...facts.actorIds, ...facts.userIds];
          return configured(facts);
        },
      });
      expect(results.violations).toEqual([]);
      expect(results.unusable).toEqual([]);
      expect(lackingIn(results)).toEqual(['ASSIGNED_BY_ID']);
      expect(inPartOf(results)).toEqual(
        expect.arrayContaining([
          'update.answers-with-the-new-assignment',
          'audit.event-names-its-records',
        ]),
      );
      // It is tried once in the run, and nothing more is written in that name.
      expect(refused).toHaveLength(1);
    },
  );
});
