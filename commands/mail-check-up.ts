import type { Settings } from '../helpers/config/settings.ts';
import { AddressBook, teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { counted } from '../reports/wording.ts';
import type { Examination } from '../runner/examine.ts';
import type { Finding } from './check-up.ts';

/** What was found of the mailbox, and of the addresses; people are told of by their ids. */
export function mailFindings({ mailbox }: Examination, settings: Settings): Finding[] {
  const { url = '' } = settings.mailbox ?? {};
  if (mailbox === undefined) return [{ mark: 'note', text: 'MAILBOX_URL: none' }];
  const found: Finding =
    typeof mailbox === 'string'
      ? { mark: 'bad', text: mailbox }
      : {
          mark: 'ok',
          text: `${mailbox.kind} at ${url}: ${counted(mailbox.messages, 'message')} to the configured addresses`,
        };
  return [found, ...addressFindings(settings)];
}

function addressFindings(settings: Settings): Finding[] {
  const { userIds, assignedById } = settings;
  const book = new AddressBook(settings);
  const users = userIds.filter((id) => book.of({ type: 'USER', id }).length > 0).length;
  const teams = teamsWithEmail(settings);
  const isShared = users > usersWithEmail(settings).length;
  const hasAssigner =
    assignedById !== undefined && book.of({ type: 'USER', id: assignedById }).length > 0;
  return [
    {
      mark: users > 1 ? 'ok' : 'note',
      text: `USER_EMAILS has the addresses of ${users} of ${userIds.length} users${isShared ? ', some of them the same' : ''}`,
    },
    ...teams.map(({ type, id }): Finding => {
      const members = book.of({ type, id }).length;
      return members > 1
        ? { mark: 'ok', text: `team ${id}: ${members} members` }
        : { mark: 'note', text: `team ${id}: one member, who tells little of the others` };
    }),
    ...(teams.length === 0
      ? [{ mark: 'note', text: 'TEAM_EMAILS has the members of none of the teams' } as const]
      : []),
    ...(hasAssigner
      ? []
      : [
          {
            mark: 'note',
            text: 'USER_EMAILS lacks ASSIGNED_BY_ID: copies to the assigner are not observed',
          } as const,
        ]),
  ];
}
