import { expect, test } from 'vitest';
import { ConfigurationError } from '../helpers/errors.ts';
import { openTarget, statedTarget } from './target.ts';

test('without a target the embedded service is started, and ended', async () => {
  const { settings, close } = await openTarget({ SEED: '3', MAX_CONCURRENCY: '2' });
  const { target, apiKey, taskIds } = settings;
  const ask = () => fetch(`${target.baseUrl}/tasks/${taskIds[0]}`, { headers: { apikey: apiKey } });
  expect(target.kind).toBe('embedded');
  expect(settings).toMatchObject({ seed: 3, maxConcurrency: 2, writes: true });
  expect((await ask()).status).toBe(200);
  await close();
  await expect(ask()).rejects.toThrow();
});

test('a seed makes the same service again', async () => {
  const first = await openTarget({ SEED: '3' });
  const second = await openTarget({ SEED: '3' });
  await Promise.all([first.close(), second.close()]);
  expect(second.settings.taskIds).toEqual(first.settings.taskIds);
});

test('a wrong configuration starts nothing', async () => {
  await expect(openTarget({ SEED: 'x' })).rejects.toThrow(ConfigurationError);
  await expect(openTarget({ API_KEY: 'a-key' })).rejects.toThrow(/^BASE_URL: missing/);
});

test('of a wrong configuration the reports show what is known', () => {
  expect(statedTarget({})).toEqual({
    target: { kind: 'embedded', baseUrl: '(not started)' },
    seed: 0,
    reportDir: 'reports/latest',
  });
  expect(statedTarget({ API_KEY: 'a-key' }).target).toEqual({
    kind: 'remote',
    baseUrl: '(no BASE_URL)',
  });
  expect(
    statedTarget({ BASE_URL: 'https://me:canary@eu.example/v6', SEED: '12', REPORT_DIR: ' out ' }),
  ).toEqual({
    target: { kind: 'remote', baseUrl: 'https://eu.example/v6' },
    seed: 12,
    reportDir: 'out',
  });
});
