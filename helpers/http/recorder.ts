import type { Exchange } from './exchange.ts';
import { Redactor } from './redact.ts';

/** Keeps every exchange of a run, redacted, in the order in which the requests were sent. */
export class Recorder {
  readonly redactor = new Redactor();
  readonly #exchanges: Exchange[] = [];
  readonly #began = performance.now();
  #sent = 0;

  /** Requests sent so far; also the number of the newest exchange. */
  get sent(): number {
    return this.#sent;
  }

  /** The exchanges that have ended, by number. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges.toSorted((a, b) => a.number - b.number);
  }

  nextNumber(): number {
    this.#sent += 1;
    return this.#sent;
  }

  /** Milliseconds since the run began. */
  elapsed(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }
}
