import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { runAgainst } from '../../proof/in-process.ts';
import { canonical } from '../../schemas/observations.ts';
import type { Results } from '../../schemas/results.ts';
import { type Play, plays } from './plays.ts';

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

/** Stands at the end of the line that says that a service was played, whatever scenarios say of it. */
const playedMark = ' | played';

/** What is written down of results, as lines. */
const linesOf: Readonly<Record<Play['shows'][number], (results: Results) => string[]>> = {
  violated: ({ violations }) =>
    violations.map(({ clause, scenario }) => `violated ${clause}, by: ${scenario}`),
  undecided: ({ clauses }) =>
    clauses
      .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'error')
      .map(({ id, verdict }) => `${verdict} ${id}`),
  observed: ({ clauses }) =>
    clauses
      .filter(({ verdict }) => verdict === 'observed')
      .map(({ id, observed }) => `observed ${id}: ${canonical(observed)}`),
  requests: ({ requests: { total, byOperation } }) =>
    Object.entries({ total, ...byOperation }).map(([name, count]) => `requests ${name}: ${count}`),
};

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
const drawn = plays.filter(
  ({ name }) => isDrawn(name, Number(values.every)) && name.includes(values.play),
);
if (values.share !== undefined) {
  const [own = 0, of = 1] = values.share.split('/').map(Number);
  await playAndPrint(drawn.filter((_, index) => index % of === own));
} else if (file === '' || drawn.length === 0) {
  console.error(
    'Give a file to write: npm run oracle -- FILE [--every N] [--seed N] [--play TEXT]',
  );
  process.exitCode = 2;
} else {
  const lines = await linesOfProcesses(availableParallelism(), values.seed);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const played = lines.filter((line) => line.endsWith(playedMark)).length;
  console.error(`${played} of ${drawn.length} services, ${lines.length} lines: ${file}`);
  if (played !== drawn.length) process.exitCode = 2;
}

/** Whether a service is played, by a hash of its name: adding a service does not change which others are drawn. */
function isDrawn(name: string, every: number): boolean {
  return createHash('sha1').update(name).digest().readUInt32BE() % every === 0;
}

/** What as many processes print that share the work, sorted. Each is given the arguments of this one. */
async function linesOfProcesses(count: number, seed: string): Promise<string[]> {
  const printed = Array.from({ length: count }, (_, index) => {
    const args = [...process.execArgv, ...process.argv.slice(1), '--share', `${index}/${count}`];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PROOF_SEED: seed },
    });
    return text(child.stdout);
  });
  return (await Promise.all(printed)).flatMap((one) => one.split('\n').filter(Boolean)).sort();
}

/** Plays services, prints a line for all that is said of them, and every fifty services how far it is. */
async function playAndPrint(own: readonly Play[]): Promise<void> {
  for (const [index, { name, service, scenarios, shows }] of own.entries()) {
    const said = await runAgainst(service, scenarios).then(
      (results) => shows.flatMap((part) => linesOf[part](results)),
      (error) => [`error ${error}`],
    );
    console.log([...said.map((line) => `${name} | ${line}`), `${name}${playedMark}`].join('\n'));
    if (index % 50 === 49) console.error(`${index + 1} of ${own.length} services`);
  }
}
