import { once, setMaxListeners } from 'node:events';
import { secretsOf } from '../helpers/config/secrets.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { type FileReaders, fileReaders } from '../helpers/exports/downloads.ts';
import type { Knowledge } from '../helpers/exports/learn.ts';
import { Client } from '../helpers/http/client.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { createPacing } from '../helpers/http/pacing.ts';
import { pause } from '../helpers/http/pause.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { MailWatch } from '../helpers/mail/mail-watch.ts';
import { type Mailbox, noMailbox } from '../helpers/mail/mailbox.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { Journal } from '../helpers/tasks/journal.ts';
import type { PutBack } from '../helpers/tasks/put-back.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { type Operation, operations } from '../schemas/operations.ts';
import type { Results } from '../schemas/results.ts';
import { type Examination, examine } from './examine.ts';
import { lackOf } from './needs.ts';
import { notJudged } from './not-run.ts';
import { clauseIdsOf, type Findings, type OpenWorld, play } from './play.ts';
import { preflight } from './preflight.ts';
import { redacted } from './redacted.ts';
import { restoreTasks } from './restore.ts';
import type { AnyScenario } from './scenario.ts';
import { clauseResults, type Played, runVerdict, violationResults } from './verdicts.ts';
import { seenByWholeRun } from './whole-run.ts';
import { Worlds } from './worlds.ts';

export interface Progress {
  readonly finished: number;
  readonly total: number;
  readonly requests: number;
  readonly current: string;
}

/** What a run acts on and with. */
export interface RunParts {
  readonly settings: Settings;
  readonly send: Transport;
  /** Where what is to be put back is kept; without one the tasks are thrown away after the run. */
  readonly journal?: Journal;
  readonly scenarios: readonly AnyScenario[];
  readonly startedAt: Date;
  /** How downloaded files are read; only proofs bring their own. */
  readonly readers?: FileReaders;
  /** Opens the configured mailbox, when a scenario first looks at it. */
  readonly openMailbox?: () => Promise<Mailbox>;
  readonly onProgress?: (progress: Progress) => void;
}

/** A run that plays scenarios when they are asked for, each once, and can say at any time what came of it. */
export class ContractRun {
  readonly #parts: RunParts;
  readonly #journal: Journal;
  readonly #recorder = new Recorder();
  readonly #client: Client;
  readonly #scout: Client;
  readonly #worlds: Worlds;
  readonly #plays = new Map<string, Promise<Findings>>();
  readonly #played = new Map<string, Findings>();
  readonly #stop = new AbortController();

  constructor(parts: RunParts) {
    const { settings } = parts;
    this.#parts = parts;
    this.#journal = parts.journal ?? new Journal();
    for (const secret of secretsOf(settings)) this.#recorder.redactor.keepSecret(secret);
    const { maxConcurrency, maxRequestsPerSecond } = settings;
    const stop = this.#stop.signal;
    // Every request under way listens to it; Node would take more than ten for a leak.
    setMaxListeners(0, stop);
    const pacing = createPacing(maxConcurrency, maxRequestsPerSecond, stop);
    const limits = {
      requestTimeoutMs: settings.requestTimeoutMs,
      maxBodyBytes: settings.maxExportBytes,
      writes: settings.writes,
      stop,
    };
    this.#client = new Client(parts.send, this.#recorder, pacing, {
      ...limits,
      onSilence: (reason) => this.giveUp(reason, 'inconclusive'),
    });
    // A wrong address is to be told soon.
    this.#scout = new Client(parts.send, this.#recorder, pacing, { ...limits, retryBudgetMs: 500 });
    this.#worlds = new Worlds({
      client: this.#client,
      settings,
      journal: this.#journal,
      readers: parts.readers ?? fileReaders,
      mailWatch: new MailWatch({
        open: parts.openMailbox ?? noMailbox,
        timeoutMs: settings.mailTimeoutMs,
        stop,
      }),
      now: () => parts.startedAt.getTime() + this.#recorder.elapsed(),
    });
  }

  /**
   * Finds out, with up to three requests, whether anything can be judged at all. Where not, gives up.
   * @returns why not, or undefined
   */
  async preflight(): Promise<string | undefined> {
    const obstacle = await preflight(this.#scout, this.#parts.settings);
    if (obstacle !== undefined) this.giveUp(obstacle);
    return obstacle;
  }

  /**
   * Plays all scenarios of the run, as many together as tasks and limits allow. Of a run that is given up, only
   * the writes that are under way are waited for.
   */
  async playAll(): Promise<void> {
    const all = Promise.all(this.#parts.scenarios.map((scenario) => this.play(scenario)));
    const done = new AbortController();
    try {
      await Promise.race([all, this.#writesAreOver(done.signal)]);
    } finally {
      done.abort();
    }
  }

  /** Resolves when the time-out of every request has passed since the run was given up. */
  async #writesAreOver(done: AbortSignal): Promise<void> {
    const { signal } = this.#stop;
    if (!signal.aborted) await once(signal, 'abort', { signal: done }).catch(() => {});
    await pause(this.#parts.settings.requestTimeoutMs, done).catch(() => {});
  }

  /**
   * Sends nothing more, and says of every scenario that has not been played to its end why it was not judged.
   * @param kind `inconclusive` where the target is the reason
   */
  giveUp(reason: string, kind: 'not judged' | 'inconclusive' = 'not judged'): void {
    this.#stop.abort(new Inconclusive(reason));
    for (const scenario of this.#parts.scenarios) {
      this.#keep(scenario, notJudged(scenario, reason, kind));
    }
  }

  /** What one scenario finds; asked again, the same. */
  play(scenario: AnyScenario): Promise<Findings> {
    const begun = this.#plays.get(scenario.name);
    if (begun !== undefined) return begun;
    const given = this.#played.get(scenario.name);
    const findings = given === undefined ? this.#findings(scenario) : Promise.resolve(given);
    this.#plays.set(scenario.name, findings);
    return findings;
  }

  /**
   * Puts back every task that the run wrote to, also after it was given up. To be called when nothing is played
   * any more.
   */
  async putBack(): Promise<PutBack[]> {
    const { settings, send } = this.#parts;
    return await restoreTasks({
      settings,
      send,
      recorder: this.#recorder,
      journal: this.#journal,
      ledgers: this.#journal.ledgers,
    });
  }

  /** Looks at what the configuration names, without judging anything and without a write. */
  async examine(): Promise<Examination> {
    const { settings, openMailbox } = this.#parts;
    const learn = (): Promise<Knowledge> => this.#worlds.learned();
    const opener = settings.mailbox && openMailbox;
    return await examine(this.#client, settings, learn, opener, Date.now);
  }

  get exchanges(): readonly Exchange[] {
    return this.#recorder.exchanges;
  }

  /** What the run has found so far. */
  results(): Results {
    const { settings, scenarios, startedAt } = this.#parts;
    const played = scenarios.flatMap(({ name }): Played[] => {
      const findings = this.#played.get(name);
      return findings === undefined ? [] : [{ scenario: name, findings }];
    });
    const clauses = clauseResults([...played, ...seenByWholeRun(this.exchanges)]);
    const selected = new Set<ClauseId>(scenarios.flatMap(clauseIdsOf));
    return {
      format: 1,
      // A run of chosen scenarios is measured by what they look at.
      verdict: runVerdict(clauses.filter(({ id }) => selected.has(id as ClauseId))),
      target: { ...settings.target },
      seed: settings.seed,
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(this.#recorder.elapsed()),
      requests: this.#requests(),
      clauses,
      violations: violationResults(played),
    };
  }

  async #findings(scenario: AnyScenario): Promise<Findings> {
    const { settings, scenarios, onProgress } = this.#parts;
    await this.#itsTurn(scenario);
    const lack = lackOf(scenario, settings);
    const found =
      lack === undefined ? await play(scenario, this.#openWorld) : notJudged(scenario, lack);
    const findings = this.#keep(scenario, found);
    onProgress?.({
      finished: this.#played.size,
      total: scenarios.length,
      requests: this.#recorder.sent,
      current: scenario.name,
    });
    return findings;
  }

  /**
   * Where the target shares this process, email is waited for before anything else is played: exports keep it
   * busy for seconds.
   */
  async #itsTurn(scenario: AnyScenario): Promise<void> {
    const { settings, scenarios } = this.#parts;
    const waitsForEmail = ({ needs = [] }: AnyScenario): boolean => needs.includes('mailbox');
    if (settings.target.kind !== 'embedded' || waitsForEmail(scenario)) return;
    await Promise.all(scenarios.filter(waitsForEmail).map((one) => this.play(one)));
  }

  /** What is kept first stands: a scenario that was given up may still come to an end. */
  #keep({ name }: AnyScenario, findings: Findings): Findings {
    const kept = this.#played.get(name) ?? redacted(findings, this.#recorder.redactor);
    this.#played.set(name, kept);
    return kept;
  }

  readonly #openWorld: OpenWorld = (scenario) => this.#worlds.open(scenario);

  #requests(): Results['requests'] {
    const of = (operation: Operation): number =>
      this.exchanges.filter((exchange) => exchange.operation === operation).length;
    const byOperation = Object.fromEntries(operations.map((name) => [name, of(name)]));
    // Object.fromEntries forgets that every operation is there.
    const counted = byOperation as Results['requests']['byOperation'];
    return { total: this.exchanges.length, byOperation: counted };
  }
}
