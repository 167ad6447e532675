import type { Person, User } from '../../reference/records.ts';
import { type Email, type Notice, notificationRules } from '../../reference/rules/notification.ts';
import type { Rules } from '../../reference/rules.ts';
import { table } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

type Wording = Pick<Email, 'subject' | 'text' | 'html'>;

const addressing = (
  id: string,
  addressed: Rules['addressed'],
  opens: Variant['opens'] = 'notification.messages-to-a-team',
): Variant => variant(id, opens, { addressed });

const worded = (
  id: string,
  wording: (notice: Notice) => Wording,
  more: Pick<Variant, 'unseen'> = {},
): Variant => variant(id, { opens: 'notification.content', ...more }, { wording });

const sameContent = 'It shows the comment and names the task as before.';
const shortDelay = 'Delays below 15 seconds are not distinguished.';

/** Email of something else in the same mailbox. */
const withFurtherEmail = (id: string, furtherEmails: Rules['furtherEmails'], rules = {}): Variant =>
  variant(id, 'notification.nobody-else-gets-email', { furtherEmails, ...rules });

const together = (people: readonly Person[], headers: (people: readonly Person[]) => object) =>
  people.length === 0 ? [] : [headers(people)];

const otherTask = {
  subject: 'Task assigned: Document check',
  text: 'A task is assigned to you.\n\nTask: 00000000-0000-4000-8000-000000000000',
};

/** Sends the same email to further users. */
const copyTo = (
  choose: (notice: Notice, users: readonly User[]) => readonly User[],
): Partial<Rules> => ({
  furtherEmails: (notice, { users }) =>
    choose(notice, users).map((to) => ({ to: [to], ...notificationRules.wording(notice) })),
});

/** What the document leaves open of email (Events). */
export const notificationVariants: readonly Variant[] = [
  addressing('a-team-gets-one-message-together', (people) => together(people, (to) => ({ to }))),
  addressing('a-team-gets-one-message-in-blind-copy', (people) =>
    together(people, (bcc) => ({ bcc })),
  ),
  addressing('a-team-gets-one-message-the-others-in-copy', (people) =>
    together(people, ([first, ...cc]) => ({ to: first ? [first] : [], cc })),
  ),
  addressing('a-team-gets-one-message-and-one-each', (people) => [
    ...together(people, (to) => ({ to })),
    ...notificationRules.addressed(people),
  ]),
  addressing(
    'addresses-are-in-upper-case',
    (people) =>
      notificationRules.addressed(
        people.map(({ name, address }) => ({ name, address: address.toUpperCase() })),
      ),
    'notification.assigned-user-gets-email',
  ),
  addressing(
    'every-message-goes-to-a-log-too',
    (people) =>
      people.map((person) => ({
        to: [person],
        bcc: [{ name: '', address: 'log@service.example' }],
      })),
    'notification.nobody-else-gets-email',
  ),
  worded(
    'email-is-html-only',
    (notice) => {
      const { subject, text } = notificationRules.wording(notice);
      return { subject, html: `<p>${text?.replaceAll('\n\n', '</p><p>')}</p>` };
    },
    { unseen: sameContent },
  ),
  worded(
    'email-is-html-and-text',
    (notice) => {
      const { subject, text = '' } = notificationRules.wording(notice);
      return { subject, text, html: `<p>${text.replaceAll('\n\n', '</p><p>')}</p>` };
    },
    { unseen: sameContent },
  ),
  worded(
    'email-is-in-another-language',
    ({ task, change }) => ({
      subject: `Ανάθεση: ${task.c_name} 課題が割り当てられました`,
      text: `Σας ανατέθηκε μια εργασία (${task.id}). ${change.comment}`,
    }),
    { unseen: sameContent },
  ),
  worded('email-shows-no-comment', ({ task }) => ({
    subject: 'Task assigned',
    html: `<a href="https://service.example/tasks/${task.id.toUpperCase()}">Open it</a>`,
  })),
  worded('email-shows-the-comment-and-not-the-task', ({ change }) => ({
    subject: 'Task assigned',
    text: `${change.comment}`,
  })),
  worded('email-shows-the-beginning-of-the-comment', ({ change }) => ({
    subject: `Task assigned: ${change.comment?.slice(0, 30)}…`,
    text: 'Sign in to see more.',
  })),
  worded('email-says-nothing-of-the-task', () => ({
    subject: 'You have a new task',
    text: 'Sign in to see it.',
  })),
  worded('email-shows-the-former-comment', (notice) => {
    const { earlier, change } = notice;
    const comment = earlier.assignment?.assignment_comment ?? change.comment;
    return notificationRules.wording({ ...notice, change: { ...change, comment } });
  }),
  ...table(
    variant,
    { opens: 'notification.delay', unseen: shortDelay },
    {
      'email-comes-a-little-later': { mailDelay: () => 15 },
      'members-get-email-one-after-another': { mailDelay: (index) => index * 15 },
    },
  ),
  variant(
    'the-assigner-gets-a-copy',
    { opens: 'notification.copy-to-the-assigner', follows: ['notification.of-an-unassignment'] },
    copyTo(({ change }, users) => users.filter(({ id }) => id === change.by)),
  ),
  ...table(variant, 'notification.of-an-unassignment', {
    'the-former-assignee-gets-email-of-an-unassignment': copyTo(({ change, earlier }, users) =>
      change.kind === 'unassign'
        ? users.filter(({ id }) => id === earlier.assignment?.assigned_to_id)
        : [],
    ),
    'everybody-gets-email-of-an-unassignment': copyTo(({ change }, users) =>
      change.kind === 'unassign' ? users : [],
    ),
  }),
  withFurtherEmail('others-get-email-of-other-tasks-meanwhile', (_, { users }) =>
    users.map((to) => ({ to: [to], ...otherTask })),
  ),
  withFurtherEmail(
    'email-of-other-tasks-comes-before-that-of-this-one',
    (_, { users }) => users.map((to) => ({ to: [to], ...otherTask })),
    { mailDelay: (index: number) => (index === 0 ? 20 : 0) } satisfies Partial<Rules>,
  ),
  withFurtherEmail('people-who-are-not-configured-get-email-meanwhile', () => [
    { to: [{ name: 'Somebody', address: 'somebody@elsewhere.example' }], ...otherTask },
  ]),
];
