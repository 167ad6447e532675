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

  test('are marked from the first to the last that differs, short words whole', () => {
    expect(marked('status 409', 'status 400')).toEqual([
      'status <mark>409</mark>',
      'status <mark>400</mark>',
    ]);
    expect(marked('a b c d e', 'a c d x e')).toEqual([
      'a <mark>b c d</mark> e',
      'a <mark>c d x</mark> e',
    ]);
    expect(marked('nothing', '')).toEqual(['<mark>nothing</mark>', '']);
  });

  test('are marked line by line where there are as many lines', () => {
    expect(
      marked('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', '{\n  "a": 4,\n  "b": 2,\n  "c": 5\n}'),
    ).toEqual([
      '{\n  &quot;a&quot;: <mark>1</mark>,\n  &quot;b&quot;: 2,\n  &quot;c&quot;: <mark>3</mark>\n}',
      '{\n  &quot;a&quot;: <mark>4</mark>,\n  &quot;b&quot;: 2,\n  &quot;c&quot;: <mark>5</mark>\n}',
    ]);
  });

  test('are marked by character within long words', () => {
    const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
    expect(marked(id, id.replace('0c8f5f6b2d11', '0c8f5f6b2e11'))).toEqual([
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>d</mark>11',
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>e</mark>11',
    ]);
    expect(marked('abcdefghijklmnopqrst and so on', 'abcdefghijklmnop.')).toEqual([
      'abcdefghijklmnop<mark>qrst and so on</mark>',
      'abcdefghijklmnop<mark>.</mark>',
    ]);
  });

  test('keep pairs of surrogates together', () => {
    expect(marked('fine \u{1f642}', 'fine \u{1f643}')).toEqual([
      'fine <mark>\u{1f642}</mark>',
      'fine <mark>\u{1f643}</mark>',
    ]);
  });

  test('are escaped', () => {
    expect(marked('<b>', '<i>')).toEqual(['&lt;<mark>b</mark>&gt;', '&lt;<mark>i</mark>&gt;']);
  });
});
