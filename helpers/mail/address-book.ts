import { sameId } from '../../schemas/resources.ts';
import type { Assignee } from '../api.ts';
import type { Settings } from '../config/settings.ts';
import { comparable } from './mailbox.ts';

type Emails = Pick<Settings, 'userEmails' | 'teamEmails'>;

/**
 * Whose address is whose, as it is configured. An address may be several people’s, and theirs in several roles.
 * Addresses are personal data: people are named by their ids.
 */
export class AddressBook {
  readonly #entries: readonly (Assignee & { readonly addresses: readonly string[] })[];

  constructor({ userEmails, teamEmails }: Emails) {
    const entries = { USER: userEmails, TEAM: teamEmails };
    this.#entries = (['USER', 'TEAM'] as const).flatMap((type) =>
      Object.entries(entries[type]).map(([id, addresses]) => ({
        type,
        id,
        addresses: [...new Set([addresses].flat().map(comparable))],
      })),
    );
  }

  /** Every address, once, in lower case. */
  get addresses(): readonly string[] {
    return [...new Set(this.#entries.flatMap(({ addresses }) => addresses))];
  }

  /** The addresses of a user, or of the members of a team; none where they are not configured. */
  of({ type, id }: Assignee): readonly string[] {
    const found = this.#entries.find((one) => one.type === type && sameId(one.id, id));
    return found?.addresses ?? [];
  }

  /** Whose an address is, without the address: "user 1f0c…, member 2 of team 9ab1…". */
  ownersOf(address: string): string {
    const names = this.#entries.flatMap(({ type, id, addresses }) => {
      const rank = addresses.indexOf(address) + 1;
      if (rank === 0) return [];
      return type === 'USER' ? `user ${id}` : `member ${rank} of team ${id}`;
    });
    return names.join(', ');
  }
}

/** The configured users whose address is known, but for those who share it with one before them. */
export function usersWithEmail({ userIds, ...emails }: Emails & Pick<Settings, 'userIds'>) {
  const book = new AddressBook(emails);
  const users = userIds.map((id): Assignee => ({ type: 'USER', id }));
  const addresses = users.map((user) => book.of(user)[0]);
  return users.filter(
    (_, at) => addresses[at] !== undefined && addresses.indexOf(addresses[at]) === at,
  );
}

/** The configured teams whose addresses are known. */
export function teamsWithEmail({ teamIds, ...emails }: Emails & Pick<Settings, 'teamIds'>) {
  const book = new AddressBook(emails);
  return teamIds
    .map((id): Assignee => ({ type: 'TEAM', id }))
    .filter((team) => book.of(team).length > 0);
}
