import type { Settings } from '../helpers/config/settings.ts';
import { type FileReaders, fileReaders } from '../helpers/exports/downloads.ts';
import { Client } from '../helpers/http/client.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { createPacing } from '../helpers/http/pacing.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import type { Transport } from '../helpers/http/transport.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { type Operation, operations } from '../schemas/operations.ts';
import type { Results } from '../schemas/results.ts';
import { lackOf } from './needs.ts';
import { clauseIdsOf, type Findings, type OpenWorld, play } from './play.ts';
import { preflight } from './preflight.ts';
import type { AnyScenario } from './scenario.ts';
import { clauseResults, type Played, runVerdict, violationResults } from './verdicts.ts';
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
  readonly journal: Journal;
  readonly scenarios: readonly AnyScenario[];
  readonly startedAt: Date;
  /** How downloaded files are read; only proofs bring their own. */
  readonly readers?: FileReaders;
  readonly onProgress?: (progress: Progress) => void;
}

/** A run that plays scenarios when they are asked for, each once, and can say at any time what came of it. */
export class ContractRun {
  readonly #parts: RunParts;
  readonly #recorder = new Recorder();
  readonly #client: Client;
  readonly #worlds: Worlds;
  readonly #plays = new Map<string, Promise<Findings>>();
  readonly #played: Played[] = [];

  constructor(parts: RunParts) {
    const { settings } = parts;
    this.#parts = parts;
    this.#recorder.redactor.keepSecret(settings.apiKey);
    const pacing = createPacing(settings.maxConcurrency, settings.maxRequestsPerSecond);
    this.#client = new Client(parts.send, this.#recorder, pacing, {
      requestTimeoutMs: settings.requestTimeoutMs,
      maxBodyBytes: settings.maxExportBytes,
    });
    this.#worlds = new Worlds({
      client: this.#client,
      settings,
      journal: parts.journal,
      readers: parts.readers ?? fileReaders,
      now: () => parts.startedAt.getTime() + this.#recorder.elapsed(),
    });
  }

  /** Why nothing can be judged, or undefined. Sends up to three requests. */
  preflight(): Promise<string | undefined> {
    return preflight(this.#client, this.#parts.settings);
  }

  /** Plays all scenarios of the run, as many together as tasks and limits allow. */
  async playAll(): Promise<void> {
    await Promise.all(this.#parts.scenarios.map((scenario) => this.play(scenario)));
  }

  /** Says of every scenario that it was not played, and why. */
  giveUp(reason: string): void {
    for (const scenario of this.#parts.scenarios) {
      const findings = notJudged(scenario, reason);
      this.#plays.set(scenario.name, Promise.resolve(findings));
      this.#played.push({ scenario: scenario.name, findings });
    }
  }

  /** What one scenario finds; asked again, the same. */
  play(scenario: AnyScenario): Promise<Findings> {
    const begun = this.#plays.get(scenario.name);
    if (begun !== undefined) return begun;
    const findings = this.#findings(scenario);
    this.#plays.set(scenario.name, findings);
    return findings;
  }

  get exchanges(): readonly Exchange[] {
    return this.#recorder.exchanges;
  }

  /** What the run has found so far. */
  results(): Results {
    const { settings, scenarios, startedAt } = this.#parts;
    const order = new Map(scenarios.map(({ name }, index) => [name, index]));
    const rank = ({ scenario }: Played): number => order.get(scenario) ?? 0;
    const played = this.#played.toSorted((a, b) => rank(a) - rank(b));
    const clauses = clauseResults(played);
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
    const lack = lackOf(scenario, this.#parts.settings);
    const findings =
      lack === undefined ? await play(scenario, this.#openWorld) : notJudged(scenario, lack);
    this.#played.push({ scenario: scenario.name, findings });
    this.#parts.onProgress?.({
      finished: this.#played.length,
      total: this.#parts.scenarios.length,
      requests: this.#recorder.sent,
      current: scenario.name,
    });
    return findings;
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

function notJudged(scenario: AnyScenario, reason: string): Findings {
  return new Map(clauseIdsOf(scenario).map((id) => [id, { kind: 'not judged', reason }] as const));
}
