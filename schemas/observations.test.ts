import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openClauses } from './clauses.ts';
import { canonical, factSet, type Observation, observations } from './observations.ts';

test('every open clause that requests can show has a form, and no other clause', () => {
  expect(Object.keys(observations).sort()).toEqual([...openClauses].sort());
});

describe('a form is a strict schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });

  test.for(Object.entries(observations))('%s', ([, schema]) => {
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  test.for([
    ['update.success-status', 204, true],
    ['update.success-status', '204', false],
    ['update.quoted-if-match', { when: 'in quotes', outcome: { refused: 409 } }, true],
    ['update.quoted-if-match', { when: 'in quotes', outcome: { accepted: 'assigned' } }, true],
    ['update.quoted-if-match', { when: 'in brackets', outcome: { refused: 409 } }, false],
    ['update.quoted-if-match', { when: 'in quotes', outcome: { refused: 409 }, more: 1 }, false],
    ['export.csv-form', { delimiter: ';' }, true],
    ['export.csv-form', { delimiter: ';', headings: true }, false],
    ['export.csv-form', {}, false],
    ['fields.further-fields', { on: 'task', field: null }, true],
    ['fields.further-fields', { on: 'task', field: 'labels', shape: ['string'] }, true],
  ] as const)('%s: %j: %j', ([id, fact, fits]) => {
    expect(ajv.validate(observations[id], fact)).toBe(fits);
  });
});

test('the types are those of the schemas', () => {
  const facts: { readonly [Id in keyof typeof observations]?: Observation<Id> } = {
    'update.success-status': 200,
    // @ts-expect-error there is no such situation
    'update.if-match-star': { when: 'star', outcome: { refused: 409 } },
    // @ts-expect-error the outcome is missing
    'update.body-with-both-objects': { when: 'both' },
    // @ts-expect-error there is no such field
    'export.file-name': { of: 'csv', contentDisposition: null, more: 1 },
    // @ts-expect-error dates differ from run to run
    'get-task.success-status': new Date(),
  };
  expect(Object.keys(facts)).toHaveLength(5);
});

test('equal facts are equal texts, whatever the order of their fields', () => {
  expect(canonical({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});

test('a set of facts holds each once, in a fixed order', () => {
  const facts = [{ b: 1, a: 2 }, 'x', { a: 2, b: 1 }, 'x', 404];
  expect(factSet(facts)).toEqual(['x', 404, { a: 2, b: 1 }]);
  expect(factSet(facts.toReversed())).toEqual(['x', 404, { a: 2, b: 1 }]);
});
