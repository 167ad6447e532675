import { expect, test } from 'vitest';
import type { Shape } from '../schemas/observations.ts';
import { publicName, shapeOf } from './shapes.ts';

test.for<[unknown, Shape]>([
  [null, 'null'],
  ['secret', 'string'],
  [
    { b: [1, 'x', null], a: { c: true } },
    { a: { c: 'boolean' }, b: ['null', 'number', 'string'] },
  ],
  [{ '0b0e3f5c-7f1d-4f6c-9a43-5f1f0c1d2e3f': 1, 'jane@example.com': 2 }, { '…': 'number' }],
  [{ 'ann@example.com': 'x', 'jane@example.com': 2 }, { '…': '…' }],
  [
    [{ b: 1, a: 2 }, { a: 3, b: 4 }, []],
    [[], { a: 'number', b: 'number' }],
  ],
  [[[[[[1]]]]], [[[['…']]]]],
])('the shape of %j is %j', ([value, shape]) => {
  expect(shapeOf(value)).toEqual(shape);
});

test.for([
  ['assessment_review', 'assessment_review'],
  ['status changed', 'status changed'],
  ['Prüfung', 'Prüfung'],
  ['jane@example.com', '…'],
  ['0B0E3F5C-7F1D-4F6C-9A43-5F1F0C1D2E3F', '…'],
  ['2026-11-20', '…'],
  ['Please call the customer about the documents that are missing here', '…'],
])('the name %s stands as %s', ([text, shown]) => {
  expect(publicName(text ?? '')).toBe(shown);
});
