import type { BodyCollector } from './body.ts';
import type { ClientRequest } from './client.ts';
import { type Exchange, keptBodyBytes } from './exchange.ts';
import { Redactor } from './redact.ts';
import type { WireResponse } from './transport.ts';

/** A request that has been sent. */
export type Sent = ClientRequest & Pick<Exchange, 'number' | 'startedAt'>;

/** The response to a request, whole or in part. */
export interface Received {
  readonly head: WireResponse;
  readonly body: BodyCollector;
}

/** Keeps every exchange of a run, redacted, in the order in which the requests were sent. */
export class Recorder {
  readonly redactor: Redactor;
  /** Requests sent so far; also the number of the newest exchange. */
  sent = 0;
  readonly #exchanges: Exchange[] = [];
  readonly #began = performance.now();

  constructor(secrets: readonly string[] = []) {
    this.redactor = new Redactor(secrets);
  }

  /** The exchanges that have ended, by number. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges.toSorted((a, b) => a.number - b.number);
  }

  /** The number and the start of a request that is sent now. */
  begin(): Pick<Exchange, 'number' | 'startedAt'> {
    this.sent += 1;
    return { number: this.sent, startedAt: this.elapsed() };
  }

  /** Milliseconds since the run began. */
  elapsed(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  /**
   * Records an exchange that has ended now.
   * @param response missing where none came
   * @param failure why none came, or why it broke off
   */
  record(sent: Sent, response?: Received, failure?: Exchange['failure']): Exchange {
    const { redactor } = this;
    const { number, operation, scenario, startedAt, repeats } = sent;
    const exchange: Exchange = {
      number,
      operation,
      scenario,
      startedAt,
      durationMs: Math.round((this.elapsed() - startedAt) * 10) / 10,
      ...(repeats !== undefined && { repeats }),
      request: {
        method: sent.method,
        url: redactor.url(sent.url),
        headers: redactor.sentHeaders(Object.entries(sent.headers)),
        ...(sent.body !== undefined && { body: redactor.text(sent.body) }),
        ...(sent.key !== undefined && { key: sent.key }),
        ...(sent.route === 'blocked' && { route: sent.route }),
      },
      ...(response !== undefined && {
        response: {
          status: response.head.status,
          headers: redactor.answeredHeaders(response.head.headers),
          body: redactor.bytes(response.body.bytes.subarray(0, keptBodyBytes)),
          size: response.body.size,
        },
      }),
      ...(failure !== undefined && { failure: { ...failure, why: redactor.text(failure.why) } }),
    };
    this.#exchanges.push(exchange);
    return exchange;
  }
}
