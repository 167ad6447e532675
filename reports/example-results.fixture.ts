import type { Waiver } from '../schemas/files.ts';
import {
  type ClauseResult,
  type PutBack,
  type Reason,
  type Results,
  resultsSchema,
  type ViolationResult,
} from '../schemas/results.ts';
import type { ToldRun } from './run-report.ts';
import { noWaivers, reviewWaivers } from './verdicts.ts';

/** Fixed inputs for the tests of the renderers: small runs that together hold every verdict. */

const clause = (
  id: string,
  section: string,
  text: string,
  rest: Partial<ClauseResult> = {},
): ClauseResult => ({
  id,
  level: 'stated',
  section,
  text,
  verdict: 'upheld',
  reasons: [],
  scenarios: [],
  observed: [],
  ...rest,
});

const update = '1. Update a task assignment';
const conflict = 'Errors: 409 Version mismatch';
const stale = 'a stale If-Match answers 409 and changes nothing';
const reassign = 'reassigning a task from a user to a team';
const simultaneous = 'of five simultaneous writes with the same version one wins';

const request = 'PUT /tasks/{id}/update-assignment';

const clauses: ClauseResult[] = [
  clause('task.assignment', 'Task', '`assignment` is an object or null.', {
    scenarios: ['a task is read', reassign],
  }),
  clause(
    'task.status-values',
    'Task',
    'The document does not say which values status has besides INCOMPLETE.',
    {
      level: 'open',
      verdict: 'observed',
      scenarios: ['a task is read'],
      observed: ['INCOMPLETE'],
    },
  ),
  clause('update.needs-the-apikey', update, 'Without the apikey header a write gets 401.', {
    scenarios: ['a write without a key'],
  }),
  clause('update.keeps-the-other-fields', update, 'An assignment changes no other field.', {
    level: 'implied',
    scenarios: [reassign],
  }),
  clause(
    'update.success-status',
    update,
    'The document does not say which status a successful write has.',
    {
      level: 'open',
      verdict: 'observed',
      scenarios: [reassign],
      observed: [200, 201],
    },
  ),
  clause(
    'update.quoted-if-match',
    update,
    'The document does not say whether the version may be quoted.',
    {
      level: 'open',
      verdict: 'not judged',
      reasons: [{ kind: 'not configured', lacks: [{ variable: 'TEAM_IDS', what: 'a team' }] }],
    },
  ),
  clause('update.content-type-is-json', update, 'The request names application/json.', {
    verdict: 'untestable',
    reasons: [{ kind: 'untestable', why: 'It binds the caller.', on: [] }],
  }),
  clause(
    'conflict.differing-version-is-409',
    conflict,
    'A differing If-Match is answered with 409.',
    {
      scenarios: [stale, simultaneous],
    },
  ),
  clause('conflict.changes-nothing', conflict, 'A write refused with a 409 changes nothing.', {
    level: 'implied',
    scenarios: [stale],
  }),
  clause('conflict.one-of-simultaneous-writes-wins', conflict, 'One of several writes wins.', {
    level: 'implied',
    scenarios: [simultaneous],
  }),
];

const violations: ViolationResult[] = [
  {
    clause: 'update.keeps-the-other-fields',
    scenario: reassign,
    on: [{ exchange: 5, request }],
    intermittent: false,
    difference: {
      kind: 'field',
      of: 'task',
      fields: ['step_name'],
      expected: '"Screening"',
      actual: '"Approval"',
    },
    sequence: [2, 5],
  },
  {
    clause: 'conflict.differing-version-is-409',
    scenario: stale,
    on: [{ exchange: 3, request }],
    intermittent: false,
    difference: {
      kind: 'status',
      when: 'an If-Match one version old',
      expected: '409',
      actual: 200,
    },
    sequence: [2, 3],
  },
  {
    clause: 'conflict.differing-version-is-409',
    scenario: simultaneous,
    on: [
      { exchange: 6, request },
      { exchange: 7, request },
    ],
    intermittent: true,
    difference: {
      kind: 'other',
      wrong: 'accepts several simultaneous writes',
      actual: '200, 200, 409, 409, 409',
    },
    sequence: [2, 6, 7],
  },
];

/** The reasons of a clause that no selected scenario looks at. */
export const notSelected: Reason[] = [{ kind: 'not selected' }];

/** A run in which nothing is wrong and nothing is left out. */
export const conformantRun: Results = {
  $schema: resultsSchema.$id,
  format: 3,
  suite: '1.2.3',
  verdict: 'conformant',
  target: { kind: 'embedded', baseUrl: 'http://127.0.0.1:4010/v5' },
  seed: 42,
  startedAt: '2026-11-05T09:30:00.000Z',
  durationMs: 3210,
  interruptedBy: null,
  requests: {
    total: 9,
    repeated: 2,
    lost: 1,
    throttled: 2,
    failed: [
      { operation: 'get-task', cause: 429, count: 2, repeated: 1 },
      { operation: 'update-assignment', cause: 'refused', count: 1, repeated: 1 },
    ],
    serverErrors: [],
    byOperation: { 'update-assignment': 6, 'get-task': 2, 'get-assessment': 0, export: 1 },
  },
  leftChanged: [],
  clauses: clauses.map((each) =>
    each.verdict === 'not judged'
      ? {
          ...each,
          verdict: 'observed',
          reasons: [],
          observed: [{ when: 'in quotes', outcome: { refused: 409 } }],
        }
      : each,
  ),
  violations: [],
};

const assignedToTeam = {
  assigned_by_id: '6a1f0c2e-2f43-4b5e-8e55-0d7c7a3f9b10',
  assigned_to_id: 'c0b5f6d4-8a0d-4f0b-9a55-3f2b8f6f1e77',
  assigned_to_type: 'TEAM',
  assignment_comment: 'For the quarter',
};

/** A task that could not be put back, and one that somebody else wants as it is now. */
const leftChanged: PutBack[] = [
  {
    taskId: '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11',
    outcome: 'failed',
    before: assignedToTeam,
    why: { kind: 'not carried out', status: 500, now: null },
  },
  {
    taskId: '9b2e7c1f-51d3-4d8e-b1a4-2f6d0e7c3a58',
    outcome: 'left',
    before: null,
    why: { kind: 'reassigned', since: '2026-11-05T09:30:02.500Z', now: assignedToTeam },
  },
];

/** A run that holds every verdict, after which tasks are not as they were before. */
export const violatedRun: Results = {
  ...conformantRun,
  verdict: 'violations',
  pairs: { covered: 1180, possible: 1262 },
  target: { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' },
  clauses: clauses.map((each) => {
    if (violations.some((violation) => violation.clause === each.id)) {
      return { ...each, verdict: 'violated' };
    }
    return each.id === 'conflict.one-of-simultaneous-writes-wins'
      ? {
          ...each,
          verdict: 'inconclusive',
          reasons: [
            { kind: 'inconclusive', why: 'The target answered 429 to the end.', on: [6, 7] },
          ],
        }
      : each;
  }),
  leftChanged,
  unusable: [
    { variable: 'TASK_IDS', value: 'cadff918-0000-4000-8000-000000000000', status: 404 },
    {
      variable: 'USER_IDS',
      value: 'nobody',
      status: 422,
      answer: '{"error":"nobody is no user"}',
    },
  ],
  violations,
};

const failure: Reason = {
  kind: 'suite failure',
  why: [
    "TypeError: Cannot read properties of undefined (reading 'assigned_to_id')",
    '    at conflict.changes-nothing (/suites/conflicts.ts:42:17)',
    '    at judge (/runner/run-scenario.ts:88:5)',
  ].join('\n'),
  on: [],
};

/** A run in which the suite itself failed, and nothing is wrong with the target as far as was seen. */
export const errorRun: Results = {
  ...conformantRun,
  verdict: 'error',
  clauses: conformantRun.clauses.map((each) =>
    each.section === conflict && each.level === 'implied'
      ? { ...each, verdict: 'error', reasons: [failure] }
      : each,
  ),
};

/** A run that was interrupted: what came before is there, the rest is not judged. */
export const interruptedRun: Results = {
  ...conformantRun,
  verdict: 'incomplete',
  durationMs: 940,
  interruptedBy: 'SIGINT',
  clauses: clauses.map((each) =>
    each.section === conflict
      ? {
          ...each,
          verdict: 'not judged',
          reasons: [{ kind: 'not run', why: 'The run was interrupted.', on: [] }],
          scenarios: [],
        }
      : each,
  ),
};

const lacking = (variable: string, what: string): Reason => ({
  kind: 'not configured',
  lacks: [{ variable, what }],
});

const secondUser = lacking('USER_IDS', 'a second user');

/** What could not be judged of some clauses for want of configuration: of one nothing, of others a part. */
const lackingIn: Readonly<Record<string, Pick<ClauseResult, 'verdict' | 'reasons'>>> = {
  'conflict.one-of-simultaneous-writes-wins': { verdict: 'not judged', reasons: [secondUser] },
  'conflict.changes-nothing': { verdict: 'upheld', reasons: [secondUser] },
  'conflict.differing-version-is-409': {
    verdict: 'upheld',
    reasons: [secondUser, lacking('TEAM_IDS', 'a team')],
  },
};

/** A run in which nothing is wrong, and something is not configured. */
export const incompleteRun: Results = {
  ...conformantRun,
  verdict: 'incomplete',
  clauses: conformantRun.clauses.map((each) => ({ ...each, ...lackingIn[each.id] })),
};

/** A run that could not start. */
export const unstartedRun: Results = {
  ...conformantRun,
  verdict: 'not run',
  target: { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' },
  durationMs: 31,
  requests: {
    total: 1,
    repeated: 0,
    lost: 0,
    throttled: 0,
    failed: [],
    serverErrors: [],
    byOperation: { 'update-assignment': 0, 'get-task': 1, 'get-assessment': 0, export: 0 },
  },
  clauses: clauses.map((each) =>
    each.verdict === 'untestable'
      ? each
      : {
          ...each,
          verdict: 'not judged',
          reasons: [
            {
              kind: 'not run',
              why: 'API_KEY does not work: the target answered 401 to it.',
              on: [],
            },
          ],
          scenarios: [],
          observed: [],
        },
  ),
};

export const exampleRuns = {
  conformant: conformantRun,
  violations: violatedRun,
  error: errorRun,
  incomplete: incompleteRun,
  interrupted: interruptedRun,
  'not-run': unstartedRun,
} as const;

const waiver = (clause: string, expires: string): Waiver => ({
  clause,
  reason: 'The release of [March] brings the fix',
  owner: 'team-workflow',
  issue: 'https://tracker.example/WF-311',
  expires,
});

/** One waiver in each state, for the run that holds every verdict. */
export const exampleWaivers: readonly Waiver[] = [
  waiver('update.keeps-the-other-fields', '2026-12-31'),
  waiver('conflict.differing-version-is-409', '2026-10-31'),
  waiver('task.assignment', '2026-12-31'),
  waiver('update.quoted-if-match', '2026-12-31'),
];

export const exampleReview = reviewWaivers(violatedRun, exampleWaivers);

const markup = `<script>alert(1)</script><style>*{display:none}</style>"'&]]>--><img src=x onerror=alert(1)>`;
const steering =
  '\u001b[2J\u001b]0;title\u0007\u0000\r\n::error::x\n ::error::y ##[error]z\n# head\n@someone\n\u009b31m\u202egnp\u2028|`[link](http://evil.example)```````</details>';

/** What a hostile target may put anywhere: markup, escape sequences, workflow commands, reordered text. */
export const hostileText = `${markup}${steering}`;

/** A run of which no more is known than is given. */
export function toldRun(parts: Pick<ToldRun, 'results'> & Partial<ToldRun>): ToldRun {
  return { review: noWaivers, exchanges: [], files: [], history: [], ...parts };
}

/** A run whose every text that can come from a target is hostile. */
export const hostileRun: Results = {
  ...violatedRun,
  target: { kind: 'remote', baseUrl: `https://eu.staging.example/v5/${hostileText}` },
  clauses: violatedRun.clauses.map((each) => ({
    ...each,
    reasons: each.reasons.map((reason) =>
      'why' in reason ? { ...reason, why: hostileText } : reason,
    ),
    observed: each.observed.map(() => hostileText),
  })),
  unusable: [{ variable: 'USER_IDS', value: hostileText, status: 422, answer: hostileText }],
  leftChanged: leftChanged.map((task) => ({
    ...task,
    before: { ...task.before, assignment_comment: hostileText },
  })),
  violations: violations.map((violation) => ({
    ...violation,
    on: violation.on.map(({ exchange }) => ({ exchange, request: hostileText })),
    difference: {
      kind: 'field',
      of: 'task',
      fields: [hostileText],
      expected: hostileText,
      actual: hostileText.repeat(2),
      write: { how: hostileText, statuses: [409], isSent: true },
    },
  })),
};
