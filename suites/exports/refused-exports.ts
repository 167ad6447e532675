import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../helpers/api.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { groupBy } from '../../helpers/group-by.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofRefusal } from '../answers.ts';
import { withWrongKey } from '../authentication.ts';
import { requireTwin } from '../expectations.ts';
import { judgeHistory, type WithFacts } from '../history.ts';
import { expectRefused, isRefusedAsDue, type Refused, type WrongRequest } from '../refusals.ts';
import { errorShapes } from '../shapes.ts';
import { asPdf, type Level, parameterOf, queryOf } from './levels.ts';
import { levelsOf } from './together.ts';
import { topics } from './topics.ts';

/*
 * Authentication, Errors: without a valid key, or with a reversed range, an export is refused, whatever else it asks for:
 * nothing, or each way to give a parameter.
 */

/** What makes an export be refused, and how it is sent. */
interface Refusing extends WrongRequest {
  readonly refused: Refused;
  readonly caller?: (key: string) => Caller;
  /** The range to send in place of any other. */
  readonly range?: (range: TimeRange) => TimeRange;
}

const reversed = {
  cause: 'reversed range',
  common: 'a range_start later than range_end',
  refused: { statuses: [400], clause: 'errors.reversed-range-is-400' },
} as const;

const refusing: readonly Refusing[] = [
  { ...withWrongKey('no key', 'export.needs-the-apikey'), caller: () => ({ key: null }) },
  {
    ...withWrongKey('another key altogether', 'export.needs-the-apikey'),
    caller: (key) => ({ key }),
  },
  {
    ...reversed,
    name: reversed.common,
    range: ({ start, end }) => ({ start: end + 1, end: start }),
  },
  {
    ...reversed,
    name: 'a range_start a millisecond later than range_end',
    range({ end }) {
      // For a service that cuts bounds to whole seconds: the two bounds in this second would be equal, and so in order.
      const inSecond = Math.floor(end / 1000) * 1000 + 500;
      return { start: inSecond, end: inSecond - 1 };
    },
  },
];

interface RefusedExport extends WithFacts {
  readonly by: Refusing;
  readonly query: ExportQuery;
  readonly answer: Answer;
}

interface RefusedExports {
  readonly knowledge: Knowledge;
  /** The answer to a valid request. */
  readonly twin: Answer;
  readonly refused: readonly RefusedExport[];
}

/** One request without parameters; others that have all, each in the next way: as few as each way to give one needs. */
function inAllWays(levels: readonly Level[]): Level[][] {
  const byFactor = [...groupBy(levels, ({ factor }) => factor).values()].map((some) => [
    ...new Map(some.map((level) => [level.name, level])).values(),
  ]);
  const count = Math.max(0, ...byFactor.map(({ length }) => length));
  const all = Array.from({ length: count }, (_, at) =>
    byFactor.flatMap((ways) => ways[at % ways.length] ?? []),
  );
  return [[], ...all];
}

const refusedExports = scenario({
  name: 'exports without a valid key, or with a reversed range, are refused whatever else they ask for',
  async act({ exports, faker }, before?: RefusedExports): Promise<RefusedExports> {
    const knowledge = await exports.knowledge();
    const { start, end, sample } = knowledge.window;
    const { answer: twin } = await exports.within(sample);
    const learned = topics.map((topic) => levelsOf(topic, { exports, knowledge }));
    const levels = (await Promise.all(learned)).flatMap((of) => of.learned);
    const sent = [asPdf, ...levels].filter(
      ({ isLeftOut, mayBeRefused }) => !isLeftOut && !mayBeRefused,
    );
    const refused = refusing.flatMap((by) => {
      const { name, refused, range, caller } = by;
      const others = range ? sent.filter(({ factor }) => factor !== 'range') : sent;
      return inAllWays(others).map(async (ways): Promise<RefusedExport> => {
        const query = { start, end, ...queryOf(ways), ...range?.({ start, end }) };
        // A second look is at those that were not refused.
        const asBefore = before?.refused.find(
          (one) =>
            one.by === by &&
            isRefusedAsDue(one.answer, refused) &&
            isDeepStrictEqual(one.query, query),
        );
        if (asBefore !== undefined) return asBefore;
        const answer = await exports.file(query, caller?.(faker.string.alphanumeric(32)));
        const facts = [name, ...ways.map((way) => `with ${parameterOf(way)}`)];
        return { by, query, answer, facts };
      });
    });
    return { knowledge, twin, refused: await Promise.all(refused) };
  },
  judges: {
    ...Object.fromEntries(
      refusing.map(({ refused: { clause }, common }) => [
        clause,
        ({ twin, refused }: RefusedExports) => {
          requireTwin(twin, 'the same export as it should be');
          const ofClause = refused.filter(({ by }) => by.refused.clause === clause);
          const judge = ({ by: sent, answer }: RefusedExport) =>
            expectRefused({ sent, answer, twin });
          judgeHistory(ofClause, judge, common);
        },
      ]),
    ),
    'export.refusal-carries-no-events': ({ knowledge, refused }) => {
      const due = refused.filter(({ answer }) => [400, 401].includes(answer.status));
      if (due.length === 0) throw new Inconclusive('Nothing was refused.');
      for (const { answer } of due) expectNoFile(answer, knowledge);
    },
    ...judgesBy(ofRefusal, ({ refused }: RefusedExports) => refused.map(({ answer }) => answer)),
  },
  observes: {
    'errors.body-shape': ({ refused }) =>
      refused.flatMap(({ by: { cause }, answer }) => (cause ? errorShapes(cause, [answer]) : [])),
  },
});

/** @throws Violation where the body of a refusal is a PDF, or holds long cells of at least two events of the window */
export function expectNoFile(answer: Answer, { base, columns }: Knowledge): void {
  const { text, status } = answer;
  if (text.startsWith('%PDF-')) {
    throw new Violation({ kind: 'other', wrong: 'refuses with a PDF', status }, [answer]);
  }
  // The first cell of 16 characters or more in each row: no message holds two of them by coincidence.
  const distinctive = base.table.rows
    .slice(0, 2000)
    .map((row) => row.find((cell, column) => cell.length >= 16 && !columns.ignored.has(column)));
  const count = distinctive.filter((cell) => cell !== undefined && text.includes(cell)).length;
  if (count < 2) return;
  throw new Violation({ kind: 'other', wrong: 'refuses with events', status, count }, [answer]);
}

export const refusedExportScenarios = [refusedExports];
