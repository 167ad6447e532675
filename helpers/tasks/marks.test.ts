import { expect, test } from 'vitest';
import { markOf, newRun, runsIn } from './marks.ts';

const run = '48213907';
const mark = markOf(run, 17);

test('a mark is digits alone, and names its run', () => {
  expect(mark).toBe('482139070017266516');
  expect(runsIn(mark)).toEqual([run]);
});

test.for<[string, string]>([
  ['in a comment', `Contract test ${mark}: phased actuating frame.`],
  ['in capitals, and trimmed', `CONTRACT TEST ${mark}`],
  ['cut off after it', `${mark}: "quo`],
  ['in the body of a write', JSON.stringify({ update: { assignment_comment: `"${mark}" ß` } })],
  ['among letters', `no${mark}no`],
])('it is found %s', ([, text]) => {
  expect(runsIn(text)).toEqual([run]);
});

test.for<[string, string]>([
  ['a comment that is like one', 'Contract test 4f2a: phased actuating frame.'],
  ['another number as long', '482139070017266517'],
  ['a mark with two digits exchanged', '842139070017266516'],
  ['a part of a longer number', `1${mark}`],
  ['a mark that was cut short', mark.slice(0, -1)],
  ['nothing but zeros', '000000000000000000'],
  ['an instant in nanoseconds', '1793871000000000000'],
])('%s is none', ([, text]) => {
  expect(runsIn(text)).toEqual([]);
});

test('no two marks of a run are the same, and no two runs', () => {
  const marks = Array.from({ length: 10_000 }, (_, number) => markOf(run, number));
  expect(new Set(marks).size).toBe(10_000);
  expect(new Set(Array.from({ length: 100 }, newRun)).size).toBe(100);
});
