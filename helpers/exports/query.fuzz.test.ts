import fc from 'fast-check';
import '../fuzz-seed.fixture.ts';
import { expect, test } from 'vitest';
import { encodeQuery } from './query.ts';

// Whatever values hold: a server that decodes the query gets them back. A failure prints the seed that repeats it.

const values = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});

test.for([
  ['repeat', (params: URLSearchParams) => params.getAll('event_type')],
  ['brackets', (params: URLSearchParams) => params.getAll('event_type[]')],
  [
    'indices',
    (params: URLSearchParams, count: number) =>
      Array.from({ length: count }, (_, index) => params.get(`event_type[${index}]`)),
  ],
] as const)('a list in the encoding %s', ([encoding, decode]) => {
  fc.assert(
    fc.property(values, values, (types, tags) => {
      const tag = tags.slice(0, 1);
      const query = encodeQuery({ filters: { event_type: types, 'metadata[tag]': tag }, encoding });
      expect(query).toMatch(/^[\w.~!'()*%=&-]*$/);
      const params = new URLSearchParams(query);
      expect(decode(params, types.length)).toEqual(types);
      expect(params.getAll('metadata[tag]')).toEqual(tag);
      expect([...params]).toHaveLength(types.length + 1);
    }),
  );
});

test('a list separated by commas, of values that hold none', () => {
  fc.assert(
    fc.property(values, (types) => {
      fc.pre(types.every((one) => !one.includes(',')));
      const params = new URLSearchParams(
        encodeQuery({ filters: { event_type: types }, encoding: 'comma' }),
      );
      expect(params.get('event_type')?.split(',')).toEqual(types);
    }),
  );
});
