import { once } from 'node:events';

/** What a scenario sends when all others are done. Of two that do not send the same, one may go on beside the other. */
export type Alone = 'reads' | 'exports' | 'anything';

/** A scenario that waits until all others are done. */
interface Waiting {
  readonly alone: Alone;
  /** Lets it go on, in all places in which it waits. */
  readonly releases: readonly (() => void)[];
}

/** Which scenarios of a run are under way, and which of them wait for the others. Scenarios are given by their names. */
export class Turns {
  readonly #stop: AbortSignal;
  /** In the order in which they began. */
  readonly #underWay = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  /** Those that have waited, and go on. */
  readonly #alone = new Map<string, Alone>();
  /** By scenario: ends its turn, so that the next scenario has its own. */
  readonly #leaveTurn = new Map<string, () => void>();
  #lastTurn: Promise<void> = Promise.resolve();

  /** @param stop when it is given, nobody waits any more */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /** The scenario that has been under way longest, and does not wait for the others; undefined where none is. */
  get longest(): string | undefined {
    return [...this.#underWay].find((scenario) => !this.#waiting.has(scenario));
  }

  async among<T>(scenario: string, play: () => Promise<T>): Promise<T> {
    this.#underWay.add(scenario);
    try {
      return await play();
    } finally {
      this.#underWay.delete(scenario);
      this.#alone.delete(scenario);
      this.#leaveTurn.get(scenario)?.();
      this.#releaseWaiting();
    }
  }

  /** Resolves when the turns of all that asked before are over. That of a scenario ends with it. */
  async turnOf(scenario: string): Promise<void> {
    if (this.#leaveTurn.has(scenario)) return;
    const earlierTurns = this.#lastTurn;
    const turn = new Promise<void>((leave) => this.#leaveTurn.set(scenario, leave));
    this.#lastTurn = earlierTurns.then(() => turn);
    await earlierTurns;
  }

  /**
   * Resolves when all scenarios that are under way wait for this, or the run is given up; ends the scenario's turn. Of
   * several that wait, one goes on after the other, and one that sends reads beside one that sends exports.
   */
  async othersAreDone(scenario: string, alone: Alone = 'anything'): Promise<void> {
    this.#leaveTurn.get(scenario)?.();
    this.#alone.delete(scenario);
    const released = new Promise<void>((release) =>
      this.#waiting.set(scenario, {
        alone,
        releases: [...(this.#waiting.get(scenario)?.releases ?? []), release],
      }),
    );
    this.#releaseWaiting();
    await Promise.race([released, this.#stop.aborted ? undefined : once(this.#stop, 'abort')]);
  }

  #releaseWaiting(): void {
    for (const [scenario, { alone, releases }] of this.#waiting) {
      if (!this.#mayGoOn(alone)) continue;
      this.#waiting.delete(scenario);
      this.#alone.set(scenario, alone);
      for (const release of releases) release();
    }
  }

  #mayGoOn(alone: Alone): boolean {
    const going = [...this.#underWay].filter((one) => !this.#waiting.has(one));
    const sending = going.map((one) => this.#alone.get(one) ?? 'anything');
    return sending.every((what) => ![what, alone].includes('anything') && what !== alone);
  }
}
