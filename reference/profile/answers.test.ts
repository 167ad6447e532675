import { expect, test } from 'vitest';
import type { Shape } from '../../schemas/observations.ts';
import { isComplete, sampleOf } from './answers.ts';

test.for<[Shape, unknown]>([
  ['null', null],
  ['string', 'text'],
  [{}, {}],
  [[], []],
  [
    ['null', 'number'],
    [null, 1],
  ],
  [
    { a: { b: 'boolean' }, c: [{ d: 'string' }] },
    { a: { b: true }, c: [{ d: 'text' }] },
  ],
])('a value of the shape %j', ([shape, value]) => {
  expect(isComplete(shape)).toBe(true);
  expect(sampleOf(shape)).toEqual(value);
});

test.for<[Shape | undefined]>([[undefined], ['…'], [{ a: '…' }], [[{ b: ['…'] }]]])(
  'no value can be made of the shape %j',
  ([shape]) => {
    expect(isComplete(shape)).toBe(false);
  },
);

test('texts and numbers hold what the name of their field asks for', () => {
  const content = (name: string) => (name === 'status' ? 409 : `the ${name}`);
  const shape = { status: 'number', code: 'string', count: 'number', titles: ['string'] };
  expect(sampleOf(shape, content)).toEqual({
    status: 409,
    code: 'the code',
    count: 1,
    titles: ['the titles'],
  });
});
