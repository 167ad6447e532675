import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';

interface Unlimited {
  readonly knowledge: Knowledge;
  /** The window in two. */
  readonly halves: readonly [CsvDownload, CsvDownload] | undefined;
  /** What a larger window that was refused holds besides. */
  readonly beyond: CsvDownload | undefined;
}

const unlimited = scenario({
  name: 'a CSV holds more than 5,000 events',
  async act({ exports }): Promise<Unlimited> {
    const knowledge = await exports.knowledge();
    const { window, refused, common, base, times } = knowledge;
    const beyond =
      refused &&
      (await exports.csv(
        { start: refused.window.start, end: window.start - 1, ...common },
        'repeat',
        base,
      ));
    if (base.count < pdfEventLimit) return { knowledge, halves: undefined, beyond };
    const middle = times?.instants.toSorted((a, b) => a - b)[Math.floor(base.count / 2)];
    const at = middle ?? window.start + Math.floor((window.end - window.start) / 2);
    const halves = await Promise.all([
      exports.within({ end: at - 1 }),
      exports.within({ start: at }),
    ]);
    return { knowledge, halves, beyond };
  },
  judges: {
    'export.csv-has-no-limit-of-5000': ({ knowledge, halves, beyond }) => {
      const { base, baseDownload, refused } = knowledge;
      if (refused !== undefined && base.count <= pdfEventLimit) {
        expectLimitElsewhere(base.count + (beyond?.table?.count ?? 0), refused.download.answer);
      }
      if (halves === undefined) throw tooFewEvents(base.count);
      const [early, late] = halves;
      const together = tableOf(early).count + tableOf(late).count;
      if (base.count !== together) {
        throw new Violation('a CSV of more than 5,000 events', {
          expected: `${together} events, as its halves hold`,
          actual: `${base.count}`,
          on: [baseDownload.answer, early.answer, late.answer],
        });
      }
      if (base.count <= pdfEventLimit) throw tooFewEvents(base.count);
    },
  },
});

/**
 * How large a CSV may be is open; that it ends where a PDF does is not.
 *
 * @param count of the events in the smallest window that was refused
 * @throws Violation where a little more than a PDF may hold is refused, and no more was exported at once
 */
function expectLimitElsewhere(count: number, answer: Answer): void {
  if (count <= pdfEventLimit || count > pdfEventLimit * 1.1) return;
  throw new Violation(`a CSV of ${count} events`, {
    expected: '200',
    actual: `${answer.status}`,
    on: [answer],
  });
}

/** For clauses about the limit, where the window holds too few events to try it. */
export function tooFewEvents(count: number): NotJudged {
  return new NotJudged(
    `Not configured: EXPORT_RANGE_START and EXPORT_RANGE_END: a window with more than 5,000 events (${count} were found).`,
  );
}

export const csvSizeScenarios = [unlimited];
