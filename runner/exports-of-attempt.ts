import type { Knowledge, KnownEvents, Learning } from '../helpers/exports/learn.ts';
import type { Readings } from '../helpers/exports/readings.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Difference } from '../schemas/difference.ts';

/** That exported events changed while a scenario was judged by them. */
export interface Moved {
  readonly why: Inconclusive;
  /** The exports without the events that changed; undefined where the target did not let them be read once more. */
  readonly stoodStill?: ExportsOfAttempt;
}

/** What one attempt at a scenario knows of the exports, and what it reads of them. */
export class ExportsOfAttempt {
  readonly readings: Readings;
  readonly #learning: Learning;
  /** Whether an earlier attempt has read them: then events that changed since are left out. */
  readonly #isFurther: boolean;
  #known: Promise<Knowledge> | undefined;

  constructor(learning: Learning, readings: Readings, isFurther = false) {
    this.#learning = learning;
    this.readings = readings;
    this.#isFurther = isFurther;
  }

  /** All that was learned; its window is compared with what the scenario reads. */
  async knowledge(): Promise<Knowledge> {
    const { readings } = this;
    this.#known ??= this.#learning
      .knowledge()
      .then((learned) => (this.#isFurther ? readings.settledKnowledge(learned) : learned));
    const known = await this.#known;
    readings.addWindow(known);
    return known;
  }

  /** What was learned first, without filters. */
  async events(): Promise<KnownEvents> {
    if (this.#isFurther) return await this.knowledge();
    const events = await this.#learning.events();
    this.readings.addWindow(events);
    return events;
  }

  /**
   * Reads once more what violations and doubts stand on; undefined where nothing has changed.
   * @param standsOn the numbers of their answers; [] where they name none: everything is read
   * @param isViolated false: the knowledge of the exports may not have sufficed, and is learned anew from unchanged events
   */
  async moved(standsOn: readonly number[], isViolated: boolean): Promise<Moved | undefined> {
    const { readings } = this;
    try {
      if (!(await readings.settle(standsOn))) return undefined;
    } catch (error) {
      if (error instanceof Inconclusive) return { why: error };
      throw error;
    }
    const relearned = () => this.#learning.from(readings.over(this.#learning.downloads));
    return {
      why: new Inconclusive('The exported events changed while they were judged.'),
      stoodStill: new ExportsOfAttempt(isViolated ? this.#learning : relearned(), readings, true),
    };
  }

  /** Whether a difference stands on events that did not change. */
  isUntouched(difference: Difference): boolean {
    return this.readings.standsStill(difference);
  }
}
