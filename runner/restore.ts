import { Api } from '../helpers/api.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { Client } from '../helpers/http/client.ts';
import { nameOfPuttingBack } from '../helpers/http/exchange.ts';
import { createPacing } from '../helpers/http/pacing.ts';
import type { Recorder } from '../helpers/http/recorder.ts';
import type { Redactor } from '../helpers/http/redact.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import { putBack } from '../helpers/tasks/put-back.ts';
import type { PutBack } from '../schemas/results.ts';

interface RestoreParts {
  readonly settings: Settings;
  readonly send: Transport;
  readonly recorder: Recorder;
  /** How tasks were before the run wrote to them. Notes the writes that put back, too: they are nobody else’s. */
  readonly journal: Journal;
}

/** How long a write that was under way is waited for at most, in milliseconds. */
const longestSettlingMs = 2000;

/** How long putting back may take at most, in milliseconds. */
export function restoreTimeoutMs({ requestTimeoutMs }: Pick<Settings, 'requestTimeoutMs'>): number {
  return 60_000 + 2 * requestTimeoutMs;
}

/**
 * Puts tasks back as they were before a run, through a client of its own, which only `restoreTimeoutMs` stops.
 * @param prepare is called first: it may note tasks that are to be put back
 */
export async function restoreTasks(
  parts: RestoreParts,
  prepare: (api: Api) => Promise<void> = async () => {},
): Promise<PutBack[]> {
  const { settings, send, recorder, journal } = parts;
  const { maxConcurrency, maxRequestsPerSecond, requestTimeoutMs, readSettleMs } = settings;
  const timeUp = new AbortController();
  const limit = restoreTimeoutMs(settings);
  const late = new Inconclusive(`it was not done within ${limit / 1000} s`);
  const timer = setTimeout(() => timeUp.abort(late), limit);
  const pacing = createPacing(maxConcurrency, maxRequestsPerSecond, timeUp.signal);
  const client = new Client(send, recorder, pacing, { ...settings, stop: timeUp.signal });
  const [actor = ''] = settings.assignedByIds;
  const api = new Api(client, settings, nameOfPuttingBack, journal);
  try {
    const settleMs = Math.max(readSettleMs, Math.min(requestTimeoutMs, longestSettlingMs));
    await prepare(api);
    const tasks = await putBack(api, journal, { actor, settleMs, stop: timeUp.signal });
    return tasks.map((one) => redactedPutBack(one, recorder.redactor));
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome without secrets: whoever assigned the task may have written one into the comment. */
function redactedPutBack({ before, why, ...task }: PutBack, redactor: Redactor): PutBack {
  const safe = why !== undefined && 'now' in why ? { ...why, now: redactor.json(why.now) } : why;
  return { ...task, before: redactor.json(before), ...(safe && { why: safe }) };
}
