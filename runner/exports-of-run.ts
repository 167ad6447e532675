import type { Knowledge, KnownEvents, Learning } from '../helpers/exports/learn.ts';
import type { Readings } from '../helpers/exports/readings.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Unsettled } from './run-scenario.ts';

/** What one run of a scenario knows of the exports, and what it reads of them. */
export class ExportsOfRun {
  readonly readings: Readings;
  readonly #learning: Learning;
  /** Whether this is a further run of a look, which has what the run before it knew and read, without what changed. */
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

  /** As `unsettled` of an `OpenedWorld`. */
  async unsettled(knewEnough: boolean): Promise<Unsettled | undefined> {
    try {
      if (!(await this.readings.settle())) return undefined;
    } catch (error) {
      if (error instanceof Inconclusive) return { why: error };
      throw error;
    }
    const why = new Inconclusive('The exported events changed while they were judged.');
    const { readings } = this;
    const relearned = () => this.#learning.from(readings.over(this.#learning.downloads));
    const learning = knewEnough ? this.#learning : relearned();
    return { why, settled: { learning, readings } };
  }
}
