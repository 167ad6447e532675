import { expect, test } from 'vitest';
import { shownBeside } from './difference.ts';

const max = 60;

test('short texts are shown whole', () => {
  expect(shownBeside('409', '200', max)).toEqual({ expected: '409', actual: '200' });
});

test('what differs near the beginning is cut behind it', () => {
  const rest = 'x'.repeat(200);
  expect(shownBeside(`a${rest}`, `b${rest}`, max)).toEqual({
    expected: `a${'x'.repeat(59)}… (141 characters more)`,
    actual: `b${'x'.repeat(59)}… (141 characters more)`,
  });
});

test('what differs far from the beginning is shown around it', () => {
  const { expected, actual } = shownBeside(`${'x'.repeat(99)}A and`, `${'x'.repeat(99)}B and`, max);
  expect(expected).toBe(`…${'x'.repeat(40)}A and`);
  expect(actual).toBe(`…${'x'.repeat(40)}B and (differs from character 100 on)`);
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
