import { expect, test } from 'vitest';
import { commandFor, shellQuoted } from './commands.ts';

test('a command that repeats a verdict runs in every shell: no variable stands before it', () => {
  expect(commandFor('task.id', 7)).toBe('npm run contract -- --only task.id --seed 7');
});

test.for([
  ['linux', 'task.id', 'task.id'],
  ['linux', "it's two words", `'it'\\''s two words'`],
  ['win32', 'a "quoted" word', '"a ""quoted"" word"'],
] as const)('on %s %s is quoted: %s', ([platform, argument, expected]) => {
  expect(shellQuoted(argument, platform)).toBe(expected);
});
