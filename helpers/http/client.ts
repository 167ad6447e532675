import type { Operation } from '../../schemas/operations.ts';
import type { Settings } from '../config/settings.ts';
import { Inconclusive, NotConfigured } from '../outcomes.ts';
import { Answer } from './answer.ts';
import { BodyCollector, piecesInTime } from './body.ts';
import { meaningOf, NoResponse } from './no-response.ts';
import type { Pacing } from './pacing.ts';
import type { Received, Recorder, Sent } from './recorder.ts';
import { retryDelay } from './retry.ts';
import type { KeyPiece } from './sent-key.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';
import { pause, withDeadline } from './waiting.ts';

/** A request of one of the four operations, ready to be sent. */
export interface ClientRequest extends Omit<WireRequest, 'signal'> {
  readonly operation: Operation;
  readonly scenario: string;
  /** How its key was made of the configured key; left out where the configured key is sent, or none. */
  readonly key?: readonly KeyPiece[];
  /**
   * Takes the pieces of a successful body as they come, in place of keeping them: for files of any length.
   * What it throws ends the download, and `send` with it.
   */
  readonly consume?: (pieces: AsyncIterable<Uint8Array>) => Promise<void>;
  /** The number of the exchange of this run that it repeats, to see whether its server error lasts. */
  readonly repeats?: number;
}

/** Of the settings, `writes`: whether PUT may be sent at all is a second barrier, besides what scenarios say they need. */
export interface ClientLimits
  extends Pick<Settings, 'requestTimeoutMs' | 'maxExportBytes' | 'writes'> {
  /** For how long requests are sent again where that may help, in milliseconds; half a minute unless given. */
  readonly retryBudgetMs?: number;
  /** The same where there is no response at all, as from a wrong address, with the wait for it; as long unless given. */
  readonly noResponseBudgetMs?: number;
  /** By how much pauses before requests that are sent again are multiplied; only proofs shorten them. */
  readonly pauseFactor?: number | undefined;
  /** Called when the target has not responded to any of many requests for several retry budgets. */
  readonly onUnresponsive?: (why: Inconclusive) => void;
  /**
   * Once aborted, nothing more is sent, and only writes that are under way are waited for: what became of them
   * must be known to put tasks back. Its reason is what is thrown.
   */
  readonly stop?: AbortSignal;
}

/** Larger bodies are given up, but for exported files; no JSON of the document comes near it. */
const maxJsonBytes = 16 * 1024 * 1024;

/** A target is unresponsive after so many failed requests in a row, over so many retry budgets. */
const minFailedRequests = 12;
const minFailedBudgets = 4;

/** The export may take this many time-outs as a whole, as long as pieces keep coming. */
const exportTimeouts = 5;

/** Sends requests, records every exchange once, and waits where the target asks for it. */
export class Client {
  readonly recorder: Recorder;
  /** How many writes have been sent and have no response yet. */
  writesUnderWay = 0;
  readonly #transport: Transport;
  readonly #pacing: Pacing;
  readonly #limits: ClientLimits & { readonly retryBudgetMs: number };
  /** Requests without a response since the last one that had one, or since the first of all. */
  #failed: { since: number; requests: number } | undefined;

  constructor(transport: Transport, recorder: Recorder, pacing: Pacing, limits: ClientLimits) {
    this.#transport = transport;
    this.recorder = recorder;
    this.#pacing = pacing;
    this.#limits = { retryBudgetMs: 30_000, ...limits };
  }

  /** @throws the reason for which nothing more is sent, where that is so */
  requireOpen(): void {
    this.#limits.stop?.throwIfAborted();
  }

  /**
   * Sends the request, again where that may help, until it has a response.
   * @throws NoResponse where none comes, NotConfigured where it is a write and none may be sent
   */
  async send(request: ClientRequest): Promise<Answer> {
    return await this.#retry(request, await this.#paced(request));
  }

  /**
   * Sends several requests in the same moment, each over a connection of its own.
   * @throws NoResponse where one of them has none
   */
  async sendTogether(requests: readonly ClientRequest[]): Promise<Answer[]> {
    const together = () =>
      Promise.all(
        requests.map(async (request) => ({ request, first: await this.#attempt(request) })),
      );
    const owner = requests[0]?.scenario ?? '';
    const attempts = await this.#pacing(together, { places: requests.length, owner });
    return await Promise.all(attempts.map(({ request, first }) => this.#retry(request, first)));
  }

  /** Sends a request again where its first attempt, and those after it, had no response that counts. */
  async #retry(request: ClientRequest, first: Answer | NoResponse): Promise<Answer> {
    const { retryBudgetMs, noResponseBudgetMs, pauseFactor = 1, stop } = this.#limits;
    const began = this.recorder.elapsed();
    let last = first;
    for (let attempt = 1; ; attempt += 1) {
      const isShort = last instanceof NoResponse && noResponseBudgetMs !== undefined;
      const budgetMs = isShort ? noResponseBudgetMs - last.exchange.durationMs : retryBudgetMs;
      const leftMs = budgetMs - (this.recorder.elapsed() - began);
      const delay = retryDelay(request, last, attempt, leftMs);
      if (typeof delay !== 'number') {
        if (last instanceof NoResponse) throw last;
        if (delay === undefined) return last;
        const again = attempt > 1 ? ', also on retry' : '';
        throw new NoResponse(last.exchange, `answered ${last.status}${again}`);
      }
      if (last instanceof Answer && last.status === 429) this.#pacing.holdBack(delay * pauseFactor);
      await pause(delay * pauseFactor, stop);
      last = await this.#paced({ ...request, repeats: last.exchange.number });
    }
  }

  #paced(request: ClientRequest): Promise<Answer | NoResponse> {
    return this.#pacing(() => this.#attempt(request), { owner: request.scenario });
  }

  /** Sends a request once and records what came of it. */
  async #attempt(request: ClientRequest): Promise<Answer | NoResponse> {
    this.requireOpen();
    const isWrite = request.method === 'PUT';
    if (isWrite && !this.#limits.writes) {
      throw new NotConfigured('ALLOW_WRITES', 'permission to assign tasks on this target');
    }
    const sent = { ...request, ...this.recorder.begin() };
    if (isWrite) this.writesUnderWay += 1;
    return await this.#receive(sent).finally(() => {
      if (isWrite) this.writesUnderWay -= 1;
    });
  }

  /**
   * Sends a request, takes its response and records both; of a run that is stopped, only writes are waited for.
   * @throws what whoever consumes the file throws
   */
  async #receive(sent: Sent): Promise<Answer | NoResponse> {
    const { requestTimeoutMs } = this.#limits;
    const stop = sent.method === 'PUT' ? undefined : this.#limits.stop;
    const timeouts = sent.operation === 'export' ? exportTimeouts : 1;
    const deadline = AbortSignal.timeout(requestTimeoutMs * timeouts);
    const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
    let head: WireResponse;
    try {
      head = await withDeadline(this.#transport({ ...sent, signal }), requestTimeoutMs, stop);
    } catch (error) {
      return this.#recordLoss(sent, error);
    }
    const { status, headers } = head;
    const { maxExportBytes } = this.#limits;
    const isFile = sent.operation === 'export' && status <= 299;
    const body = new BodyCollector(
      isFile ? maxExportBytes : Math.min(maxExportBytes, maxJsonBytes),
    );
    const response = { head, body };
    const pieces = body.take(piecesInTime(head.body, requestTimeoutMs), headers);
    const { consume } = sent;
    try {
      await (consume === undefined || status > 299 ? body.keep(pieces) : consume(pieces));
    } catch (error) {
      // What the network throws comes through the consumer; what the consumer itself throws is its own.
      if (body.failure !== undefined) return this.#recordLoss(sent, body.failure, response);
      const { why } = meaningOf(error, requestTimeoutMs);
      this.recorder.record(sent, response, { loss: 'given up', why });
      throw error;
    }
    const exchange = this.recorder.record(sent, response);
    this.#failed = { since: this.recorder.elapsed(), requests: 0 };
    return new Answer(exchange, status, headers, body.bytes);
  }

  /** Records why a response did not come whole, or at all: because of the network, a deadline or the limit of the body. */
  #recordLoss(sent: Sent, error: unknown, response?: Received): NoResponse {
    const { loss, why, failure } = meaningOf(error, this.#limits.requestTimeoutMs);
    const exchange = this.recorder.record(sent, response, { loss, why });
    const noResponse = new NoResponse(exchange, why, failure);
    this.#countFailed(noResponse);
    return noResponse;
  }

  /** Reports a target that has not responded for long, though it was sent many requests. */
  #countFailed(last: NoResponse): void {
    const { retryBudgetMs, onUnresponsive } = this.#limits;
    const now = this.recorder.elapsed();
    this.#failed ??= { since: now, requests: 0 };
    this.#failed.requests += 1;
    const { since, requests } = this.#failed;
    if (requests < minFailedRequests || now - since < minFailedBudgets * retryBudgetMs) return;
    const seconds = Math.round((now - since) / 1000);
    const why = `The target has not answered for ${seconds} s. Last error: ${last.message}`;
    onUnresponsive?.(new Inconclusive(why, [last]));
  }
}
