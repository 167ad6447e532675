import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { variableNames } from '../../schemas/configuration.ts';
import { renderEnvExample } from './env-example.ts';

// `npm run update` writes the file anew.
test('.env.example is what the schema says', async () => {
  await expect(renderEnvExample()).toMatchFileSnapshot('../../.env.example');
});

test('as it is, it sets nothing', () => {
  const values = parse(renderEnvExample());
  expect(Object.keys(values)).toEqual(variableNames);
  expect(Object.values(values).join('')).toBe('');
});
