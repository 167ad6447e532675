import { describe, expect, test } from 'vitest';
import { differences } from './difference.ts';

function marked(expected: string, actual: string): [string, string] {
  const both = differences(expected, actual);
  return [both.expected.text, both.actual.text];
}

describe('the differences of two texts', () => {
  test('are none where they are the same', () => {
    expect(marked('status 409', 'status 409')).toEqual(['status 409', 'status 409']);
    expect(marked('', '')).toEqual(['', '']);
  });

  test('are marked word by word', () => {
    expect(marked('status 409', 'status 200')).toEqual([
      'status <mark>409</mark>',
      'status <mark>200</mark>',
    ]);
    expect(marked('a b c d e', 'a c d x e')).toEqual([
      'a <mark>b </mark>c d e',
      'a c d<mark> x</mark> e',
    ]);
    expect(marked('nothing', '')).toEqual(['<mark>nothing</mark>', '']);
  });

  test('are marked as one piece between long texts', () => {
    const long = Array.from({ length: 2000 }, (_, index) => `w${index}`).join(' ');
    const [expected, actual] = marked(`start ${long} end`, `start ${long.toUpperCase()} end`);
    expect(expected).toBe(`start <mark>${long}</mark> end`);
    expect(actual).toBe(`start <mark>${long.toUpperCase()}</mark> end`);
  });

  test('are escaped', () => {
    expect(marked('<b>', '<i>')).toEqual(['&lt;<mark>b</mark>&gt;', '&lt;<mark>i</mark>&gt;']);
  });
});
