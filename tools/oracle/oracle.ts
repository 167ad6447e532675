import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allPlays } from './plays.ts';

/*
 * The oracle: what a change of structure must leave equal. It writes into a file what every scenario says of every
 * fault, variant and motion, and how many requests a run takes, a line each, sorted: `diff` compares two such files.
 *
 *   npm run oracle -- before.txt [--every 10] [--seed 2] [--play TEXT]
 *   diff before.txt after.txt
 *
 * `--every 10` plays one service in ten, evenly drawn. Which scenario finds a clause violated stands last in a line,
 * after `, by: `: cut it off in both files where only the clauses count.
 */

/** Stands in a line between the name of the service and what a scenario says of it. */
const separator = ' | ';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      every: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      play: { type: 'string', default: '' },
      // Which of the processes that share the work this is: `0/8`.
      share: { type: 'string' },
    },
  });
  const [file = ''] = positionals;
  const every = Number(values.every);
  const drawn = allPlays().filter(({ name }) => isDrawn(name, every) && name.includes(values.play));
  if (values.share !== undefined) {
    const [own = 0, of = 1] = values.share.split('/').map(Number);
    for (const { name, run } of drawn.filter((_, index) => index % of === own)) {
      const said = await run().catch((error) => [`error ${error}`]);
      for (const line of ['played', ...said]) process.stdout.write(`${name}${separator}${line}\n`);
    }
    return 0;
  }
  if (file === '' || drawn.length === 0) {
    console.error(
      'Give a file to write: npm run oracle -- FILE [--every N] [--seed N] [--play TEXT]',
    );
    return 2;
  }
  const lines: string[] = [];
  let played = 0;
  const count = availableParallelism();
  const codes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const args = [...process.execArgv, fileURLToPath(import.meta.url)];
      const shared = [
        '--share',
        `${index}/${count}`,
        '--every',
        values.every,
        '--play',
        values.play,
      ];
      const child = spawn(process.execPath, [...args, ...shared], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PROOF_SEED: values.seed },
      });
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
        if (!line.endsWith(`${separator}played`)) continue;
        played += 1;
        if (played % 50 === 0) console.error(`${played} of ${drawn.length} services`);
      }
      return child.exitCode ?? (await new Promise((end) => child.once('exit', end)));
    }),
  );
  writeFileSync(
    file,
    lines
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
  );
  console.error(`${played} of ${drawn.length} services, ${lines.length} lines: ${file}`);
  return codes.every((code) => code === 0) && played === drawn.length ? 0 : 2;
}

/** Whether a service is played, by a hash of its name: adding a service does not change which others are drawn. */
function isDrawn(name: string, every: number): boolean {
  return createHash('sha1').update(name).digest().readUInt32BE() % every === 0;
}

process.exitCode = await main();
