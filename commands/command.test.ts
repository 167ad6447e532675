import { afterEach, expect, test, vi } from 'vitest';
import { command, environmentUnder, helpOn, readArguments } from './command.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';

const options = {
  only: { multiple: true, value: 'TEXT', about: '' },
  seed: { value: 'N', about: '' },
  'read-only': { about: '' },
} as const;

test('options are read; what is not given is not there', () => {
  const args = ['--only', 'task.', '--read-only', '--only=conflict.', '--seed', '3'];
  expect({ ...readArguments(args, options).values }).toEqual({
    only: ['task.', 'conflict.'],
    'read-only': true,
    seed: '3',
  });
  expect({ ...readArguments([], options).values }).toEqual({});
});

test.for([
  [['--onyl', 'x'], 'There is no option --onyl. Did you mean --only?'],
  [['--readonly'], 'There is no option --readonly. Did you mean --read-only?'],
  [['--constructor'], /^There is no option --constructor\. /],
  [['-s'], /^There is no option -s\. /],
  [['--only'], "Option '--only <value>' argument missing."],
  [['--only', '--seed', '3'], "Option '--only' argument is ambiguous."],
  [['--seed', ''], '--seed needs a value: --seed N'],
  [['--seed='], '--seed needs a value: --seed N'],
  [['--only', ' '], '--only needs a value: --only TEXT'],
  [['--read-only=yes'], "Option '--read-only' does not take an argument."],
  [['task.id'], '"task.id" is not expected here; options begin with --.'],
  [['--', 'task.id'], '"task.id" is not expected here; options begin with --.'],
] as const)('%j', async ([args, message]) => {
  const { run } = command({ summary: '', options, run: async () => 0 });
  await expect(run(args)).rejects.toThrow(message);
});

test('what stands behind -- belongs to a command that says so', async () => {
  const given: (readonly string[])[] = [];
  const { run } = command({
    summary: '',
    operands: '[-- ...]',
    hasAnother: true,
    options,
    async run(_, operands) {
      given.push(operands);
      return 0;
    },
  });
  await run(['--', 'check', '--only', 'task.']);
  expect(given).toEqual([['check', '--only', 'task.']]);
  await expect(run(['check'])).rejects.toThrow('"check" is not expected here');
  await expect(run(['check', '--', 'check'])).rejects.toThrow('"check" is not expected here');
});

test('options stand for variables, and take their place', () => {
  const values = {
    'base-url': 'http://localhost:1/v5',
    wait: '60',
    'read-only': true,
    only: ['x'],
  };
  expect(environmentUnder(values, { BASE_URL: 'http://localhost:2/v5', API_KEY: 'k' })).toEqual({
    BASE_URL: 'http://localhost:1/v5',
    API_KEY: 'k',
    WAIT_FOR_TARGET_MS: '60000',
    ALLOW_WRITES: 'no',
  });
  expect(environmentUnder({ except: ['b', 'c'] }, { EXCEPT: 'a' })).toEqual({ EXCEPT: 'a,b,c' });
  expect(() => environmentUnder({ wait: 'long' }, {})).toThrow(
    '--wait: "long" is not a whole number from 0 to 9999',
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.for([
  [[], ['restore', 'serve']],
  [['serve'], ['serve']],
  [['serve', '--help'], ['serve']],
  [['no-such-command'], ['restore', 'serve']],
] as const)('help %j tells the options of %j', async ([args, told]) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await helpOn(async () => ({ restore, serve })).run(args);
  const text = String(write.mock.lastCall?.[0]);
  expect([...text.matchAll(/^Options of (\w+)$/gm)].map(([, name]) => name)).toEqual(told);
});
