import { describe, expect, test } from 'vitest';
import { marked, sides } from './blocks.ts';

function both(expected: string, actual: string): [string, string] {
  return [marked(expected, actual).text, marked(actual, expected).text];
}

describe('the differences of two values', () => {
  test('are none where they are the same', () => {
    expect(both('"USER"', '"USER"')).toEqual(['&quot;USER&quot;', '&quot;USER&quot;']);
    expect(both('', '')).toEqual(['', '']);
  });

  test('are marked from the first to the last that differs', () => {
    const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
    expect(both(id, id.replace('0c8f5f6b2d11', '0c8f5f6b2e11'))).toEqual([
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>d</mark>11',
      '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2<mark>e</mark>11',
    ]);
    expect(both('a b c d e', 'a c d x e')).toEqual([
      'a <mark>b c d</mark> e',
      'a <mark>c d x</mark> e',
    ]);
    expect(both('abcdefghijklmnopqrst and so on', 'abcdefghijklmnop.')).toEqual([
      'abcdefghijklmnop<mark>qrst and so on</mark>',
      'abcdefghijklmnop<mark>.</mark>',
    ]);
    expect(both('nothing', '')).toEqual(['<mark>nothing</mark>', '']);
  });

  test('are the lines that the other one lacks, where there are several', () => {
    expect(
      both('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', '{\n  "a": 4,\n  "b": 2,\n  "c": 5\n}'),
    ).toEqual([
      '{\n<mark>  &quot;a&quot;: 1,</mark>\n  &quot;b&quot;: 2,\n<mark>  &quot;c&quot;: 3</mark>\n}',
      '{\n<mark>  &quot;a&quot;: 4,</mark>\n  &quot;b&quot;: 2,\n<mark>  &quot;c&quot;: 5</mark>\n}',
    ]);
  });

  test('keep pairs of surrogates together', () => {
    expect(both('fine \u{1f642}', 'fine \u{1f643}')).toEqual([
      'fine <mark>\u{1f642}</mark>',
      'fine <mark>\u{1f643}</mark>',
    ]);
  });

  test('are escaped', () => {
    expect(both('<b>', '<i>')).toEqual(['&lt;<mark>b</mark>&gt;', '&lt;<mark>i</mark>&gt;']);
  });
});

test('values are marked, and no words of ours', () => {
  const page = (expected: string, actual: string) => sides({ expected, actual }).text;
  expect(page('"USER"', '"TEAM"')).toContain('<mark>TEAM</mark>');
  expect(page('one success, and 409 for the others', '200, 200, 409')).not.toContain('<mark>');
  expect(page('an ISO 8601 UTC timestamp', '"now"')).not.toContain('<mark>');
});
