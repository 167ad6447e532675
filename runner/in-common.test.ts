import { expect, test } from 'vitest';
import type { Case } from '../helpers/outcomes.ts';
import { inCommon } from './in-common.ts';

const request = 'PUT /tasks/{id}/update-assignment';
const cases = (is: Case['is'], ...facts: readonly string[][]): Case[] =>
  facts.map((some) => ({ facts: some, request, is }));

const difference = { kind: 'status', when: 'a write', expected: '409', actual: 200 } as const;
const common = 'a write with a wrong version';

/** What is said of the first wrong one of these, which one scenario has seen, beside those of others. */
const said = (own: readonly Case[], others: readonly Case[] = []) => {
  const told = inCommon({ difference, on: [], cases: own, common }, [...own, ...others]);
  return told.kind === 'status' ? told.when : told.kind;
};

test('what all wrong ones have in common is said, and what one scenario shows by chance is not', () => {
  const own = [
    ...cases('wrong', ['an old version', 'to a team', 'right after a read']),
    ...cases('right', ['an old version', 'to a user']),
  ];
  expect(said(own)).toBe('a write (to a team)');
  const refuting = cases('right', ['an old version', 'to a team']);
  expect(said(own, refuting)).toBe('a write (right after a read)');
  const refutingBoth = [...refuting, ...cases('right', ['an old version', 'right after a read'])];
  expect(said(own, refutingBoth)).toBe('a write (to a team, right after a read)');
});

test('of other requests nothing follows', () => {
  const own = [...cases('wrong', ['a key', 'to a team']), ...cases('right', ['a key'])];
  const [other] = cases('right', ['a key', 'to a team']);
  const ofReads = other === undefined ? [] : [{ ...other, request: 'GET /tasks/{id}' }];
  expect(said(own, ofReads)).toBe('a write (to a team)');
});

test('what is wrong in all that was judged is said in general', () => {
  const own = cases('wrong', ['an old version'], ['no version']);
  expect(said(own, cases('not judged', ['a version of another task']))).toBe(common);
  expect(said(own, cases('right', ['a version of another task']))).toBe('a write');
});

test('so is what is wrong in all kinds under one condition', () => {
  const wrong = cases('wrong', ['an old version', 'to a team'], ['no version', 'to a team']);
  const right = cases('right', ['an old version', 'to a user'], ['no version', 'to a user']);
  expect(said([...wrong, ...right])).toBe(`${common} (to a team)`);
});

test('where nothing distinguishes all wrong ones, their own kind is looked at, if there are several', () => {
  const ofKind = cases('wrong', ['an old version', 'to a team'], ['an old version', 'to a team']);
  const right = cases('right', ['an old version', 'to a user']);
  const otherwise = cases('wrong', ['no version', 'to a user']);
  expect(said([...ofKind, ...right], otherwise)).toBe('a write (to a team)');
  expect(said([...ofKind.slice(1), ...right], otherwise)).toBe('a write');
});
