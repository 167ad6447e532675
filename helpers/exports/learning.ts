import { randomUUID } from 'node:crypto';
import type { Downloads, ExportSource } from './downloads.ts';
import { type Knowledge, type LearningParts, learn } from './learn.ts';

/** What learning starts from, apart from the exports themselves. */
type Start = Omit<LearningParts, 'downloads'>;

/** Learns what a target's exports are made of, once for all who ask. */
export class Learning {
  readonly downloads: Downloads;
  readonly #start: () => Omit<Start, 'impossible'>;
  #begun: { readonly start: Start; readonly knowledge: Promise<Knowledge> } | undefined;

  constructor(downloads: Downloads, start: () => Omit<Start, 'impossible'>) {
    this.downloads = downloads;
    this.#start = start;
  }

  /** @throws Inconclusive where the exports cannot be read at all; who asks again, learns again */
  knowledge(): Promise<Knowledge> {
    return (this.#begun ?? this.#begin()).knowledge;
  }

  /** The same from other readings of the same queries: what could not be learned then may be now. */
  knowledgeFrom(downloads: ExportSource): Promise<Knowledge> {
    return learn({ ...(this.#begun ?? this.#begin()).start, downloads });
  }

  #begin() {
    const { records, ...rest } = this.#start();
    let known: ReturnType<typeof records> | undefined;
    const once = () => {
      known ??= records();
      return known;
    };
    const start = { ...rest, records: once, impossible: randomUUID() };
    const knowledge = learn({ ...start, downloads: this.downloads }).catch((error: unknown) => {
      // The target may respond by then.
      this.#begun = undefined;
      throw error;
    });
    // Who wants only the start, for learning from other readings, does not wait for it.
    knowledge.catch(() => {});
    this.#begun = { start, knowledge };
    return this.#begun;
  }
}
