import { expect, test } from 'vitest';
import { AddressBook, teamsWithEmail, usersWithEmail } from './address-book.ts';

const emails = {
  userEmails: { ann: 'Ann@x.example', bob: 'bob@x.example', eve: 'ANN@x.example' },
  teamEmails: { kyc: ['bob@x.example', 'desk@x.example', 'Desk@x.example'] },
};

test('an address is one whatever its case, and that of several people', () => {
  const book = new AddressBook(emails);
  expect(book.addresses).toEqual(['ann@x.example', 'bob@x.example', 'desk@x.example']);
  expect(book.of({ type: 'TEAM', id: 'KYC' })).toEqual(['bob@x.example', 'desk@x.example']);
  expect(book.of({ type: 'USER', id: 'kyc' })).toEqual([]);
});

test('people are named by their ids', () => {
  const book = new AddressBook(emails);
  expect(book.ownersOf('ann@x.example')).toBe('user ann, user eve');
  expect(book.ownersOf('bob@x.example')).toBe('user bob, member 1 of team kyc');
  expect(book.ownersOf('desk@x.example')).toBe('member 2 of team kyc');
});

test('users to try are those with an address of their own, in the order of USER_IDS', () => {
  const users = usersWithEmail({ userIds: ['zoe', 'eve', 'ann', 'bob'], ...emails });
  expect(users.map(({ id }) => id)).toEqual(['eve', 'bob']);
  const teams = teamsWithEmail({ teamIds: ['audit', 'kyc'], ...emails });
  expect(teams).toEqual([{ type: 'TEAM', id: 'kyc' }]);
});
