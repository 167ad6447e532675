import { existsSync } from 'node:fs';
import { select } from '../contract/selection.ts';
import { UsageError } from '../contract/usage.ts';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { scenarios } from '../suites/index.ts';
import type { Command } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { type Occasion, watchOccasions } from './occasions.ts';
import { readArguments } from './options.ts';
import { Plays } from './plays.ts';
import { environmentUnder, runOptions } from './run-options.ts';
import { howToRestore } from './tell.ts';

/** How long it takes until a target that does not answer is asked again, in milliseconds. */
const askAgainMs = 1000;

export const watch: Command = {
  summary:
    'for working on a mock: plays again whenever one of the files changes or Enter is pressed, and prints what changed',
  operands: '[FILE ...]',
  options: runOptions,
  async run(args) {
    const { values, operands: paths } = readArguments(args, runOptions);
    let selected = select(scenarios, values.only ?? []);
    const missing = paths.find((path) => !existsSync(path));
    if (missing !== undefined) throw new UsageError(`There is no file or folder "${missing}".`);
    const variables = environmentUnder(values);
    if ((variables.BASE_URL ?? '').trim() === '') {
      throw new UsageError('Give the address of the mock: --base-url http://localhost:4010/v5');
    }
    const settings = readSettings(variables, Math.floor(Math.random() * 1_000_000));
    // The same chance in every play: what changes then is the mock's doing.
    const seed = `${settings.seed}`;
    const plays = new Plays(() => environmentUnder({ ...values, seed }));
    const occasions = await watchOccasions(paths, process.stdin, () => plays.giveUp());
    const forgetInterrupts = onInterrupt(() => occasions.end(), howToRestore(settings));
    try {
      process.stdout.write(howToGoOn(paths));
      let next: readonly AnyScenario[] | undefined = selected;
      for (;;) {
        const end = next === undefined ? 'told' : await plays.play(next);
        const occasion = await occasions.next(end === 'silent' ? askAgainMs : undefined);
        if (occasion?.kind === 'end') return farewell(plays);
        if (occasion === undefined) continue;
        process.stdout.write(`\n${whyAgain(occasion)}\n`);
        next = selectionAfter(occasion, selected);
        selected = next ?? selected;
      }
    } finally {
      forgetInterrupts();
      await occasions.close();
    }
  },
};

function howToGoOn(paths: readonly string[]): string {
  const watched = paths.length === 0 ? 'No files are watched' : `Watching ${paths.join(', ')}`;
  return [
    `${watched}. Enter plays again; Ctrl-C ends, and puts everything back.`,
    'A clause, the beginning of its id, or a part of a scenario’s name plays that alone; "all" plays everything.',
    '',
    '',
  ].join('\n');
}

function whyAgain(occasion: Exclude<Occasion, { kind: 'end' }>): string {
  const time = new Date().toLocaleTimeString('en-GB');
  if (occasion.kind === 'line') return `${time}  Again${occasion.text && `: ${occasion.text}`}`;
  const { names } = occasion;
  return `${time}  ${names[0]} changed${names.length > 1 ? `, and ${names.length - 1} more` : ''}`;
}

function farewell({ isPutBack }: Plays): number {
  if (isPutBack) process.stdout.write('\nEverything is put back.\n');
  return isPutBack ? 0 : 3;
}

/** What is to be played after an occasion: a line may name it. Nothing, where it names nothing that there is. */
function selectionAfter(
  occasion: Occasion,
  selected: readonly AnyScenario[],
): readonly AnyScenario[] | undefined {
  if (occasion.kind !== 'line' || occasion.text === '') return selected;
  if (occasion.text === 'all') return scenarios;
  try {
    return select(scenarios, [occasion.text]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return undefined;
  }
}
