import { randomUUID } from 'node:crypto';
import type { Downloads, ExportSource } from './downloads.ts';
import {
  type Knowledge,
  type KnownEvents,
  type Learned,
  type LearningParts,
  learn,
} from './learn.ts';

/** What learning starts from, apart from the exports themselves. */
type Start = Omit<LearningParts, 'downloads'>;

/** Learns what a target's exports are made of, once for all who ask. */
export class Learning {
  readonly downloads: Downloads;
  readonly #start: () => Omit<Start, 'impossible'>;
  #begun: (Learned & { readonly start: Start }) | undefined;
  #endedAt: number | undefined;

  constructor(downloads: Downloads, start: () => Omit<Start, 'impossible'>) {
    this.downloads = downloads;
    this.#start = start;
  }

  /** For how long all of it has been known, in milliseconds; 0 while it is being learned. */
  get ageMs(): number {
    return this.#endedAt === undefined ? 0 : performance.now() - this.#endedAt;
  }

  /** @throws Inconclusive where the exports cannot be read at all; who asks again, learns again */
  knowledge(): Promise<Knowledge> {
    return (this.#begun ?? this.#begin()).knowledge;
  }

  /** What is known of the events, as soon as it is. @throws Inconclusive as `knowledge` does */
  events(): Promise<KnownEvents> {
    return (this.#begun ?? this.#begin()).events;
  }

  /** The same knowledge from other readings of the same queries: what could not be learned then may be now. */
  knowledgeFrom(downloads: ExportSource): Promise<Knowledge> {
    return learn({ ...(this.#begun ?? this.#begin()).start, downloads }).knowledge;
  }

  #begin() {
    const { records, ...rest } = this.#start();
    let known: ReturnType<typeof records> | undefined;
    const once = () => {
      known ??= records();
      return known;
    };
    const start = { ...rest, records: once, impossible: randomUUID() };
    const { events, knowledge } = learn({ ...start, downloads: this.downloads });
    // Who wants only the events, or the start for learning from other readings, does not wait for it.
    knowledge.then(
      () => {
        this.#endedAt = performance.now();
      },
      () => {
        // The target may respond by then.
        this.#begun = undefined;
      },
    );
    this.#begun = { start, events, knowledge };
    return this.#begun;
  }
}
