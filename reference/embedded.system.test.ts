import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEmbedded } from './embedded.ts';

test('the embedded service answers, whatever signal a terminal sends to all processes, until it is closed', async () => {
  const { variables, pid, close } = await startEmbedded(3);
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGTERM');
  const answer = await fetch(`${variables.BASE_URL}/tasks/x`);
  expect(answer.status).toBe(401);
  await close();
  await expect(fetch(`${variables.BASE_URL}/tasks/x`)).rejects.toThrow();
});

test('it ends with the process that started it, also with one that is killed', async () => {
  const program = fileURLToPath(new URL('./embedded-parent.fixture.ts', import.meta.url));
  const parent = spawn(process.execPath, ['--import', 'jiti/register', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(parent.stdout, 'data');
  const baseUrl = String(printed).trim();
  expect(await answers(baseUrl)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => answers(baseUrl), { timeout: 50_000 }).toBe(false);
});

async function answers(url: string): Promise<boolean> {
  await sleep(50);
  return await fetch(url).then(
    () => true,
    () => false,
  );
}
