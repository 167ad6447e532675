import { expect, test } from 'vitest';
import { readingsOf } from './cell-readings.ts';

const id = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;

/** What each reading of these cells shows in the first of them, by its name. */
function shown(heading: string, cells: readonly string[]): string[][] {
  return readingsOf(heading, cells).map(({ name, read }) => [name, ...read(cells[0] ?? '')]);
}

test('JSON is read field by field, however deep, lists and lists of keys and values too', () => {
  const cells = [
    '{"meta":{"tag":["kyc","pep"]},"fields":[{"key":"task_id","value":"t-1"}],"n":null}',
    '{"meta":{"tag":"kyc"}}',
  ];
  expect(shown('Metadata', cells)).toEqual([
    ['tag', 'kyc', 'pep'],
    ['task_id', 't-1'],
  ]);
});

test('a value of `key: value` lines ends with its line, and may end before', () => {
  const cells = ['Tag: sanctions,eu\nTask id: t-1', 'Tag: kyc\nTask id: t-2'];
  const read = shown('Details', cells);
  expect(read.filter(([name]) => name === 'Tag')).toEqual([
    ['Tag', 'sanctions,eu'],
    ['Tag', 'sanctions'],
    ['Tag', 'sanctions', 'eu'],
  ]);
  expect(read).toContainEqual(['Task id', 't-1']);
});

test('a key may hold what patterns give a meaning to', () => {
  const cells = ['request-id: r-1\nTask.id: t-1', 'request-id: r-2\nTask.id: t-2'];
  expect(shown('Details', cells)).toContainEqual(['request-id', 'r-1']);
});

test('`key=value` is found inside a text', () => {
  const cells = ['Done; seq=1; tag=high risk; task_id=t-1', 'Done; seq=2; tag=kyc; task_id=t-2'];
  expect(shown('Remarks', cells)).toContainEqual(['tag', 'high risk']);
});

test('a map as Java writes it ends no value', () => {
  const read = shown('Metadata', ['{task_id=t-1, tag=kyc}', '{tag=high risk, task_id=t-2}']);
  expect(read).toContainEqual(['tag', 'kyc']);
});

test('people are read as `Name (id)`, both sides', () => {
  const cells = [`Ann Lee (${id(1)})`, `Bo Ek (${id(2)})`];
  const read = shown('Person', cells);
  expect(read).toContainEqual(['Person', id(1)]);
  expect(read).toContainEqual(['Person', 'Ann Lee']);
});

test('a label may stand for a code', () => {
  const read = shown('Source', ['Task platform', 'Assessment service']);
  expect(read).toContainEqual(['Source', 'task_platform']);
});

test('ids in capitals may be written in small letters', () => {
  const cells = [1, 2].map((number) => id(number).replace('4000', 'ABCD'));
  expect(shown('Task', cells)).toEqual([
    ['Task', cells[0]],
    ['Task', cells[0]?.toLowerCase()],
  ]);
});

test('a sentence is read by the words before ids, and by its words', () => {
  const cells = [`Ann created task ${id(1)} (tag kyc)`, `Bo closed task ${id(2)} (tag pep)`];
  const read = shown('Event', cells);
  expect(read).toContainEqual(['created task', id(1)]);
  expect(read.some(([, ...values]) => values.includes('created'))).toBe(true);
  expect(read).toContainEqual(['tag', 'kyc']);
});

test('a guard against formulas is no part of a value', () => {
  const read = readingsOf('Tag', ["'-kyc", 'pep']);
  expect(read[0]?.read("'-kyc")).toEqual(['-kyc']);
  expect(read[0]?.read("'kyc'")).toEqual(["'kyc'"]);
});
