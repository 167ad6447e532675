import { expect, test } from 'vitest';
import { sampleOf } from './samples.ts';

test.for<[string, unknown]>([
  ['null', null],
  ['string', 'text'],
  ['{}', {}],
  ['[]', []],
  ['[null | number]', [null, 1]],
  ['{a: {b: boolean}, c: [{d: string}]}', { a: { b: true }, c: [{ d: 'text' }] }],
  ['{a: string}, b', undefined],
  ['{a: …}', undefined],
  ['no JSON', undefined],
])('a value of the shape %s', ([shape, value]) => {
  expect(sampleOf(shape)).toEqual(value);
});

test('texts say what the name of their field asks for', () => {
  const text = (name: string) => (name === 'status' ? 409 : `the ${name}`);
  expect(sampleOf('{status: number, code: string, title: string}', text)).toEqual({
    status: 409,
    code: 'the code',
    title: 'the title',
  });
});
