import { expect, test } from 'vitest';
import { commandFor, shellQuoted } from './commands.ts';

const baseUrl = 'http://127.0.0.1:8080/v5';

test.for([
  [{ kind: 'embedded', baseUrl }, '--embedded'],
  [{ kind: 'remote', baseUrl }, `--base-url ${baseUrl}`],
  [
    { kind: 'remote', baseUrl, envFile: 'us west.env' },
    `--env 'us west.env' --base-url ${baseUrl}`,
  ],
] as const)(
  'a command that repeats a verdict names the target and the seed: %o',
  ([target, named]) => {
    expect(commandFor('task.id', { target, seed: 7 })).toBe(
      `npm run contract -- ${named} --only task.id --seed 7`,
    );
  },
);

test('a command names several clauses', () => {
  expect(
    commandFor(['task.id', 'conflict.'], { target: { kind: 'embedded', baseUrl }, seed: 7 }),
  ).toBe('npm run contract -- --embedded --only task.id --only conflict. --seed 7');
});

test.for([
  ['linux', 'task.id', 'task.id'],
  ['linux', "it's two words", `'it'\\''s two words'`],
  ['win32', 'a "quoted" word', '"a ""quoted"" word"'],
] as const)('on %s %s is quoted: %s', ([platform, argument, expected]) => {
  expect(shellQuoted(argument, platform)).toBe(expected);
});
