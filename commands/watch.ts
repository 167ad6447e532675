import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { watch as watchFiles } from 'chokidar';
import { type Contract, NotStarted, openContract } from '../contract/run.ts';
import { select } from '../contract/selection.ts';
import { warnOfMisspelt } from '../contract/target.ts';
import { portOf } from '../helpers/config/addresses.ts';
import { type Environment, readSettings } from '../helpers/config/read-settings.ts';
import { UsageError } from '../helpers/errors.ts';
import {
  everythingIsPutBack,
  renderHowToWatch,
  renderRerun,
  renderTrigger,
  renderWaiting,
  type Trigger,
  withEarlier,
} from '../reports/watch.ts';
import { notRun } from '../runner/conclusions.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, environmentUnder, readArguments, runOptions } from './command.ts';
import {
  howToRestore,
  onInterrupt,
  printLastSteps,
  printPutBack,
  runWithProgress,
  standardOutput,
} from './terminal.ts';

/** How long it takes until a target that does not answer is asked again, in milliseconds. */
const askAgainMs = 1000;

/**
 * So long after a save a mock may take to go away and come back, in milliseconds: Prism begins after half a second. A run
 * that began at once would be answered by the mock as it was before the save.
 */
const restartMs = 2000;

/** How often it is looked meanwhile whether the mock is there, in milliseconds. */
const lookEveryMs = 50;

export const watch: Command = {
  summary:
    'for working on a mock: runs again whenever one of the files changes or Enter is pressed, and prints what changed',
  operands: '[FILE ...]',
  options: runOptions,
  async run(args) {
    const { values, operands: paths } = readArguments(args, runOptions);
    let selected = select(scenarios, values);
    const missing = paths.find((path) => !existsSync(path));
    if (missing !== undefined) throw new UsageError(`There is no file or folder "${missing}".`);
    const variables = environmentUnder(values);
    warnOfMisspelt();
    if ((variables.BASE_URL ?? '').trim() === '') {
      throw new UsageError('Give the address of the mock: --base-url http://localhost:4010/v5');
    }
    const settings = readSettings(variables, Math.floor(Math.random() * 1_000_000));
    // The same seed for every run: what changes then is the mock's doing.
    const seed = `${settings.seed}`;
    const runs = new Runs(() => environmentUnder({ ...values, seed }));
    const triggers = new Triggers(() => runs.giveUp());
    const stopListening = await listen(paths, process.stdin, triggers);
    const forgetInterrupts = onInterrupt(() => {
      triggers.emit('end');
      runs.printLastSteps();
    }, howToRestore(settings));
    const run = async (isSaved: boolean): Promise<void> => {
      let isOver = await runs.run(selected, isSaved);
      while (!isOver && !(await triggers.comesWithin(askAgainMs))) {
        isOver = await runs.run(selected);
      }
    };
    try {
      process.stdout.write(renderHowToWatch(paths));
      await run(false);
      for await (const trigger of triggers) {
        process.stdout.write(renderTrigger(trigger, new Date().toLocaleTimeString('en-GB')));
        const next = selectionAfter(trigger, selected);
        selected = next ?? selected;
        const isSaved = trigger.kind === 'files';
        if (next === undefined) continue;
        if (isSaved && !(await isRestarted(settings.target.baseUrl, triggers))) continue;
        await run(isSaved);
      }
      if (runs.isPutBack) process.stdout.write(everythingIsPutBack);
      return runs.isPutBack ? 0 : 3;
    } finally {
      forgetInterrupts();
      await stopListening();
    }
  },
};

/** What is to be run next: a line may name it. Undefined where it names nothing that there is. */
function selectionAfter(
  trigger: Trigger,
  selected: readonly AnyScenario[],
): readonly AnyScenario[] | undefined {
  if (trigger.kind !== 'line' || trigger.text === '') return selected;
  if (trigger.text === 'all') return scenarios;
  try {
    return select(scenarios, { only: [trigger.text] });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return undefined;
  }
}

/**
 * Waits until the mock that a save restarts is back, or no restart came in time.
 * @returns false where something else is to start a run meanwhile
 */
async function isRestarted(baseUrl: string, triggers: Triggers): Promise<boolean> {
  const until = performance.now() + restartMs;
  let wasGone = false;
  while (performance.now() < until) {
    const isThere = await isListening(baseUrl);
    if (isThere && wasGone) break;
    wasGone ||= !isThere;
    if (await triggers.comesWithin(lookEveryMs)) return false;
  }
  return true;
}

async function isListening(baseUrl: string): Promise<boolean> {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  const socket = connect({ host, port: portOf(url) });
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
      socket.setTimeout(restartMs);
    });
  } finally {
    socket.destroy();
  }
}

/** One run after another on the same target; of each is printed what it changes. */
class Runs {
  readonly #configure: () => Environment;
  #known: Results | undefined;
  #current: Contract | undefined;
  #isGivenUp = false;
  #isWaiting = false;
  #isPutBack = true;

  constructor(configure: () => Environment) {
    this.#configure = configure;
  }

  /** Whether the tasks are as they were before the first run. */
  get isPutBack(): boolean {
    return this.#isPutBack;
  }

  /** Ends the run that is going on; nothing is printed about it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#current?.run.giveUp(notRun('It was given up for another run.'));
  }

  /** Prints what the run that is given up still has to do; nothing between runs. */
  printLastSteps(): void {
    if (this.#current !== undefined) printLastSteps(this.#current);
  }

  /**
   * Runs scenarios, puts the tasks back, and prints what changed since the last run.
   * @param isSaved whether a file was saved before: what came before and after a restart is not reported then
   * @returns false where nothing was printed, and it is to be run again: there was no response, or some came before a
   *   restart of the target and some after it
   * @throws NotStarted where the first run cannot start; for a later one that is printed
   */
  async run(scenarios: readonly AnyScenario[], isSaved = false): Promise<boolean> {
    this.#isGivenUp = false;
    try {
      const contract = await openContract(this.#configure, { scenarios, reports: 'watch' });
      const isFirst = this.#known === undefined && !this.#isWaiting;
      this.#current = contract;
      if (this.#isGivenUp) this.giveUp();
      const { results, exchanges, failures, putBack } = await runWithProgress(contract, isFirst);
      if (putBack.some(({ outcome }) => outcome === 'failed' || outcome === 'left')) {
        this.#isPutBack = printPutBack(putBack, contract.settings) && this.#isPutBack;
      }
      if (failures.length > 0) throw failures[0];
      if (this.#isGivenUp) return true;
      const isUnheard = exchanges.every(({ response }) => response === undefined);
      if (isUnheard && !this.#isWaiting) {
        process.stdout.write(renderWaiting(results.target.baseUrl));
      }
      this.#isWaiting = isUnheard;
      if (isUnheard || (isSaved && exchanges.some(({ failure }) => failure?.loss === 'refused'))) {
        return false;
      }
      process.stdout.write(renderRerun(results, this.#known, standardOutput()));
      this.#known = withEarlier(results, this.#known);
    } catch (error) {
      if (!(error instanceof NotStarted) || this.#known === undefined) throw error;
      process.stdout.write(`${error.message}\n`);
    } finally {
      this.#current = undefined;
    }
    return true;
  }
}

/** What starts another run, one trigger after another, until the end. Only the last that nobody has taken yet counts. */
class Triggers {
  readonly #onTrigger: () => void;
  #last: Trigger | 'end' | undefined;
  #wake = (): void => {};

  /** @param onTrigger is called at once, while something may still be running */
  constructor(onTrigger: () => void) {
    this.#onTrigger = onTrigger;
  }

  emit(trigger: Trigger | 'end'): void {
    if (this.#last === 'end') return;
    this.#last = trigger;
    this.#onTrigger();
    this.#wake();
  }

  /** Waits for the next one, which stays to be taken. @returns whether it came in so many milliseconds */
  async comesWithin(ms?: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    if (this.#last === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (ms !== undefined) timer = setTimeout(resolve, ms);
      });
    }
    clearTimeout(timer);
    return this.#last !== undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Trigger> {
    while (await this.comesWithin()) {
      const trigger = this.#last;
      if (trigger === undefined || trigger === 'end') return;
      this.#last = undefined;
      yield trigger;
    }
  }
}

/** Saving writes several files, and a file more than once: so long after the last change they count as one. */
const settledMs = 200;

/** What changes below a folder while a mock runs or the suite does, and is not the mock. */
const ignored = /(^|[\\/])(node_modules|\.git|\.contract-journal|reports)([\\/]|$)/;

/**
 * Listens to changes of files and to lines that are typed.
 * @param paths files and folders
 * @param input where lines are typed
 * @returns a function that stops listening
 */
async function listen(
  paths: readonly string[],
  input: NodeJS.ReadableStream,
  triggers: Triggers,
): Promise<() => Promise<void>> {
  const changed = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  const watcher = watchFiles([...paths], {
    ignoreInitial: true,
    ignored: (path) => {
      const root = paths.find((one) => path.startsWith(one)) ?? '';
      return ignored.test(path.slice(root.length));
    },
  });
  watcher.on('all', (_, path) => {
    changed.add(path);
    clearTimeout(settling);
    settling = setTimeout(() => {
      triggers.emit({ kind: 'files', names: [...changed] });
      changed.clear();
    }, settledMs);
  });
  if (paths.length > 0) {
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  }
  const lines = createInterface({ input });
  lines.on('line', (text) => triggers.emit({ kind: 'line', text: text.trim() }));
  // Where nothing is watched, nothing else can come.
  lines.on('close', () => paths.length === 0 && triggers.emit('end'));
  return async () => {
    clearTimeout(settling);
    lines.close();
    await watcher.close();
  };
}
