import { createPacing } from '../http/pacing.ts';
import { pause } from '../http/waiting.ts';
import { type Mailbox, MailboxError, type Message } from './mailbox.ts';

/** An email that has arrived, read. */
export interface Email {
  /** In lower case. */
  readonly recipients: readonly string[];
  /** Its subject, text and HTML. */
  readonly text: string;
}

/** What arrived in a period of time. */
export interface Incoming {
  readonly emails: readonly Email[];
  /** Until what was waited for had arrived, or was given up, in milliseconds. */
  readonly waitedMs: number;
  /** Whether somebody took messages out of the mailbox meanwhile: what did not arrive may have been among them. */
  readonly lost: boolean;
}

interface MailWatchOptions {
  readonly open: () => Promise<Mailbox>;
  /** How long an email may take. */
  readonly timeoutMs: number;
  readonly stop?: AbortSignal;
}

const firstPauseMs = 20;
const maxPauseMs = 2000;

/**
 * After what was waited for has arrived, more may follow. As long again is waited, or twice as long as email took where it
 * was fastest, within these limits.
 */
const minGraceMs = 100;
const maxGraceMs = 5000;

/** A mailbox that does not answer may do so a moment later. */
const reopenAfterMs = 1000;

/**
 * Watches the configured mailbox for what arrives. For one scenario at a time: each email is given once, but to a last
 * look, which gives all of them since a moment.
 */
export class MailWatch {
  /** Lets one scenario after the other watch. */
  readonly inTurn = createPacing(1, 0);
  /** Whether emails are known to name the task that they are about: those of other scenarios can then be told apart. */
  nameTheirTask = false;
  readonly #options: MailWatchOptions;
  #mailbox: Promise<Mailbox> | undefined;
  /** How long email takes where it is fastest, in milliseconds; at first, a guess. */
  #fastMs = 125;
  #hasCome = false;
  /** Whether email was once waited for in vain. */
  #hasTimedOut = false;
  /** All that has arrived, in order. */
  readonly #arrived: Email[] = [];
  /** How often somebody had taken messages out of the mailbox. */
  #losses = 0;
  /** Why the last poll failed; undefined where it did not. */
  #error: MailboxError | undefined;

  constructor(options: MailWatchOptions) {
    this.#options = options;
  }

  /**
   * Opens the mailbox and passes over all that it holds; what is given later has arrived later.
   * It is opened once for all who ask; where that fails it is tried once more, and then given up for the run.
   * @throws MailboxError where the mailbox cannot be opened; later calls throw the same error without another try
   */
  open(): Promise<Mailbox> {
    this.#mailbox ??= this.#opened().catch(async (error: unknown) => {
      if (!(error instanceof MailboxError)) throw error;
      await pause(reopenAfterMs, this.#options.stop);
      return await this.#opened();
    });
    return this.#mailbox;
  }

  /** How many emails have arrived so far: a moment, for `since`. */
  get count(): number {
    return this.#arrived.length;
  }

  /**
   * What has arrived since a moment, whoever it was given to: looked at once, and for the whole time of an email where
   * that is not enough.
   *
   * @param count of that moment
   * @throws MailboxError
   */
  async since(
    count: number,
    isEnough: (emails: readonly Email[]) => boolean,
  ): Promise<readonly Email[]> {
    const mailbox = await this.open();
    const arrived = (): readonly Email[] => this.#arrived.slice(count);
    await this.#gather(mailbox, this.#options.timeoutMs, () => isEnough(arrived()));
    if (this.#error !== undefined) throw this.#error;
    return arrived();
  }

  /**
   * Waits until each of the addresses, which may be none, has got an email of which `counts` is true, and then for what
   * else arrives.
   * @throws MailboxError where the mailbox cannot be read in the end
   */
  async waitFor(
    addresses: readonly string[],
    counts: (email: Email) => boolean = () => true,
  ): Promise<Incoming> {
    const mailbox = await this.open();
    const began = performance.now();
    const { count } = this;
    const losses = this.#losses;
    const arrived = (): readonly Email[] => this.#arrived.slice(count);
    const isThere = (address: string): boolean =>
      arrived().some((one) => one.recipients.includes(address) && counts(one));
    const isComplete = (): boolean => addresses.every(isThere);
    const pausedMs =
      addresses.length > 0 ? await this.#gather(mailbox, this.#limitMs, isComplete) : 0;
    const waitedMs = performance.now() - began;
    if (!isComplete()) {
      this.#hasTimedOut = true;
    } else if (addresses.length > 0) {
      this.#fastMs = this.#hasCome ? Math.min(this.#fastMs, pausedMs) : pausedMs;
      this.#hasCome = true;
    }
    const graceMs = this.#graceMsAfter(pausedMs);
    await this.#gather(mailbox, graceMs, () => false, graceMs);
    if (this.#error !== undefined) throw this.#error;
    return { emails: arrived(), waitedMs, lost: this.#losses > losses };
  }

  /** The whole time once; after that was in vain, a third of it, or ten times as long as email takes where it is fastest. */
  get #limitMs(): number {
    const { timeoutMs } = this.#options;
    if (!this.#hasTimedOut) return timeoutMs;
    return Math.min(timeoutMs, Math.max(timeoutMs / 3, 10 * this.#fastMs));
  }

  #graceMsAfter(pausedMs: number): number {
    const wanted = Math.max(2 * this.#fastMs, pausedMs, minGraceMs);
    return Math.min(wanted, maxGraceMs, this.#options.timeoutMs);
  }

  /**
   * Polls with growing pauses, and once more when the time is over.
   * @returns the sum of the pauses, in milliseconds: a mailbox that is slow to answer, or a run that is busy, makes no
   *   email late
   */
  async #gather(
    mailbox: Mailbox,
    limitMs: number,
    isEnough: () => boolean,
    firstMs = firstPauseMs,
  ): Promise<number> {
    const until = performance.now() + limitMs;
    let pausedMs = 0;
    for (let wait = firstMs; ; wait *= 1.6) {
      const left = until - performance.now();
      await this.#poll(mailbox);
      if (isEnough() || left <= 0) return pausedMs;
      const ms = Math.min(wait, maxPauseMs, Math.max(left, 1));
      await pause(ms, this.#options.stop);
      pausedMs += ms;
    }
  }

  /** Opens the mailbox, and polls it once in vain: the first poll gives what it held before, which nobody waits for. */
  async #opened(): Promise<Mailbox> {
    const mailbox = await this.#options.open();
    await mailbox.poll();
    return mailbox;
  }

  /** Reads what has arrived since the last poll. A mailbox may be unreachable for a moment: then `#error` says so. */
  async #poll(mailbox: Mailbox): Promise<void> {
    try {
      const { messages, lost } = await mailbox.poll();
      if (lost) this.#losses += 1;
      this.#arrived.push(...(await Promise.all(messages.map((one) => this.#read(one)))));
      this.#error = undefined;
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      this.#error = error;
    }
  }

  /** A message that was deleted before it was read has arrived all the same. */
  async #read({ recipients, content }: Message): Promise<Email> {
    try {
      return { recipients, text: await content() };
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      this.#losses += 1;
      return { recipients, text: '' };
    }
  }
}
