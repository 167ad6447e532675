import type { Settings } from '../helpers/config/settings.ts';
import { teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Variable } from '../schemas/configuration.ts';
import { assessmentFields, taskFields } from '../schemas/resources.ts';
import type { Lack, UnusableValue } from '../schemas/results.ts';
import { unusableLack } from './unusable.ts';

/** How many values the settings have of a variable that scenarios need: of one that is set or not, 1 or 0. */
const count = {
  TASK_IDS: ({ taskIds }) => taskIds.length,
  ALLOW_WRITES: ({ writes }) => Number(writes),
  ASSIGNED_BY_ID: ({ assignedByIds }) => assignedByIds.length,
  USER_IDS: ({ userIds }) => userIds.length,
  TEAM_IDS: ({ teamIds }) => teamIds.length,
  ASSESSMENT_IDS: ({ assessmentIds }) => assessmentIds.length,
  WRONG_REGION_URL: ({ wrongRegionUrl }) => Number(wrongRegionUrl !== undefined),
  BLOCKED_LOCAL_ADDRESS: ({ blockedLocalAddress, blockedProxyUrl }) =>
    Number((blockedLocalAddress ?? blockedProxyUrl) !== undefined),
  MAILBOX_URL: ({ mailbox }) => Number(mailbox !== undefined),
  USER_EMAILS: (settings) => usersWithEmail(settings).length,
  TEAM_EMAILS: (settings) => teamsWithEmail(settings).length,
} satisfies { readonly [One in Variable]?: (settings: Settings) => number };

/** The variable to set for a need to be met, how many values it takes at least, and what is missing, as a phrase. */
type NeedRule = readonly [variable: keyof typeof count, atLeast: number, what: string];

const aTask: NeedRule = ['TASK_IDS', 1, 'a task'];

const rules = {
  task: [aTask],
  'writable-task': [
    aTask,
    ['ALLOW_WRITES', 1, 'permission to assign tasks on this target (yes, and no --read-only)'],
    ['ASSIGNED_BY_ID', 1, 'the user who makes the assignments'],
  ],
  'two-tasks': [['TASK_IDS', 2, 'a second task']],
  user: [['USER_IDS', 1, 'a user']],
  'two-users': [['USER_IDS', 2, 'a second user']],
  team: [['TEAM_IDS', 1, 'a team']],
  assessment: [['ASSESSMENT_IDS', 1, 'an assessment']],
  'two-assessments': [['ASSESSMENT_IDS', 2, 'a second assessment']],
  'other-region': [['WRONG_REGION_URL', 1, 'the address of another region']],
  'blocked-route': [
    ['BLOCKED_LOCAL_ADDRESS', 1, 'an address that is not on the allow list (or BLOCKED_PROXY_URL)'],
  ],
  mailbox: [['MAILBOX_URL', 1, 'a mailbox that shows the email of the target']],
  'user-with-email': [['USER_EMAILS', 1, 'the address of one of USER_IDS']],
  'two-users-with-email': [['USER_EMAILS', 2, 'two different addresses, of two of USER_IDS']],
  'team-with-email': [['TEAM_EMAILS', 1, 'the addresses of the members of one of TEAM_IDS']],
} satisfies Readonly<Record<string, readonly NeedRule[]>>;

/** What the configuration must give before a scenario can be run. */
export type Need = keyof typeof rules;

/**
 * Clauses that every answer or every valid write is held to, whichever scenario sent it: they are upheld in full even
 * where one of their scenarios could not be run. Any other clause is then upheld in part.
 */
export const clausesOfEveryAnswer: ReadonlySet<string> = new Set<JudgedClause>([
  'interface.response-bodies-are-json',
  'interface.json-says-so',
  'fields.identifiers-are-uuid-shaped',
  'fields.timestamps-are-iso-utc',
  ...taskFields.map((field) => `task.${dashed(field)}` as const),
  'assignment.assigned-by-id',
  'assignment.assigned-to-id',
  // Not assigned_to_type: one of its two values shows only where a task is assigned to a team.
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

/**
 * What the configuration lacks for a scenario, by variable; empty where it lacks nothing.
 * @param settings without the values that cannot be used
 * @param unusable the values that cannot be used: what is lacking names them
 */
export function lacksOf(
  { needs = [] }: { readonly needs?: readonly Need[] },
  settings: Settings,
  unusable: readonly UnusableValue[] = [],
): Lack[] {
  const unmet = needs
    .flatMap((need): readonly NeedRule[] => rules[need])
    .filter(([variable, atLeast]) => count[variable](settings) < atLeast);
  // Either of two variables gives a blocked route: the one that is lacking is the one that cannot be used.
  const isProxyUnusable = unusable.some(({ variable }) => variable === 'BLOCKED_PROXY_URL');
  const byVariable = new Map(
    unmet.map(([usual, , what]) => {
      const isOther = usual === 'BLOCKED_LOCAL_ADDRESS' && isProxyUnusable;
      const variable = isOther ? 'BLOCKED_PROXY_URL' : usual;
      return [variable, unusableLack(variable, what, unusable)];
    }),
  );
  return [...byVariable.values()];
}
