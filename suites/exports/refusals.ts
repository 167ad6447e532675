import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { expectStatus, requireTwin } from '../expectations.ts';
import { errorShapes } from '../shapes.ts';

interface Refused {
  readonly what: string;
  readonly answer: Answer;
}

interface Evidence {
  readonly knowledge: Knowledge;
  readonly reversed: readonly Refused[];
  readonly withoutKey: Answer;
  /** The same range, the right way round. */
  readonly twin: Answer;
}

const reversedRanges = scenario({
  name: 'a range_start later than range_end answers 400, and the refusal carries no events',
  async act({ exports }): Promise<Evidence> {
    const knowledge = await exports.knowledge();
    const { start, end: last } = knowledge.window.sample;
    // Of a single instant the two bounds would be equal.
    const end = Math.max(last, start + 1);
    // Cut to whole seconds, the two would be in order.
    const inSecond = Math.floor(end / 1000) * 1000 + 500;
    const ask = async (what: string, query: ExportQuery): Promise<Refused> => ({
      what,
      answer: await exports.file(query),
    });
    const [twin, withoutKey, ...reversed] = await Promise.all([
      exports.within({ start, end }).then(({ answer }) => answer),
      exports.file({ start, end }, { key: null }),
      ask('a range_start later than range_end', { start: end, end: start }),
      ask('a range_start a millisecond later than range_end', {
        start: inSecond,
        end: inSecond - 1,
      }),
      ask('a range_start later than range_end, as PDF', {
        start: end,
        end: start,
        fileType: 'pdf',
      }),
    ]);
    return { knowledge, reversed, withoutKey, twin };
  },
  judges: {
    'errors.reversed-range-is-400': ({ reversed, twin }) => {
      requireTwin(twin, 'the same range the right way round');
      for (const { what, answer } of reversed) expectStatus(answer, 400, what);
    },
    'export.refusal-carries-no-events': ({ knowledge, reversed, withoutKey }) => {
      const refused = [...reversed.map(({ answer }) => answer), withoutKey].filter(
        ({ status }) => status === 400 || status === 401,
      );
      if (refused.length === 0) throw new Inconclusive('Nothing was refused.');
      for (const answer of refused) expectNoFile(answer, knowledge);
    },
  },
  observes: {
    'errors.body-shape': ({ reversed, withoutKey }) => [
      ...errorShapes(
        'reversed range',
        reversed.map(({ answer }) => answer),
      ),
      ...errorShapes('no valid key', [withoutKey]),
    ],
  },
});

/** @throws Violation where the body is a PDF, or holds events of the window */
function expectNoFile(answer: Answer, { base, columns }: Knowledge): void {
  const { text } = answer;
  if (text.startsWith('%PDF-')) {
    throw new Violation({ kind: 'other', wrong: 'refuses with a PDF', status: answer.status }, [
      answer,
    ]);
  }
  // No message holds long cells by coincidence.
  const distinctive = base.table.rows
    .slice(0, 2000)
    .map((row) => row.find((cell, column) => cell.length >= 16 && !columns.ignored.has(column)));
  const held = distinctive.filter((cell) => cell !== undefined && text.includes(cell)).length;
  if (held < 2) return;
  throw new Violation(
    { kind: 'other', wrong: 'refuses with events', status: answer.status, count: held },
    [answer],
  );
}

export const refusalScenarios = [reversedRanges];
