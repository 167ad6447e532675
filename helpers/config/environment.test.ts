import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { environment } from './environment.ts';

beforeEach(async () => {
  const before = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  process.chdir(folder);
  onTestFinished(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
});

test('without a .env it is what the process has', () => {
  expect(environment()).toEqual(process.env);
});

test('a .env completes it, and changes nothing of it', async () => {
  vi.stubEnv('SEED', '1');
  await writeFile('.env', 'SEED=2\nTEAM_IDS="a,b" # two\n');
  expect(environment()).toMatchObject({ SEED: '1', TEAM_IDS: 'a,b' });
  expect(process.env.TEAM_IDS).toBeUndefined();
});

test('a .env that cannot be read is an error', async () => {
  await mkdir('.env');
  expect(environment).toThrow(/^\.env: cannot be read \(EISDIR/);
});

test('ENV_FILE names another file in its place, which must be there', async () => {
  await writeFile('.env', 'SEED=2\n');
  await writeFile('us.env', 'TEAM_IDS=us\n');
  vi.stubEnv('ENV_FILE', 'us.env');
  expect(environment()).toMatchObject({ TEAM_IDS: 'us' });
  expect(environment().SEED).toBeUndefined();
  vi.stubEnv('ENV_FILE', 'eu.env');
  expect(environment).toThrow(/^There is no file "eu\.env" \(ENV_FILE, --env\)\. /);
});
