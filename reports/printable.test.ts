import { describe, expect, test } from 'vitest';
import { cut, jsonText, printable, printableLine } from './printable.ts';

describe('untrusted text', () => {
  test('keeps what people write: scripts, emoji, quotes', () => {
    const text = 'Größe „ok“ 漢字 مرحبا नमस्ते 👩‍💻\n\tnext';
    expect(printable(text)).toBe(text);
  });

  test('has everything spelled out that steers a terminal or hides from an eye', () => {
    expect(printableLine('\u001b[31m\u009b\u0007\r\n\t\u202e\u200b\ufeff\u2028\ud800')).toBe(
      '\\u001b[31m\\u009b\\u0007\\r\\n\\t\\u202e\\u200b\\ufeff\\u2028\\ud800',
    );
    expect(printableLine('\u{e0041}')).toBe('\\u{e0041}');
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
