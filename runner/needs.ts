import type { Settings } from '../helpers/config/settings.ts';
import { teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Variable } from '../schemas/configuration.ts';
import { assessmentFields, taskFields } from '../schemas/resources.ts';
import type { Lack, UnusableValue } from '../schemas/results.ts';
import { lists, unusableLack } from './unusable.ts';

/** What must hold of the settings for a need to be met; a need can have several rules. */
interface NeedRule {
  /** The variable to set for the need to be met. */
  readonly variable: Variable;
  /** Another variable that would meet the need as well. */
  readonly or?: Variable;
  readonly met: (settings: Settings) => boolean;
  /** What is missing, as a phrase. */
  readonly what: string;
}

/** A rule that is met where the list in the settings has `count` entries or more. */
const atLeast = (
  variable: Variable,
  count: number,
  list: (settings: Settings) => readonly unknown[],
  what: string,
): NeedRule => ({ variable, met: (settings) => list(settings).length >= count, what });

/** A rule that is met where as many ids are configured, or more. */
const ids = (variable: keyof typeof lists, count: number, what: string): NeedRule =>
  atLeast(variable, count, (settings) => settings[lists[variable]], what);

const rules = {
  task: [ids('TASK_IDS', 1, 'a task')],
  'writable-task': [
    ids('TASK_IDS', 1, 'a task'),
    {
      variable: 'ALLOW_WRITES',
      met: ({ writes }) => writes,
      what: 'permission to assign tasks on this target (yes, and no --read-only)',
    },
    ids('ASSIGNED_BY_ID', 1, 'the user who makes the assignments'),
  ],
  'two-tasks': [ids('TASK_IDS', 2, 'a second task')],
  user: [ids('USER_IDS', 1, 'a user')],
  'two-users': [ids('USER_IDS', 2, 'a second user')],
  team: [ids('TEAM_IDS', 1, 'a team')],
  assessment: [ids('ASSESSMENT_IDS', 1, 'an assessment')],
  'two-assessments': [ids('ASSESSMENT_IDS', 2, 'a second assessment')],
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
        (blockedLocalAddress ?? blockedProxyUrl) !== undefined,
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
    .filter((rule) => !rule.met(settings));
  const isUnusable = (variable: Variable): boolean =>
    unusable.some((one) => one.variable === variable);
  const byVariable = new Map(
    unmet.map(({ variable: usual, or: alternative, what }) => {
      const variable = alternative !== undefined && isUnusable(alternative) ? alternative : usual;
      return [variable, unusableLack(variable, what, unusable)];
    }),
  );
  return [...byVariable.values()];
}
