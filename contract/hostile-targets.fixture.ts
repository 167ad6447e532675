import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { configurationFor, startServer } from './bad-targets.fixture.ts';
import { emptyFolder, startCommand } from './process.fixture.ts';

/** The whole command is run. */
export const key = 'canary-7f3a9c51-of-the-tests';
export const task = '00000000-0000-4000-8000-000000000000';

/** Answers with JSON. */
export const json = (response: ServerResponse, text: string | Uint8Array, more = {}): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json', ...more }).end(text);

/** A task, as far as that goes, with something in a field. */
export const taskWith = (field: string): string =>
  `{"id":"${task}","updated_at":"2026-01-01T00:00:00.000Z","assignment":null,${field}}`;

/** What a run has left. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Everything that was written, files and both streams. */
  readonly written: Buffer;
  results(): Promise<Results>;
}

/** Runs the command against a target that answers as it likes. */
export async function runAgainst(listener: RequestListener, more = {}): Promise<Ran> {
  const folder = await emptyFolder();
  const { baseUrl, close } = await startServer(listener);
  onTestFinished(close);
  const variables = {
    ...configurationFor(baseUrl, join(folder, 'reports')),
    API_KEY: key,
    ...more,
  };
  const ended = await startCommand([], folder, variables).ended;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  );
  const streams = [Buffer.from(ended.stdout), Buffer.from(ended.stderr)];
  const results = async () =>
    JSON.parse(await readFile(join(folder, 'reports/results.json'), 'utf8'));
  return { ...ended, written: Buffer.concat([...contents, ...streams]), results };
}
