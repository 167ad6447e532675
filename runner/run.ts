import { once, setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Api } from '../helpers/api.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { type FileReaders, fileReaders } from '../helpers/exports/downloads.ts';
import { Client } from '../helpers/http/client.ts';
import { type Exchange, nameOfPreflight, underWayMs } from '../helpers/http/exchange.ts';
import { createPacing } from '../helpers/http/pacing.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { pause } from '../helpers/http/waiting.ts';
import { MailWatch } from '../helpers/mail/mail-watch.ts';
import { type Mailbox, noMailbox } from '../helpers/mail/mailbox.ts';
import { remembered } from '../helpers/maps.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { Journal } from '../helpers/tasks/journal.ts';
import { restoreTasks } from '../helpers/tasks/put-back.ts';
import { describeAssignment, stateIn } from '../helpers/tasks/task-answer.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type {
  Pairs,
  PutBack,
  Results,
  UnusableValue,
  ViolationResult,
} from '../schemas/results.ts';
import { runScenario } from './attempts.ts';
import { lacksOf } from './needs.ts';
import { examine, preflight } from './preflight.ts';
import {
  type AnyScenario,
  type Conclusions,
  conclusionOfError,
  conclusionsOn,
  inconclusive,
  inPart,
  isWriting,
  notConfigured,
  notRun,
  ofEveryClause,
  redacted,
  type Unjudged,
} from './scenario.ts';
import { Turns } from './turns.ts';
import {
  acceptedAssigners,
  refusedAssignees,
  withoutRefused,
  withoutUnusable,
} from './unusable.ts';
import { resultsOf, violationResults } from './verdicts.ts';
import { type SoFar, Worlds } from './world.ts';

export interface Progress {
  readonly finished: number;
  readonly total: number;
  readonly requests: number;
  /** Those that were answered with 429 so far. */
  readonly throttled: number;
  /** The name of the scenario that has been under way longest; where none is, of the one that has just ended. */
  readonly current: string;
  /** Of the scenario that has just ended. */
  readonly violations: readonly ViolationResult[];
}

export interface RunParts {
  readonly settings: Settings;
  readonly send: Transport;
  /** Keeps how tasks were, to put them back; a run without a journal takes its tasks to be disposable. */
  readonly journal?: Journal;
  readonly scenarios: readonly AnyScenario[];
  /** Clauses that are left out on purpose: no scenario looks at them. */
  readonly leftOut?: readonly ClauseId[];
  readonly startedAt: Date;
  /** How downloaded files are read; only proofs bring their own. */
  readonly readers?: FileReaders;
  /** By how much pauses before requests that are sent again are multiplied; only proofs shorten them. */
  readonly pauseFactor?: number;
  /** Opens the configured mailbox, when a scenario first looks at it. */
  readonly openMailbox?: () => Promise<Mailbox>;
  readonly onProgress?: (progress: Progress) => void;
}

/** A run of scenarios: each is run once, when it is first asked for. `results` says at any time what came of them. */
export class ContractRun {
  readonly #parts: RunParts;
  readonly #journal: Journal;
  readonly #recorder: Recorder;
  readonly #client: Client;
  readonly #scout: Client;
  #opened: Worlds | undefined;
  /** The settings without values that cannot be used. */
  #settings: Settings;
  #unusable: readonly UnusableValue[] = [];
  /** By the name of a scenario: its run, whether it is under way or has ended. */
  readonly #begun = new Map<string, Promise<Conclusions>>();
  /** By the name of a scenario: its conclusions, since it ended or the run was given up. */
  readonly #found = new Map<string, Conclusions>();
  /** By scenario: a further look at a scenario asks for the same pairs again, which count once. */
  readonly #pairs = new Map<string, Pairs>();
  readonly #stop = new AbortController();
  #interruptedBy: string | null = null;
  #putBack: readonly PutBack[] = [];
  #givenUp: Unjudged | undefined;
  readonly #turns = new Turns(this.#stop.signal);

  constructor(parts: RunParts) {
    const { settings } = parts;
    this.#parts = parts;
    this.#settings = settings;
    this.#journal = parts.journal ?? new Journal();
    this.#recorder = new Recorder(settings.secrets);
    const { maxConcurrency, maxRequestsPerSecond } = settings;
    const stop = this.#stop.signal;
    // Every request under way, unless it is a write, listens to `stop`; Node takes more than ten listeners for a leak.
    setMaxListeners(0, stop);
    const pacing = createPacing(maxConcurrency, maxRequestsPerSecond, stop);
    const limits = { ...settings, stop, pauseFactor: parts.pauseFactor };
    this.#client = new Client(parts.send, this.#recorder, pacing, {
      ...limits,
      onUnresponsive: (why) => this.giveUp(inconclusive(why)),
    });
    // A wrong address is to be reported soon; a target that restarts answers, and is waited for longer.
    this.#scout = new Client(parts.send, this.#recorder, pacing, {
      ...limits,
      retryBudgetMs: 10_000,
      noResponseBudgetMs: 1500,
    });
  }

  /**
   * Finds out whether anything can be judged at all, and which of the configured ids are there. Where nothing can be
   * judged, gives up; the run goes on without ids that are not there.
   * @returns why nothing can be judged, or undefined
   */
  async preflight(): Promise<string | undefined> {
    const { settings } = this.#parts;
    const { obstacle: found, unusable } = await preflight(this.#scout, settings, this.#journal);
    await this.#lookAgainForOtherRuns();
    const obstacle = found ?? this.#otherRun();
    this.#journal.onOtherRun = () => {
      const why = this.#otherRun();
      if (why !== undefined) this.giveUp(notRun(why));
    };
    this.#unusable = unusable;
    this.#settings = withoutUnusable(settings, unusable);
    if (obstacle !== undefined) this.giveUp(notRun(obstacle));
    return obstacle;
  }

  /**
   * Reads tasks that showed the mark of another run twice more. A run that has just ended may show in reads that lag
   * behind: a task that now reads the same twice, without its mark, is nobody else's.
   */
  async #lookAgainForOtherRuns(): Promise<void> {
    const { settings } = this.#parts;
    const ids = [...this.#journal.ofOtherRuns.keys()];
    if (ids.length === 0) return;
    const api = new Api(this.#scout, settings, nameOfPreflight);
    const stateOf = async (id: string) => stateIn(await api.task(id), id);
    const look = async () => {
      await pause(settings.readSettleMs, this.#stop.signal);
      return await Promise.all(ids.map((id) => stateOf(id).catch(() => undefined)));
    };
    const [first, second] = [await look(), await look()];
    for (const [index, id] of ids.entries()) {
      const state = second[index];
      const isStill = state !== undefined && isDeepStrictEqual(state, first[index]);
      if (isStill && !this.#journal.isOfAnotherRun(state.assignment)) {
        this.#journal.of(id).forgetOtherRun();
      }
    }
  }

  /** Which tasks another run has written to, and what to do about that; undefined if none, or none is used. */
  #otherRun(): string | undefined {
    const tasks = Array.from(
      this.#journal.ofOtherRuns,
      ([id, { version, assignment }]) =>
        `${id} (since ${version} assigned to ${describeAssignment(assignment && { ...assignment, assignment_comment: null })})`,
    );
    if (tasks.length === 0 || !this.#parts.scenarios.some(isWriting)) return undefined;
    return this.#recorder.redactor.text(
      `Another run of this suite writes to the same tasks, or was killed and has left them changed. Wait until it has ended; after a kill, type restore on the machine that has its journal; where the journal is lost, assign them by hand as they should be, or type restore --unassign with their ids. Seen on: ${tasks.join(', ')}.`,
    );
  }

  /** The configured values that the target has shown so far to be of no use. */
  get unusable(): UnusableValue[] {
    return [...this.#unusable, ...refusedAssignees(this.exchanges, this.#settings)];
  }

  /** Runs all scenarios, as many together as tasks and limits allow; a run that is given up waits for writes alone. */
  async runAll(): Promise<void> {
    const all = Promise.all(this.#parts.scenarios.map((scenario) => this.conclusionsOf(scenario)));
    const done = new AbortController();
    try {
      await Promise.race([all, this.#untilWritesAreOver(done.signal)]);
    } finally {
      done.abort();
    }
  }

  /**
   * Resolves once the run was given up, and every write has its response or no more time for one. It looks after a first
   * pause, so that a write that just begins counts.
   * @param done aborted when all scenarios have ended: nothing is waited for then
   */
  async #untilWritesAreOver(done: AbortSignal): Promise<void> {
    const { signal } = this.#stop;
    if (!signal.aborted) await once(signal, 'abort', { signal: done }).catch(() => {});
    const until = performance.now() + this.#parts.settings.requestTimeoutMs;
    do await pause(lookForWritesMs, done).catch(() => {});
    while (!done.aborted && this.#client.writesUnderWay > 0 && performance.now() < until);
  }

  /** What a run that is given up now still has to do: writes to wait for, and tasks to put back. */
  get leftToDo(): { readonly writes: number; readonly tasks: number } {
    return { writes: this.#client.writesUnderWay, tasks: this.#journal.written.length };
  }

  /** Ends all requests but writes under way, and keeps this conclusion for every scenario that has not ended. */
  giveUp(conclusion: Unjudged): void {
    this.#givenUp ??= conclusion;
    const { reason } = conclusion;
    this.#stop.abort(new Inconclusive('why' in reason ? reason.why : reason.kind));
    for (const scenario of this.#parts.scenarios) {
      this.#keep(scenario, ofEveryClause(scenario, conclusion));
    }
  }

  /** Whether an error says no more than that the run was given up. */
  isGivenUpBy(error: unknown): boolean {
    const { aborted, reason } = this.#stop.signal;
    return aborted && error === reason;
  }

  /** Gives up because of a signal, as `SIGINT`. */
  interrupt(signal: string): void {
    this.#interruptedBy = signal;
    this.giveUp(notRun(`The run was interrupted (${signal}).`));
  }

  /**
   * Runs a scenario with those of its clauses that are not left out, and returns what it concludes; asked again, returns
   * the same without a further run.
   */
  conclusionsOf({ name }: AnyScenario): Promise<Conclusions> {
    return remembered(this.#begun, name, async () => {
      const own = this.#parts.scenarios.find((one) => one.name === name);
      return this.#found.get(name) ?? (own ? await this.#run(own) : new Map());
    });
  }

  /** Puts back every task that the run wrote to, even if it was given up. To be called when nothing runs any more. */
  async putBack(): Promise<readonly PutBack[]> {
    const { settings, send } = this.#parts;
    const { assignedByIds } = withoutUnusable(settings, this.unusable);
    // Tasks are put back in the name of somebody whom the target accepts, where there is one.
    const actors = [...assignedByIds, ...acceptedAssigners(this.exchanges)];
    this.#putBack = await restoreTasks({
      settings: actors.length > 0 ? { ...settings, assignedByIds: actors } : settings,
      send,
      recorder: this.#recorder,
      journal: this.#journal,
    });
    // The answers that putting back got may show violations too.
    for (const scenario of this.#parts.scenarios) {
      const evidence = scenario.afterPuttingBack?.(this.#soFar());
      if (evidence === undefined) continue;
      const { conclusions } = conclusionsOn(scenario, evidence);
      const violated = [...conclusions].filter(([, { kind }]) => kind === 'violated');
      if (violated.length === 0) continue;
      const all = new Map([...(this.#found.get(scenario.name) ?? []), ...violated]);
      this.#found.set(scenario.name, redacted(all, this.#recorder.redactor));
    }
    return this.#putBack;
  }

  #soFar(): SoFar {
    const found = Array.from(this.#found, ([scenario, conclusions]) => ({ scenario, conclusions }));
    const { baseUrl } = this.#settings.target;
    return { baseUrl, exchanges: this.exchanges, violations: violationResults(found) };
  }

  /** Looks at what the configuration names, without judging anything and without a write. */
  async examine() {
    const { openMailbox, settings } = this.#parts;
    const learn = () => this.#worlds.learned();
    return await examine(this.#client, settings, learn, settings.mailbox && openMailbox);
  }

  /** Made when the first scenario needs a world: by then preflight has shown which ids are there. */
  get #worlds(): Worlds {
    const { readers, openMailbox: open = noMailbox, startedAt } = this.#parts;
    const { mailTimeoutMs: timeoutMs } = this.#settings;
    this.#opened ??= new Worlds({
      client: this.#client,
      settings: this.#settings,
      journal: this.#journal,
      readers: readers ?? fileReaders(),
      mailWatch: new MailWatch({ open, timeoutMs, stop: this.#stop.signal }),
      soFar: () => this.#soFar(),
      notePairs: ({ name }, pairs) => this.#pairs.set(name, pairs),
      turns: this.#turns,
      now: () => startedAt.getTime() + this.#recorder.elapsed(),
    });
    return this.#opened;
  }

  get exchanges(): readonly Exchange[] {
    return this.#recorder.exchanges;
  }

  /** How long requests of a scenario were under way, in milliseconds; it may have waited for others besides. */
  tookMs({ name }: AnyScenario): number {
    return underWayMs(this.exchanges.filter(({ scenario }) => scenario === name));
  }

  /**
   * What the run has found so far.
   * @param rest the conclusion for scenarios that have not ended; without it nothing is said of them
   */
  results(rest?: Unjudged): Results {
    const { settings, scenarios, leftOut, startedAt } = this.#parts;
    const { exchanges } = this;
    const otherRun = this.#otherRun();
    // Violations that were found by then may be the other run's doing.
    const found = otherRun === undefined ? this.#found : new Map<string, Conclusions>();
    const missing = otherRun === undefined ? rest : notRun(otherRun);
    const all = scenarios.flatMap((one) => {
      const conclusions = found.get(one.name) ?? (missing && ofEveryClause(one, missing));
      return conclusions === undefined ? [] : [{ scenario: one.name, conclusions }];
    });
    return resultsOf(withoutRefused(all, exchanges, this.#settings), {
      ...{ target: settings.target, seed: settings.seed, startedAt, scenarios, leftOut, exchanges },
      durationMs: Math.round(this.#recorder.elapsed()),
      interruptedBy: this.#interruptedBy,
      givenUp: this.#givenUp,
      pairs: [...this.#pairs.values()],
      leftChanged: this.#putBack.filter(
        ({ outcome }) => outcome === 'left' || outcome === 'failed',
      ),
      unusable: this.unusable,
    });
  }

  /** Runs a scenario where the configuration gives what it needs, keeps its conclusions, and reports progress. */
  async #run(scenario: AnyScenario): Promise<Conclusions> {
    const { scenarios, onProgress } = this.#parts;
    const lacksFor = (one: Pick<AnyScenario, 'needs'>) =>
      lacksOf(one, this.#settings, this.#unusable);
    const lacks = lacksFor(scenario);
    const found =
      lacks.length === 0
        ? inPart(scenario, await this.#runScenario(scenario), lacksFor)
        : ofEveryClause(scenario, notConfigured(lacks));
    const conclusions = this.#keep(scenario, found);
    // A scenario that ends after the run was given up is no progress.
    if (this.#stop.signal.aborted) return conclusions;
    onProgress?.({
      finished: this.#found.size,
      total: scenarios.length,
      requests: this.#recorder.sent,
      throttled: this.exchanges.filter(({ response }) => response?.status === 429).length,
      current: this.#turns.longest ?? scenario.name,
      violations: violationResults(
        withoutRefused([{ scenario: scenario.name, conclusions }], this.exchanges, this.#settings),
      ),
    });
    return conclusions;
  }

  async #runScenario(scenario: AnyScenario): Promise<Conclusions> {
    const { name } = scenario;
    const worlds = this.#worlds;
    try {
      return await this.#turns.among(name, () =>
        runScenario(scenario, (...changed) => worlds.open(scenario, ...changed)),
      );
    } catch (error) {
      // An error that comes of giving up the run is no failure of the suite.
      if (!this.isGivenUpBy(error)) throw error;
      return ofEveryClause(scenario, conclusionOfError(error));
    }
  }

  /** Keeps the first conclusions of a scenario, and returns them: one that was given up may still come to an end. */
  #keep({ name }: AnyScenario, conclusions: Conclusions): Conclusions {
    const kept = this.#found.get(name) ?? redacted(conclusions, this.#recorder.redactor);
    this.#found.set(name, kept);
    return kept;
  }
}

/** How often a run that is given up looks whether its writes have their responses, in milliseconds. */
const lookForWritesMs = 20;
