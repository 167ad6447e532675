import { expect, test } from 'vitest';
import { readOptions } from './command.ts';

const options = {
  only: { type: 'string', multiple: true, value: 'TEXT', about: '' },
  seed: { type: 'string', value: 'N', about: '' },
  'read-only': { type: 'boolean', about: '' },
} as const;

test('options are read; what is not given is not there', () => {
  const args = ['--only', 'task.', '--read-only', '--only=conflict.', '--seed', '3'];
  expect({ ...readOptions(args, options) }).toEqual({
    only: ['task.', 'conflict.'],
    'read-only': true,
    seed: '3',
  });
  expect({ ...readOptions([], options) }).toEqual({});
});

test.for([
  [['--onyl', 'x'], 'There is no option --onyl. Did you mean --only?'],
  [['--readonly'], 'There is no option --readonly. Did you mean --read-only?'],
  [['--constructor'], /^There is no option --constructor\. /],
  [['-s'], /^There is no option -s\. /],
  [['--only'], '--only needs a value: --only TEXT'],
  [['--only', '--seed', '3'], '--only needs a value: --only TEXT'],
  [['--seed', ''], '--seed needs a value: --seed N'],
  [['--seed='], '--seed needs a value: --seed N'],
  [['--read-only=yes'], '--read-only takes no value.'],
  [['task.id'], '"task.id" is not expected here; options begin with --.'],
  [['--', 'task.id'], '"task.id" is not expected here; options begin with --.'],
] as const)('%j', ([args, message]) => {
  expect(() => readOptions(args, options)).toThrow(message);
});
