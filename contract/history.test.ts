import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conformantRun } from '../reports/example-results.ts';
import { historyFolder, keepRun, readHistory } from './history.ts';

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'history-')), 'runs');
});
afterEach(() => rm(join(directory, '..'), { recursive: true }));

const runOf = (day: number) => ({
  ...conformantRun,
  startedAt: `2026-11-0${day}T09:30:00.000Z`,
  seed: day,
});

describe('the history of runs', () => {
  test('is empty before the first run', async () => {
    expect(await readHistory(directory)).toEqual([]);
  });

  test('keeps the last runs, the oldest first, whatever order they came in', async () => {
    for (const day of [3, 1, 2, 4]) await keepRun(directory, runOf(day), 3);
    expect(await readHistory(directory)).toEqual([runOf(2), runOf(3), runOf(4)]);
    expect(await readdir(directory)).toEqual([
      '2026-11-02T09-30-00.000Z.json',
      '2026-11-03T09-30-00.000Z.json',
      '2026-11-04T09-30-00.000Z.json',
    ]);
  });

  test('keeps nothing where 0 are to be kept', async () => {
    expect(await keepRun(directory, runOf(1), 0)).toBeUndefined();
    expect(await readHistory(directory)).toEqual([]);
  });

  test('passes over what is no results, and leaves other files alone', async () => {
    await keepRun(directory, runOf(1), 5);
    await writeFile(join(directory, '2026-11-02T09-30-00.000Z.json'), '{"format":1}');
    await writeFile(join(directory, '2026-11-03T09-30-00.000Z.json'), '{"format":');
    await writeFile(join(directory, 'notes.txt'), 'mine');
    await keepRun(directory, runOf(4), 1);
    expect(await readHistory(directory)).toEqual([runOf(4)]);
    expect(await readdir(directory)).toEqual(['2026-11-04T09-30-00.000Z.json', 'notes.txt']);
  });

  test('returns where a run was kept', async () => {
    const path = join(directory, '2026-11-01T09-30-00.000Z.json');
    expect(await keepRun(directory, runOf(1), 1)).toBe(path);
  });

  test.for([
    ['reports/latest', 'reports/history/eu.staging.example-v5'],
    ['latest', 'history/eu.staging.example-v5'],
    ['out', 'out/history/eu.staging.example-v5'],
  ] as const)('of reports in %s is in %s', ([reportDir, folder]) => {
    const target = { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' } as const;
    expect(historyFolder(reportDir, target)).toBe(folder);
  });

  test('has one folder for the embedded service, whatever port it got', () => {
    const target = { kind: 'embedded', baseUrl: 'http://127.0.0.1:40123/v5' } as const;
    expect(historyFolder('reports/latest', target)).toBe('reports/history/embedded');
  });
});
