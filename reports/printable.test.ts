import { describe, expect, test } from 'vitest';
import { cut, jsonText, printable, printableLine, shownBeside } from './printable.ts';

describe('untrusted text', () => {
  test('keeps what people write: scripts, emoji, quotes', () => {
    const text = 'Größe „ok“ 漢字 مرحبا नमस्ते 👩‍💻\n\tnext';
    expect(printable(text)).toBe(text);
  });

  test('has everything spelled out that steers a terminal or hides from an eye', () => {
    expect(printableLine('\u001b[31m\u009b\u0007\r\n\t\u202e\u200b\ufeff\u2028\ud800')).toBe(
      '\\u001b[31m\\u009b\\u0007\\r\\n\\t\\u202e\\u200b\\ufeff\\u2028\\ud800',
    );
    expect(printableLine('\u{e0041}')).toBe('\\udb40\\udc41');
  });

  test('as JSON is the same value, in printable characters', () => {
    const value = { 'a\u202e': '\u009b\u{e0041}é', list: ['\n'] };
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toBe(
      '{\n  "a\\u202e": "\\u009b\\udb40\\udc41é",\n  "list": [\n    "\\n"\n  ]\n}\n',
    );
  });

  test('is cut between characters', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut(`abcd${'x'.repeat(40)}`, 3)).toBe('abc… (41 characters more)');
    expect(cut(`ab🙂${'x'.repeat(40)}`, 3)).toBe('ab… (42 characters more)');
  });

  test('is not cut where saying so takes as much room', () => {
    expect(cut('x'.repeat(25), 3)).toBe('x'.repeat(25));
    expect(cut('x'.repeat(28), 3)).toBe('xxx… (25 characters more)');
  });
});

const max = 60;

test('short texts are shown whole', () => {
  expect(shownBeside('409', '200', max)).toEqual({ expected: '409', actual: '200' });
});

test('what differs near the beginning is cut behind it', () => {
  const rest = 'x'.repeat(200);
  expect(shownBeside(`a${rest}`, `b${rest}`, max)).toEqual({
    expected: `a${'x'.repeat(59)}…`,
    actual: `b${'x'.repeat(59)}…`,
  });
});

test('what differs far from the beginning is shown around it', () => {
  const { expected, actual } = shownBeside(`${'x'.repeat(99)}A and`, `${'x'.repeat(99)}B and`, max);
  expect(expected).toBe(`…${'x'.repeat(40)}A and`);
  expect(actual).toBe(`…${'x'.repeat(40)}B and (differs from character 100 on)`);
});

test('what differs is always among what is shown', () => {
  const { expected, actual } = shownBeside(`${'x'.repeat(59)}A and`, `${'x'.repeat(59)}B and`, max);
  expect(expected).toBe(`…${'x'.repeat(40)}A and`);
  expect(actual).toContain('B and (differs from character 60 on)');
});

test('what cannot be seen is named by its code point', () => {
  const actual = (text: string) => shownBeside('two words', text, max).actual;
  expect(actual('two\u00a0words')).toBe(
    'two\u00a0words (differs from character 4 on: a no-break space, not a space)',
  );
  expect(actual('two  words')).toBe('two  words (differs from character 5 on: a space, not w)');
  expect(actual('two Words')).toBe('two Words');
});

test('of a text that was cut, how much is left', () => {
  const comment = 'comment '.repeat(500);
  const { expected, actual } = shownBeside(
    `assignment_comment ${JSON.stringify(comment)}`,
    `assignment_comment ${JSON.stringify(comment.slice(0, 255))}`,
    max,
  );
  expect(expected).not.toBe(actual);
  expect(actual).toMatch(/^….*" \(255 of 4,000 characters\)$/);
});

test('pairs of surrogates stay together', () => {
  const { actual } = shownBeside(`${'😀'.repeat(80)}a`, `${'😀'.repeat(80)}b`, max);
  expect(Buffer.from(actual).toString()).toBe(actual);
});
