import type { Person } from '../../reference/records.ts';
import type { RefusalCause } from '../../reference/request.ts';
import {
  assignees,
  type Directory,
  type Notice,
  notificationRules,
} from '../../reference/rules/notification.ts';
import type { Rules } from '../../reference/rules.ts';
import { type Fault, fault, isObject, table } from './fault.ts';

type People = readonly Person[];

const toUser = 'notification.assigned-user-gets-email';
const toTeam = 'notification.assigned-team-gets-email';
const onReassign = 'notification.new-assignee-gets-email';
const toOthers = 'notification.nobody-else-gets-email';
const ofRefused = 'notification.refused-write-sends-no-email';

/** Sends the email of an assignment to other people than those to whom the task goes. */
const sending = (
  id: string,
  breaks: Fault['breaks'],
  choose: (people: People, notice: Notice, directory: Directory) => People,
): Fault =>
  fault(id, breaks, {
    peopleToNotify(notice, directory) {
      const people = notificationRules.peopleToNotify(notice, directory);
      return notice.change.kind === 'update' ? choose(people, notice, directory) : people;
    },
  });

const isTeams = ({ change }: Notice): boolean =>
  change.kind === 'update' && change.to.assigned_to_type === 'TEAM';

const former = ({ earlier }: Notice, directory: Directory): People =>
  earlier.assignment ? assignees(earlier.assignment, directory) : [];

const assigner = ({ change }: Notice, { users }: Directory): People =>
  users.filter(({ id }) => id === change.by);

/** Somebody to whom the task does not go, and in whose name it does not. */
const another = (people: People, notice: Notice, directory: Directory): People => {
  const involved = [...people, ...assigner(notice, directory)].map(({ address }) => address);
  return directory.users.filter(({ address }) => !involved.includes(address)).slice(-1);
};

/** Sends email of writes that are refused for this cause, to those whom the body names or to others. */
const sendingOfRefused = (
  id: string,
  cause: RefusalCause,
  wording: { readonly subject: string; readonly text: string } | undefined = undefined,
  choose: (people: People, directory: Directory) => People = (people) => people,
): Fault =>
  fault(id, [ofRefused], {
    emailsOfRefusal(refusal, body, directory) {
      const update = isObject(body) && isObject(body.update) ? body.update : undefined;
      if (refusal.cause !== cause || update === undefined) return [];
      const to = assignees(
        { assigned_to_id: String(update.assigned_to_id), assigned_to_type: 'USER' },
        directory,
      );
      const text = `A task is assigned to you: ${update.assignment_comment}`;
      return [{ to: choose(to, directory), subject: 'Task assigned', text, ...wording }];
    },
  });

const uninformative = { subject: 'Something has changed', text: 'Sign in to see what.' };

/** Rules that send a further email of each reassignment to whoever had the task before, without naming it. */
const emailToFormerAssignee: Partial<Rules> = {
  furtherEmails(notice, directory) {
    const to = former(notice, directory);
    const isNew = notice.change.kind === 'update' && to.length > 0;
    return isNew ? [{ to, subject: 'A task was taken from you', text: 'Sign in to see it.' }] : [];
  },
};

/** Email of assignments that goes wrong (Events; States and transitions). */
export const notificationFaults: readonly Fault[] = [
  sending('no-email-is-sent', [toUser, toTeam, onReassign], () => []),
  sending('email-is-sent-to-users-and-not-to-teams', [toTeam, onReassign], (people, notice) =>
    isTeams(notice) ? [] : people,
  ),
  sending('email-is-sent-to-teams-and-not-to-users', [toUser, onReassign], (people, notice) =>
    isTeams(notice) ? people : [],
  ),
  sending('email-is-sent-of-first-assignments-only', [onReassign], (people, { earlier }) =>
    earlier.assignment ? [] : people,
  ),
  sending('email-is-sent-of-reassignments-only', [toUser, toTeam], (people, { earlier }) =>
    earlier.assignment ? people : [],
  ),
  ...table(sending, [toTeam, onReassign], {
    'only-the-first-member-of-a-team-gets-email': (people) => people.slice(0, 1),
    'only-the-last-member-of-a-team-gets-email': (people) => people.slice(-1),
    'the-first-member-of-a-team-gets-all-its-email': (people) =>
      people.flatMap(() => people.slice(0, 1)),
  }),
  sending(
    'email-goes-to-the-former-assignee',
    [onReassign, toOthers],
    (people, notice, directory) => (notice.earlier.assignment ? former(notice, directory) : people),
  ),
  sending('email-goes-to-the-former-assignee-too', [toOthers], (people, notice, directory) => [
    ...people,
    ...former(notice, directory),
  ]),
  sending('email-goes-to-the-assigner', [toUser, toTeam, onReassign], (_, notice, directory) =>
    assigner(notice, directory),
  ),
  ...table(sending, [toUser, toTeam, onReassign, toOthers], {
    'email-goes-to-another-user': (people, notice, directory) => another(people, notice, directory),
    'email-goes-to-another-user-twice': (people, notice, directory) => {
      const wrong = another(people, notice, directory);
      return [...wrong, ...wrong];
    },
  }),
  ...table(sending, [toOthers], {
    'email-goes-to-another-user-too': (people, notice, directory) => [
      ...people,
      ...another(people, notice, directory),
    ],
    'email-goes-to-everybody': (_people, _notice, { users, teams }) => [
      ...users,
      ...teams.flatMap(({ members }) => members),
    ],
    'email-of-a-team-goes-to-every-team': (people, notice, { teams }) =>
      isTeams(notice) ? teams.flatMap(({ members }) => members) : people,
  }),
  sending('email-goes-to-a-wrong-address', [toUser, toTeam, onReassign], (people) =>
    people.map(({ name, address }) => ({ name, address: `x${address}` })),
  ),
  fault('the-email-of-the-former-assignment-is-sent-again', [onReassign], {
    peopleToNotify(notice, directory) {
      const isReassigned = notice.change.kind === 'update' && notice.earlier.assignment;
      return isReassigned
        ? former(notice, directory)
        : notificationRules.peopleToNotify(notice, directory);
    },
    wording(notice) {
      const { change, earlier } = notice;
      const comment = earlier.assignment?.assignment_comment ?? change.comment;
      return notificationRules.wording({ ...notice, change: { ...change, comment } });
    },
  }),
  fault('the-former-assignee-gets-a-word', [toOthers], emailToFormerAssignee),
  sendingOfRefused('a-write-refused-with-401-sends-email', 'unauthorized'),
  sendingOfRefused('a-write-refused-with-404-sends-email', 'unknown-task'),
  sendingOfRefused('a-write-refused-with-409-sends-email', 'version-mismatch'),
  sendingOfRefused('a-write-refused-with-401-sends-a-word', 'unauthorized', uninformative),
  sendingOfRefused('a-write-refused-with-404-sends-a-word', 'unknown-task', uninformative),
  sendingOfRefused('a-write-refused-with-409-sends-a-word', 'version-mismatch', uninformative),
  sendingOfRefused(
    'a-write-refused-with-409-sends-everybody-email',
    'version-mismatch',
    undefined,
    (_, { users }) => users,
  ),
];
