import { sameId } from '../../schemas/resources.ts';
import type { Person, TaskRecord, Team, User } from '../records.ts';
import type { Refusal } from '../request.ts';
import type { Change } from './assignment.ts';

/** All users, the one who assigns among them, and all teams. */
export interface Directory {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

/** An email, before it is encoded. */
export interface Email {
  readonly to?: readonly Person[];
  readonly cc?: readonly Person[];
  readonly bcc?: readonly Person[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** A change of assignment that people may get email about. */
export interface Notice {
  readonly task: TaskRecord;
  /** The task as it was before. */
  readonly earlier: TaskRecord;
  readonly change: Change;
}

/** The assigned user, or the members of the assigned team; nobody where the ids are not known. */
export function assignees(
  { assigned_to_id, assigned_to_type }: Extract<Change, { kind: 'update' }>['to'],
  { users, teams }: Directory,
): readonly Person[] {
  return assigned_to_type === 'USER'
    ? users.filter(({ id }) => sameId(id, assigned_to_id))
    : teams.filter(({ id }) => sameId(id, assigned_to_id)).flatMap(({ members }) => members);
}

/** Who gets which email (Events; States and transitions). */
export const notificationRules = {
  /** Assigning a task sends an email to the assigned user or to the members of the assigned team. */
  peopleToNotify: ({ change }: Notice, directory: Directory): readonly Person[] =>
    change.kind === 'update' ? assignees(change.to, directory) : [],
  /** A refused write sends nobody an email; `body` is the parsed one, or undefined. */
  emailsOfRefusal: (
    _refusal: Refusal,
    _body: unknown,
    _directory: Directory,
  ): readonly Email[] => [],
  /** The document does not say whether several people get one message or one each, nor how it is addressed. */
  addressed: (people: readonly Person[]): readonly Pick<Email, 'to' | 'cc' | 'bcc'>[] =>
    people.map((person) => ({ to: [person] })),
  /** The document does not say what the email contains, nor whether it is HTML or text. */
  wording({ task, change }: Notice): Pick<Email, 'subject' | 'text' | 'html'> {
    const name = task.name ?? task.c_name;
    const comment = change.comment ?? '(no comment)';
    const lines = [`A task is assigned to you: ${name}`, `Task: ${task.id}`, `Comment: ${comment}`];
    return { subject: `Task assigned: ${name}`, text: lines.join('\n\n') };
  },
  /** The document does not say how soon an email is sent: in milliseconds, for each of several in turn. */
  mailDelay: (_index: number): number => 0,
  /** The document does not say whether others get email too; other people’s email arrives in the same mailbox. */
  furtherEmails: (_notice: Notice, _directory: Directory): readonly Email[] => [],
};
