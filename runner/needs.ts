import type { Settings } from '../helpers/config/settings.ts';
import { teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import type { Variable } from '../schemas/configuration.ts';
import type { AnyScenario, Need } from './scenario.ts';

interface NeedRule {
  /** The variable that would meet it. */
  readonly variable: Variable;
  readonly met: (settings: Settings) => boolean;
  /** What is missing, in words. */
  readonly lack: string;
}

/** A task to write to takes more than the task: leave to write, and a user to write as. */
const writing: readonly NeedRule[] = [
  {
    variable: 'ALLOW_WRITES',
    met: ({ writes }) => writes,
    lack: 'leave to assign tasks on this target (yes, and no --read-only)',
  },
  {
    variable: 'ASSIGNED_BY_ID',
    met: ({ assignedById }) => assignedById !== undefined,
    lack: 'the user in whose name assignments are made',
  },
];

const atLeast = (
  variable: Variable,
  count: number,
  list: (settings: Settings) => readonly string[],
  what: string,
): NeedRule => ({
  variable,
  met: (settings) => list(settings).length >= count,
  lack: count === 1 ? what : what.replace(/^an?/, 'a second'),
});

const rules: Readonly<Record<Need, readonly NeedRule[]>> = {
  task: [atLeast('TASK_IDS', 1, ({ taskIds }) => taskIds, 'a task')],
  'writable-task': [atLeast('TASK_IDS', 1, ({ taskIds }) => taskIds, 'a task'), ...writing],
  'two-writable-tasks': [atLeast('TASK_IDS', 2, ({ taskIds }) => taskIds, 'a task'), ...writing],
  user: [atLeast('USER_IDS', 1, ({ userIds }) => userIds, 'a user')],
  'two-users': [atLeast('USER_IDS', 2, ({ userIds }) => userIds, 'a user')],
  team: [atLeast('TEAM_IDS', 1, ({ teamIds }) => teamIds, 'a team')],
  assessment: [atLeast('ASSESSMENT_IDS', 1, ({ assessmentIds }) => assessmentIds, 'an assessment')],
  'other-region': [
    {
      variable: 'WRONG_REGION_URL',
      met: ({ wrongRegionUrl }) => wrongRegionUrl !== undefined,
      lack: 'the address of another region',
    },
  ],
  'blocked-route': [
    {
      variable: 'BLOCKED_LOCAL_ADDRESS',
      met: ({ blockedLocalAddress, blockedProxyUrl }) =>
        blockedLocalAddress !== undefined || blockedProxyUrl !== undefined,
      lack: 'an address that is not on the allow list (or BLOCKED_PROXY_URL)',
    },
  ],
  mailbox: [
    {
      variable: 'MAILBOX_URL',
      met: ({ mailbox }) => mailbox !== undefined,
      lack: 'a mailbox that shows the email of the target',
    },
  ],
  'user-with-email': [
    {
      variable: 'USER_EMAILS',
      met: (settings) => usersWithEmail(settings).length > 0,
      lack: 'the address of one of USER_IDS',
    },
  ],
  'two-users-with-email': [
    {
      variable: 'USER_EMAILS',
      met: (settings) => usersWithEmail(settings).length > 1,
      lack: 'two different addresses, of two of USER_IDS',
    },
  ],
  'team-with-email': [
    {
      variable: 'TEAM_EMAILS',
      met: (settings) => teamsWithEmail(settings).length > 0,
      lack: 'the addresses of the members of one of TEAM_IDS',
    },
  ],
};

/** What the configuration lacks for a scenario, as a sentence; undefined where it lacks nothing. */
export function lackOf(scenario: AnyScenario, settings: Settings): string | undefined {
  const unmet = (scenario.needs ?? []).flatMap((need) =>
    rules[need].filter((rule) => !rule.met(settings)),
  );
  if (unmet.length === 0) return undefined;
  const named = new Map(unmet.map(({ variable, lack }) => [variable, `${variable}: ${lack}`]));
  return `Not configured: ${[...named.values()].join('; ')}.`;
}
