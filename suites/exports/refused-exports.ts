import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../helpers/api.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { groupBy } from '../../helpers/group-by.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofRefusal } from '../answers.ts';
import { withWrongKey } from '../authentication.ts';
import { requireTwin } from '../expectations.ts';
import { judgeHistory, type WithFacts } from '../history.ts';
import { expectRefused, isRefusedAsDue, type Refused, type WrongRequest } from '../refusals.ts';
import { asPdf, type Level, parameterOf, queryOf } from './levels.ts';
import { levelsOf } from './together.ts';
import { topics } from './topics.ts';

/*
 * Authentication, Errors: without a valid key, or with a reversed range, an export is refused whatever else it asks for. Each
 * way to give a parameter is sent with each of these.
 */

/** What makes an export be refused, and how it is sent. */
interface Refusing extends WrongRequest {
  readonly refused: Refused;
  readonly caller?: (key: string) => Caller;
  /** The range to send in place of any other. */
  readonly range?: (start: number, end: number) => ExportQuery;
}

const refusing: readonly Refusing[] = [
  { ...withWrongKey('no key', 'export.needs-the-apikey'), caller: () => ({ key: null }) },
  {
    ...withWrongKey('another key altogether', 'export.needs-the-apikey'),
    caller: (key) => ({ key }),
  },
  {
    name: 'a range_start later than range_end',
    refused: { statuses: [400], clause: 'errors.reversed-range-is-400' },
    range: (start, end) => ({ start: end, end: start }),
  },
];

interface RefusedExport extends WithFacts {
  readonly by: Refusing;
  readonly query: ExportQuery;
  readonly answer: Answer;
}

interface RefusedExports {
  /** The answer to a valid request. */
  readonly twin: Answer;
  readonly refused: readonly RefusedExport[];
}

/** Requests that have all parameters, in each in the next way: as few as each way to give one needs. */
function inAllWays(levels: readonly Level[]): Level[][] {
  const byFactor = [...groupBy(levels, ({ factor }) => factor).values()].map((some) => [
    ...new Map(some.map((level) => [level.name, level])).values(),
  ]);
  const count = Math.max(0, ...byFactor.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) =>
    byFactor.flatMap((ways) => ways[at % ways.length] ?? []),
  );
}

const refusedExports = scenario({
  name: 'exports without a valid key, or with a reversed range, are refused whatever else they ask for',
  async act({ exports, faker }, before?: RefusedExports): Promise<RefusedExports> {
    const knowledge = await exports.knowledge();
    const { start, end } = knowledge.window;
    const { answer: twin } = await exports.within(knowledge.window.sample);
    const learned = topics.map((topic) => levelsOf(topic, { exports, knowledge }));
    const levels = (await Promise.all(learned)).flatMap((of) => of.learned);
    const sent = [asPdf, ...levels].filter(
      ({ isLeftOut, mayBeRefused }) => !isLeftOut && !mayBeRefused,
    );
    const refused = refusing.flatMap((by) => {
      const { name, refused, range, caller } = by;
      const others = range ? sent.filter(({ factor }) => factor !== 'range') : sent;
      return inAllWays(others).map(async (ways): Promise<RefusedExport> => {
        const query = { start, end, ...queryOf(ways), ...range?.(start, end + 1) };
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
    return { twin, refused: await Promise.all(refused) };
  },
  judges: {
    ...Object.fromEntries(
      refusing.map(({ name, refused: { clause } }) => [
        clause,
        ({ twin, refused }: RefusedExports) => {
          requireTwin(twin, 'the same export as it should be');
          const ofClause = refused.filter(({ by }) => by.refused.clause === clause);
          const judge = ({ by: sent, answer }: RefusedExport) =>
            expectRefused({ sent, answer, twin });
          judgeHistory(ofClause, judge, name);
        },
      ]),
    ),
    ...judgesBy(ofRefusal, ({ refused }: RefusedExports) => refused.map(({ answer }) => answer)),
  },
});

export const refusedExportScenarios = [refusedExports];
