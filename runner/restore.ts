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
import { rewrittenJson } from './conclusions.ts';

export interface RestoreParts {
  readonly settings: Settings;
  readonly send: Transport;
  readonly recorder: Recorder;
  /**
   * What is known of the tasks that were written to. Records the writes that put back, so that they too are known not to be
   * somebody else’s.
   */
  readonly journal: Journal;
}

/** Longer than this a write that was under way is not waited for. */
const longestSettlingMs = 2000;

/** How long putting back may take at most, in milliseconds. */
export function restoreTimeoutMs({ requestTimeoutMs }: Pick<Settings, 'requestTimeoutMs'>): number {
  return 60_000 + 2 * requestTimeoutMs;
}

/**
 * Puts tasks back as they were before a run, with requests of its own: nothing but `restoreTimeoutMs` stops them.
 * @param prepare is called first: it may note tasks that are to be put back
 */
export async function restoreTasks(
  parts: RestoreParts,
  prepare: (api: Api) => Promise<void> = async () => {},
): Promise<PutBack[]> {
  const { settings, send, recorder, journal } = parts;
  const { maxConcurrency, maxRequestsPerSecond, requestTimeoutMs } = settings;
  const timeUp = new AbortController();
  const limit = restoreTimeoutMs(settings);
  const timer = setTimeout(
    () => timeUp.abort(new Inconclusive(`it was not done within ${limit / 1000} s`)),
    limit,
  );
  const pacing = createPacing(maxConcurrency, maxRequestsPerSecond, timeUp.signal);
  const client = new Client(send, recorder, pacing, {
    requestTimeoutMs,
    maxBodyBytes: settings.maxExportBytes,
    writes: settings.writes,
    stop: timeUp.signal,
  });
  const [actor = ''] = settings.assignedByIds;
  const api = new Api(client, settings, nameOfPuttingBack, journal);
  try {
    const settleMs = Math.max(settings.readSettleMs, Math.min(requestTimeoutMs, longestSettlingMs));
    await prepare(api);
    const tasks = await putBack(api, journal, { actor, settleMs, stop: timeUp.signal });
    return tasks.map((one) => redactedPutBack(one, recorder.redactor));
  } finally {
    clearTimeout(timer);
  }
}

/** Without secrets: whoever assigned the task may have written one into the comment. */
function redactedPutBack({ before, why, ...task }: PutBack, redactor: Redactor): PutBack {
  // What is rewritten keeps its form.
  const safe = (assignment: PutBack['before']): PutBack['before'] =>
    rewrittenJson(assignment, (text) => redactor.text(text)) as PutBack['before'];
  const now = why !== undefined && 'now' in why ? { ...why, now: safe(why.now) } : why;
  return { ...task, before: safe(before), ...(now !== undefined && { why: now }) };
}
