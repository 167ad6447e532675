import { once } from 'node:events';

/** Which scenarios of a run are under way, and which of them wait for the others. Scenarios are given by their names. */
export class Turns {
  readonly #stop: AbortSignal;
  /** In the order in which they began. */
  readonly #underWay = new Set<string>();
  /** For each scenario that waits until all others are done: lets it go on, in all places in which it waits. */
  readonly #waiting = new Map<string, readonly (() => void)[]>();
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
   * several that wait, one goes on after the other.
   */
  async othersAreDone(scenario: string): Promise<void> {
    this.#leaveTurn.get(scenario)?.();
    const released = new Promise<void>((release) =>
      this.#waiting.set(scenario, [...(this.#waiting.get(scenario) ?? []), release]),
    );
    this.#releaseWaiting();
    await Promise.race([released, this.#stop.aborted ? undefined : once(this.#stop, 'abort')]);
  }

  #releaseWaiting(): void {
    if (this.#underWay.size > this.#waiting.size) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [scenario, releases] = next;
    this.#waiting.delete(scenario);
    for (const release of releases) release();
  }
}
