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
      'a c d <mark>x </mark>e',
    ]);
    expect(marked('nothing', '')).toEqual(['<mark>nothing</mark>', '']);
  });

  test('are marked by character within long words and long runs', () => {
    const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
    expect(marked(id, id.replace('0c8f5f6b2d11', '0c8f5f6b2e11'))).toEqual([
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>d</mark>11',
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>e</mark>11',
    ]);
    const long = Array.from({ length: 4000 }, (_, index) =>
      String.fromCodePoint(97 + ((index * 7) % 26)),
    );
    const changed = long.with(1000, 'X').toSpliced(3000, 1).join('');
    const [expected, actual] = marked(long.join(''), changed);
    expect(expected.match(/<mark>.*?<\/mark>/g)).toEqual([
      `<mark>${long[1000]}</mark>`,
      `<mark>${long[3000]}</mark>`,
    ]);
    expect(actual.match(/<mark>.*?<\/mark>/g)).toEqual(['<mark>X</mark>']);
  });

  test('begin where a long word goes on otherwise', () => {
    expect(marked('abcdefghijklmnopqrst and so on', 'abcdefghijklmnop.')).toEqual([
      'abcdefghijklmnop<mark>qrst and so on</mark>',
      'abcdefghijklmnop<mark>.</mark>',
    ]);
  });

  test('are marked whole where two long words have little in common', () => {
    expect(marked('abcdefghijklmnop', 'qrstuvwxyzabcdef')).toEqual([
      '<mark>abcdefghijklmnop</mark>',
      '<mark>qrstuvwxyzabcdef</mark>',
    ]);
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
