import type { Settings } from '../helpers/config/settings.ts';
import { teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { assessmentFields } from '../schemas/assessment.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Variable } from '../schemas/configuration.ts';
import type { Lack } from '../schemas/results.ts';
import { taskFields } from '../schemas/task.ts';
import type { AnyScenario } from './scenario.ts';
import { type Unusable, unusableLack } from './unusable.ts';

interface NeedRule {
  /** The variable that would meet it. */
  readonly variable: Variable;
  /** Another one that would. */
  readonly or?: Variable;
  readonly met: (settings: Settings) => boolean;
  /** What is missing, as a phrase. */
  readonly what: string;
}

const atLeast = (
  variable: Variable,
  count: number,
  list: (settings: Settings) => readonly unknown[],
  what: string,
): NeedRule => ({ variable, met: (settings) => list(settings).length >= count, what });

/** A task to write to takes more than the task: permission to write, and a user to write as. */
const writing: readonly NeedRule[] = [
  {
    variable: 'ALLOW_WRITES',
    met: ({ writes }) => writes,
    what: 'permission to assign tasks on this target (yes, and no --read-only)',
  },
  atLeast(
    'ASSIGNED_BY_ID',
    1,
    ({ assignedByIds }) => assignedByIds,
    'the user who makes the assignments',
  ),
];

const task = atLeast('TASK_IDS', 1, ({ taskIds }) => taskIds, 'a task');
const secondTask = atLeast('TASK_IDS', 2, ({ taskIds }) => taskIds, 'a second task');

const rules = {
  task: [task],
  'writable-task': [task, ...writing],
  'two-writable-tasks': [secondTask, ...writing],
  user: [atLeast('USER_IDS', 1, ({ userIds }) => userIds, 'a user')],
  'two-users': [atLeast('USER_IDS', 2, ({ userIds }) => userIds, 'a second user')],
  team: [atLeast('TEAM_IDS', 1, ({ teamIds }) => teamIds, 'a team')],
  assessment: [atLeast('ASSESSMENT_IDS', 1, ({ assessmentIds }) => assessmentIds, 'an assessment')],
  'other-region': [
    {
      variable: 'WRONG_REGION_URL',
      met: ({ wrongRegionUrl }) => wrongRegionUrl !== undefined,
      what: 'the address of another region',
    },
  ],
  'blocked-route': [
    {
      variable: 'BLOCKED_LOCAL_ADDRESS',
      or: 'BLOCKED_PROXY_URL',
      met: ({ blockedLocalAddress, blockedProxyUrl }) =>
        blockedLocalAddress !== undefined || blockedProxyUrl !== undefined,
      what: 'an address that is not on the allow list (or BLOCKED_PROXY_URL)',
    },
  ],
  mailbox: [
    {
      variable: 'MAILBOX_URL',
      met: ({ mailbox }) => mailbox !== undefined,
      what: 'a mailbox that shows the email of the target',
    },
  ],
  'user-with-email': [atLeast('USER_EMAILS', 1, usersWithEmail, 'the address of one of USER_IDS')],
  'two-users-with-email': [
    atLeast('USER_EMAILS', 2, usersWithEmail, 'two different addresses, of two of USER_IDS'),
  ],
  'team-with-email': [
    atLeast('TEAM_EMAILS', 1, teamsWithEmail, 'the addresses of the members of one of TEAM_IDS'),
  ],
} satisfies Readonly<Record<string, readonly NeedRule[]>>;

/** What the configuration must give before a scenario can be run. */
export type Need = keyof typeof rules;

/**
 * What every answer is held to, and every valid write, whichever scenario made it: for want of one scenario nothing is
 * missing from them. Any other clause lacks a part where a scenario that judges it could not be run.
 */
const ofEveryAnswer: ReadonlySet<string> = new Set<JudgedClause>([
  'interface.response-bodies-are-json',
  'interface.json-says-so',
  'fields.identifiers-are-uuid-shaped',
  'fields.timestamps-are-iso-utc',
  ...taskFields.map((field) => `task.${dashed(field)}` as const),
  'assignment.assigned-by-id',
  'assignment.assigned-to-id',
  // Not the type: one of its two values shows where a task is assigned to a team alone.
  'assignment.assignment-comment',
  ...assessmentFields.map((field) => `assessment.${dashed(field)}` as const),
  'task.updated-at-is-the-version',
  'task.updated-at-changes-with-the-task',
  'update.answers-with-a-new-version',
  'update.answers-with-the-updated-task',
  'update.keeps-the-other-fields',
  'export.answers-200',
  'auth.valid-key-is-accepted',
  'versioning.paths-are-under-v5',
]);

/** @param id of a clause */
export function isOfEveryAnswer(id: string): boolean {
  return ofEveryAnswer.has(id);
}

/**
 * What the configuration lacks for a scenario; empty where it lacks nothing.
 * @param settings without values that cannot be used
 * @param unusable these values, to say why something is lacking
 */
export function lacksOf(
  scenario: AnyScenario,
  settings: Settings,
  unusable: readonly Unusable[] = [],
): Lack[] {
  const unmet = (scenario.needs ?? [])
    .flatMap((need): readonly NeedRule[] => rules[need])
    .filter((rule) => !rule.met(settings));
  const isUnusable = (variable: Variable): boolean =>
    unusable.some((one) => one.variable === variable);
  const byVariable = new Map(
    unmet.map(({ variable: first, or, what }) => {
      const variable = or !== undefined && isUnusable(or) ? or : first;
      return [variable, unusableLack(variable, what, unusable)];
    }),
  );
  return [...byVariable.values()];
}
