import { Inconclusive } from '../outcomes.ts';
import type { CsvDownload } from './downloads.ts';
import type { Window } from './knowledge.ts';

/** Fetches the CSV of a window. */
export type FetchWindow = (window: Window) => Promise<CsvDownload>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** Events of these last minutes may still arrive; the clocks of both sides may differ. */
const quiet = 10 * minute;
/** Somewhat more than the limit of a PDF, so that it can be tested. */
const wanted = { fewest: 5_100, most: 15_000, aim: 7_000 };
/** No service was recording events before this. */
export const dawn = Date.UTC(1990, 0, 1);
const mostTries = 14;
/** After so many windows, each a sixteenth of the one before, size is not the reason. */
const mostRefusals = 4;

/** A window, and the export of it. */
export interface FoundWindow {
  readonly window: Window;
  readonly download: CsvDownload;
}

/**
 * A closed window of the past that holds somewhat more than 5,000 events, or all there are, or as many as the target
 * exports at once.
 *
 * @param given bounds by configuration; with both, that window is taken as it is
 * @param now milliseconds since 1970
 * @returns also the smallest window that was refused with 400, where a smaller one was not
 * @throws Inconclusive where an export of it cannot be read
 */
export async function findWindow(
  fetch: FetchWindow,
  given: { readonly start: number | undefined; readonly end: number | undefined },
  now: number,
): Promise<FoundWindow & { readonly refused: FoundWindow | undefined }> {
  const end = given.end ?? Math.floor((now - quiet) / 1000) * 1000;
  let span = 30 * day;
  let tooFew = 0;
  let tooMany = Number.POSITIVE_INFINITY;
  let largest: FoundWindow | undefined;
  let refused: FoundWindow | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const start = given.start ?? Math.max(dawn, Math.floor(end - span));
    const window = { start, end };
    const download = await fetch(window);
    const { table, overflowed, answer } = download;
    const isRefused = answer.status === 400;
    const isHopeless = given.start !== undefined || (attempt === mostRefusals && !largest);
    if (table === undefined && !overflowed && (!isRefused || isHopeless)) {
      const { request, status, exchange } = answer;
      throw new Inconclusive(
        `No export to learn from: ${request} gave ${status} (#${exchange.number}).`,
      );
    }
    if (overflowed && given.start !== undefined) {
      throw new Inconclusive(
        'The window of EXPORT_RANGE_START and EXPORT_RANGE_END holds more events than a check needs; narrow it.',
      );
    }
    if (isRefused) refused = { window, download };
    const count = table?.count ?? Number.POSITIVE_INFINITY;
    const enough = count >= wanted.fewest || start === dawn || given.start !== undefined;
    if (table !== undefined && enough && (count <= wanted.most || attempt >= mostTries / 2)) {
      return { window, download, refused };
    }
    if (table !== undefined && count >= (largest?.download.table?.count ?? 0)) {
      largest = { window, download };
    }
    if (attempt === mostTries) {
      if (largest !== undefined) return { ...largest, refused };
      throw new Inconclusive(
        'No window of a usable number of events was found; set EXPORT_RANGE_START.',
      );
    }
    if (enough) tooMany = span;
    else tooFew = span;
    span = nextSpan(span, count, tooFew, tooMany);
  }
}

/** Wider or narrower by the rate of events seen so far, and between what was too few and what was too many. */
function nextSpan(span: number, count: number, tooFew: number, tooMany: number): number {
  const byRate = Number.isFinite(count) && count > 0 ? (span * wanted.aim) / count : undefined;
  const guess = byRate ?? (Number.isFinite(count) ? span * 24 : span / 16);
  const capped = Math.min(Math.max(guess, span / 24), span * 24);
  if (Number.isFinite(tooMany) && (capped >= tooMany || capped <= tooFew)) {
    return (tooFew + tooMany) / 2;
  }
  return capped;
}
