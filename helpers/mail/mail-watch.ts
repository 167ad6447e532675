import { pause } from '../http/waiting.ts';
import { type Mailbox, MailboxTrouble, type Message } from './mailbox.ts';

/** An email that has arrived, read. */
export interface Arrival {
  /** In lower case. */
  readonly recipients: readonly string[];
  /** Its subject, text and HTML. */
  readonly text: string;
}

/** What arrived in a stretch of time. */
export interface Heard {
  readonly arrivals: readonly Arrival[];
  /** Until what was waited for had arrived, or was given up, in milliseconds. */
  readonly waitedMs: number;
  /** Whether somebody took messages out of the mailbox meanwhile: then what did not arrive may have. */
  readonly lost: boolean;
}

export interface MailWatchOptions {
  readonly open: () => Promise<Mailbox>;
  /** How long an email may take. */
  readonly timeoutMs: number;
  readonly stop?: AbortSignal;
}

const firstPauseMs = 20;
const longestPauseMs = 2000;

/** After what was waited for, more is listened for: twice as long again as that took, within these limits. */
const shortestGraceMs = 100;
const longestGraceMs = 5000;

/** A mailbox that does not answer may do so a moment later. */
const secondChanceMs = 1000;

/** Watches the configured mailbox for what arrives. One play at a time: whoever hears an email first has it. */
export class MailWatch {
  readonly #options: MailWatchOptions;
  #mailbox: Promise<Mailbox> | undefined;
  /** How long email took the last time that it came, in milliseconds. */
  #usualMs = 125;
  /** Whether email was once waited for in vain. */
  #isLacking = false;

  constructor(options: MailWatchOptions) {
    this.#options = options;
  }

  /**
   * Opens the mailbox and takes notice of all that stands in it; what is heard later has come later.
   * @throws MailboxTrouble, each time the same: a mailbox that cannot be read is not asked again in the same run
   */
  async open(): Promise<void> {
    await this.#opened();
  }

  /** Listens for a while, for whatever comes. @throws MailboxTrouble */
  async listen(): Promise<Heard> {
    return await this.hear([]);
  }

  /**
   * Waits until each of the addresses has got an email of which `counts` is true, and then listens for what else
   * comes.
   * @throws MailboxTrouble where the mailbox cannot be read in the end
   */
  async hear(
    addresses: readonly string[],
    counts: (arrival: Arrival) => boolean = () => true,
  ): Promise<Heard> {
    const mailbox = await this.#opened();
    const began = performance.now();
    const stretch = new Stretch(mailbox);
    const isThere = (address: string): boolean =>
      stretch.arrivals.some((one) => one.recipients.includes(address) && counts(one));
    const isComplete = (): boolean => addresses.every(isThere);
    if (addresses.length > 0) await this.#gather(stretch, this.#retryBudgetMs, isComplete);
    const waitedMs = performance.now() - began;
    if (!isComplete()) this.#isLacking = true;
    else if (addresses.length > 0) this.#usualMs = waitedMs;
    await this.#gather(stretch, this.#graceMs, () => false);
    if (stretch.trouble !== undefined) throw stretch.trouble;
    return { arrivals: stretch.arrivals, waitedMs, lost: stretch.lost };
  }

  /** The whole time once; where that was in vain, a third of it, or ten times as long as email usually takes. */
  get #retryBudgetMs(): number {
    const { timeoutMs } = this.#options;
    if (!this.#isLacking) return timeoutMs;
    return Math.min(timeoutMs, Math.max(timeoutMs / 3, 10 * this.#usualMs));
  }

  get #graceMs(): number {
    const wanted = Math.max(2 * this.#usualMs, shortestGraceMs);
    return Math.min(wanted, longestGraceMs, this.#options.timeoutMs);
  }

  /** Looks again and again, with growing pauses, and once more when the time is over. */
  async #gather(stretch: Stretch, limitMs: number, isEnough: () => boolean): Promise<void> {
    const until = performance.now() + limitMs;
    for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.6, longestPauseMs)) {
      const left = until - performance.now();
      await stretch.look();
      if (isEnough() || left <= 0) return;
      await pause(Math.min(wait, Math.max(left, 1)), this.#options.stop);
    }
  }

  #opened(): Promise<Mailbox> {
    this.#mailbox ??= this.#open().catch(async (error: unknown) => {
      if (!(error instanceof MailboxTrouble)) throw error;
      await pause(secondChanceMs, this.#options.stop);
      return await this.#open();
    });
    return this.#mailbox;
  }

  async #open(): Promise<Mailbox> {
    const mailbox = await this.#options.open();
    await mailbox.news();
    return mailbox;
  }
}

/** What has come so far, and the trouble with the last look, if there was any. */
class Stretch {
  readonly arrivals: Arrival[] = [];
  lost = false;
  trouble: MailboxTrouble | undefined;
  readonly #mailbox: Mailbox;

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox;
  }

  async look(): Promise<void> {
    try {
      const { messages, lost } = await this.#mailbox.news();
      this.lost ||= lost;
      this.arrivals.push(...(await Promise.all(messages.map((one) => this.#read(one)))));
      this.trouble = undefined;
    } catch (error) {
      // A mailbox may be away for a moment.
      if (!(error instanceof MailboxTrouble)) throw error;
      this.trouble = error;
    }
  }

  /** A message that was deleted before it was read has arrived all the same. */
  async #read({ recipients, content }: Message): Promise<Arrival> {
    try {
      return { recipients, text: await content() };
    } catch (error) {
      if (!(error instanceof MailboxTrouble)) throw error;
      this.lost = true;
      return { recipients, text: '' };
    }
  }
}
