import { expect, test } from 'vitest';
import { parametersOf, readListIn } from './query.ts';

const query = '/?a=1&a[]=2&a%5B0%5D=3&a=4,5&a[x]=6&ab=7&b=8';

test.for([
  ['repeat', ['1', '4,5']],
  ['brackets', ['2']],
  ['indices', ['3']],
  ['comma', ['1', '4', '5']],
] as const)('%s reads %j', ([encoding, values]) => {
  expect(readListIn([encoding])(parametersOf(query), 'a')).toEqual(values);
});

test('several encodings are read together, in the order in which values were sent', () => {
  expect(readListIn(['indices', 'repeat', 'brackets'])(parametersOf(query), 'a')).toEqual([
    '1',
    '2',
    '3',
    '4,5',
  ]);
});
