import { expect, test } from 'vitest';
import { piecesOfKey } from './sent-key.ts';

const key = 'aBcD1234';

test.for([
  ['the key', key, undefined],
  ['none', '', [{ text: 'another-key' }]],
  ['text before it', `Bearer ${key}`, [{ text: 'Bearer ' }, { from: 0, to: 8 }]],
  ['text around it', `"${key}"`, [{ text: '"' }, { from: 0, to: 8 }, { text: '"' }]],
  ['it twice', `${key}, ${key}`, [{ from: 0, to: 8 }, { text: ', ' }, { from: 0, to: 8 }]],
  ['its first half', 'aBcD', [{ from: 0, to: 4 }]],
  ['another case', 'AbCd1234', [{ from: 0, to: 8, isCaseSwapped: true }]],
  ['another end', 'aBcD123x', [{ from: 0, to: 7 }, { text: 'x' }]],
  ['another beginning', 'xBcD1234', [{ text: 'x' }, { from: 1, to: 8 }]],
  ['a space inside', 'aBcD 1234', [{ from: 0, to: 4 }, { text: ' ' }, { from: 4, to: 8 }]],
  ['another key', 'qqqqqqqq', [{ text: 'another-key' }]],
] as const)('how a key was made of the configured one: %s', ([, sent, pieces]) => {
  expect(piecesOfKey(sent, key)).toEqual(pieces);
});
