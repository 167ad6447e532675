import { describe, expect, test } from 'vitest';
import { prettyJson } from './evidence.ts';

describe('JSON for people', () => {
  test('has a line for each value', () => {
    expect(prettyJson('{"a":[1,2],"b":{},"c":[],"d":"x, {y}: \\"z\\""}')).toBe(
      [
        '{',
        '  "a": [',
        '    1,',
        '    2',
        '  ],',
        '  "b": {},',
        '  "c": [],',
        '  "d": "x, {y}: \\"z\\""',
        '}',
      ].join('\n'),
    );
  });

  test('keeps numbers, escapes and repeated keys as they were sent', () => {
    expect(prettyJson('{"n":9007199254740993.10,"n":"\\u00e9"}')).toBe(
      '{\n  "n": 9007199254740993.10,\n  "n": "\\u00e9"\n}',
    );
  });

  test('goes as far as a cut text goes', () => {
    expect(prettyJson('{"a":[1,"tw')).toBe('{\n  "a": [\n    1,\n    "tw');
  });

  test('is left alone where it is something else, or nested too deep', () => {
    for (const text of ['', 'plain', '<html>{"a":1}', '"text"', '['.repeat(100_000)]) {
      expect(prettyJson(text)).toBe(text);
    }
  });
});
