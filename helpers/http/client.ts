import type { Operation } from '../../schemas/operations.ts';
import { NotJudged } from '../outcomes.ts';
import { Answer } from './answer.ts';
import { BodyCollector } from './body-collector.ts';
import { inTime, withDeadline } from './deadline.ts';
import { encodingsOf } from './decode.ts';
import { type Exchange, type Headers, keptBodyBytes } from './exchange.ts';
import { explain, NoResponse, troubleOf } from './no-response.ts';
import type { Pacing } from './pacing.ts';
import { pause } from './pause.ts';
import type { Recorder } from './recorder.ts';
import { retryDelay } from './retry.ts';
import type { Route, Transport, WireResponse } from './transport.ts';

/** A request of one of the four operations, ready to be sent. */
export interface ClientRequest {
  readonly operation: Operation;
  readonly scenario: string;
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly route: Route;
  /**
   * Takes the pieces of a successful body as they come, in place of keeping them: for files of any length.
   * What it throws ends the download, and `send` with it.
   */
  readonly consume?: (pieces: AsyncIterable<Uint8Array>) => Promise<void>;
}

export interface ClientLimits {
  /** For the whole answer of a JSON operation; for an export, for its head and for each piece of it. */
  readonly requestTimeoutMs: number;
  /** Exported files over this are given up; of any other body, those over 16 MB are. */
  readonly maxBodyBytes: number;
  /** Requests are sent again for so long, in milliseconds, where that may help; half a minute unless given. */
  readonly retryBudgetMs?: number;
  /** Is told, once, when the target has not answered a single one of many requests for longer than that. */
  readonly onSilence?: (reason: string) => void;
  /** Whether PUT may be sent at all: what scenarios say they need is not the only thing that holds them back. */
  readonly writes: boolean;
  /**
   * Once aborted, nothing more is sent, and only writes that are under way are waited for: what became of them
   * must be known to put tasks back. Its reason is what is thrown.
   */
  readonly stop?: AbortSignal;
}

const notAllowed =
  'Not configured: ALLOW_WRITES: leave to assign tasks on this target (yes, and no --read-only).';

/** No JSON of the document comes near it. */
const largestJson = 16 * 1024 * 1024;

/** How long trouble is waited for to pass, unless a run says otherwise, in milliseconds. */
const usualPatienceMs = 30_000;

/** So many requests without an answer, one after another, and for so many times the patience: silence. */
const silentRequests = 12;
const silentTimes = 4;

/** The export may take this many time-outs as a whole, as long as pieces keep coming. */
const exportPatience = 5;

/** Sends requests, records every exchange once, and waits where the target asks for it. */
export class Client {
  readonly recorder: Recorder;
  readonly #transport: Transport;
  readonly #pacing: Pacing;
  readonly #limits: ClientLimits;
  /** Since when, and for how many requests, there has been no answer. */
  #silence: { since: number; requests: number } | undefined;

  constructor(transport: Transport, recorder: Recorder, pacing: Pacing, limits: ClientLimits) {
    this.#transport = transport;
    this.recorder = recorder;
    this.#pacing = pacing;
    this.#limits = limits;
  }

  /**
   * Sends the request until it is answered with something that counts as an answer.
   * @throws NoResponse where none comes, NotJudged where it is a write and none may be sent
   */
  async send(request: ClientRequest): Promise<Answer> {
    return await this.#settle(request, await this.#pacing(() => this.#attempt(request)));
  }

  /**
   * Sends several requests in the same moment, each over a connection of its own.
   * @throws NoResponse where one of them is not answered
   */
  async sendTogether(requests: readonly ClientRequest[]): Promise<Answer[]> {
    const together = () => Promise.all(requests.map((request) => this.#attempt(request)));
    const heard = await this.#pacing(together, requests.length);
    return await Promise.all(
      requests.map(async (request, index) => {
        const first = heard[index];
        if (first === undefined) throw new Error('A request of several was lost.');
        return await this.#settle(request, first);
      }),
    );
  }

  async #settle(request: ClientRequest, first: Answer | NoResponse): Promise<Answer> {
    let heard = first;
    const { retryBudgetMs = usualPatienceMs } = this.#limits;
    const until = this.recorder.elapsed() + retryBudgetMs;
    for (let attempt = 1; ; attempt += 1) {
      const left = until - this.recorder.elapsed();
      const delay = retryDelay(request.method, heard, attempt, left);
      if (delay === undefined) {
        if (heard instanceof NoResponse) throw heard;
        return heard;
      }
      if (delay === 'give up') {
        if (heard instanceof NoResponse) throw heard;
        const again = attempt > 1 ? ', also when asked again' : '';
        throw new NoResponse(heard.exchange, `answered ${heard.status}${again}`);
      }
      await pause(delay, this.#limits.stop);
      heard = await this.#pacing(() => this.#attempt(request));
    }
  }

  async #attempt(request: ClientRequest): Promise<Answer | NoResponse> {
    const { recorder } = this;
    const { requestTimeoutMs, writes } = this.#limits;
    this.#limits.stop?.throwIfAborted();
    if (request.method === 'PUT' && !writes) throw new NotJudged(notAllowed);
    const stop = request.method === 'PUT' ? undefined : this.#limits.stop;
    const number = recorder.nextNumber();
    const startedAt = recorder.elapsed();
    const patience = request.operation === 'export' ? exportPatience : 1;
    const deadline = AbortSignal.timeout(requestTimeoutMs * patience);
    const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
    let head: WireResponse | undefined;
    let failure: string | undefined;
    let cause: unknown;
    let body = new BodyCollector(0);
    let refused: unknown;
    try {
      head = await withDeadline(this.#transport({ ...request, signal }), requestTimeoutMs, stop);
      body = new BodyCollector(this.#largest(request.operation, head.status));
      const pieces = body.take(inTime(head.body, requestTimeoutMs), encodingsOf(head.headers));
      const { consume } = request;
      if (consume === undefined || head.status > 299) await body.keep(pieces);
      else {
        await consume(pieces).catch((error: unknown) => {
          // What the network throws comes through the consumer; what the consumer itself throws is its own.
          if (body.failure === undefined) refused = error;
          throw error;
        });
      }
    } catch (error) {
      cause = error;
      failure = explain(body.failure ?? error, requestTimeoutMs);
    }
    const exchange = this.#record(request, number, startedAt, head, body, failure);
    if (refused !== undefined) throw refused;
    if (failure !== undefined || head === undefined) {
      const unheard = new NoResponse(
        exchange,
        failure ?? 'no answer',
        troubleOf(body.failure ?? cause),
      );
      this.#listen(unheard);
      return unheard;
    }
    this.#listen();
    return new Answer(exchange, head.status, head.headers, body.bytes);
  }

  #largest(operation: Operation, status: number): number {
    const { maxBodyBytes } = this.#limits;
    const isFile = operation === 'export' && status <= 299;
    return isFile ? maxBodyBytes : Math.min(maxBodyBytes, largestJson);
  }

  /** Notices when the target has fallen silent. */
  #listen(unheard?: NoResponse): void {
    if (unheard === undefined || this.#silence === undefined) {
      this.#silence = { since: this.recorder.elapsed(), requests: 0 };
    }
    if (unheard === undefined) return;
    this.#silence.requests += 1;
    const { retryBudgetMs = usualPatienceMs, onSilence } = this.#limits;
    const lasted = this.recorder.elapsed() - this.#silence.since;
    if (this.#silence.requests < silentRequests || lasted < silentTimes * retryBudgetMs) return;
    const seconds = Math.round(lasted / 1000);
    onSilence?.(`The target has not answered for ${seconds} s. At last: ${unheard.message}`);
  }

  #record(
    request: ClientRequest,
    number: number,
    startedAt: number,
    head: WireResponse | undefined,
    body: BodyCollector,
    failure: string | undefined,
  ): Exchange {
    const { redactor } = this.recorder;
    const sent: Headers = Object.entries(request.headers);
    const exchange: Exchange = {
      number,
      operation: request.operation,
      scenario: request.scenario,
      startedAt,
      durationMs: Math.round((this.recorder.elapsed() - startedAt) * 10) / 10,
      request: {
        method: request.method,
        url: redactor.url(request.url),
        headers: redactor.headers(sent),
        ...(request.body !== undefined && { body: redactor.text(request.body) }),
      },
      ...(head !== undefined && {
        response: {
          status: head.status,
          headers: redactor.headers(head.headers),
          body: redactor.bytes(body.bytes.subarray(0, keptBodyBytes)),
          size: body.size,
        },
      }),
      ...(failure !== undefined && { failure: redactor.text(failure) }),
    };
    this.recorder.add(exchange);
    return exchange;
  }
}
