import { type Bounds, inAny, isWithin } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge, KnownValue } from '../../helpers/exports/knowledge.ts';
import { NotJudged, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import { exportAnswerJudges } from './answers.ts';
import { events, expectServed, expectWithin } from './relations.ts';

interface Asked {
  readonly values: readonly KnownValue[];
  readonly download: CsvDownload;
}

interface Lists {
  readonly knowledge: Knowledge;
  readonly asked: readonly Asked[];
}

function list(filter: ListFilter): AnyScenario {
  return scenario({
    name: `several values of ${filter} keep the events of any of them`,
    async act({ exports }): Promise<Lists> {
      const knowledge = await exports.knowledge();
      const ask = async (values: readonly KnownValue[]): Promise<Asked> => {
        const texts = values.map(({ value }) => value);
        return { values, download: await exports.within({ filters: { [filter]: texts } }) };
      };
      const lists = listsOf(knownValues(filter, knowledge));
      return { knowledge, asked: await Promise.all(lists.map(ask)) };
    },
    judges: {
      'export.lists-are-any-of': ({ knowledge, asked }) => {
        if (asked.length === 0) throw tooFewValues(filter, knowledge);
        for (const { values, download } of asked) {
          expectServed(`several values of ${filter}`, download);
          const { working } = knowledge;
          const bounds = inAny([...new Set(values)].map(({ events: kept }) => kept));
          if (working.length === 0 && !holds(download, bounds, knowledge)) {
            throw noEncodingWorks(filter, bounds, download, knowledge);
          }
          expectWithin(`several values of ${filter}`, bounds, download, knowledge);
        }
      },
      ...exportAnswerJudges(({ asked }: Lists) => asked.map(({ download }) => download.answer)),
    },
  });
}

/** Up to three. A comma in a value would make two values of it under one of the encodings. */
function knownValues(filter: ListFilter, { filters }: Knowledge): readonly KnownValue[] {
  const values = filters.get(filter)?.values ?? [];
  return values.filter(({ value }) => !value.includes(',')).slice(0, 3);
}

/** All of them, and the first once more: the first, the last, and every one between must count, and none twice. */
function listsOf(values: readonly KnownValue[]): (readonly KnownValue[])[] {
  const [first, second] = values;
  return first === undefined || second === undefined ? [] : [[...values, first]];
}

function tooFewValues(filter: ListFilter, { base }: Knowledge): NotJudged {
  return new NotJudged(
    `Not configured: EXPORT_FILTER_VALUES: two values of ${filter} that occur in the window (${base.count} events).`,
  );
}

function holds(download: CsvDownload, bounds: Bounds, knowledge: Knowledge): boolean {
  return download.table !== undefined && isWithin(bounds, events(download, knowledge));
}

function noEncodingWorks(
  filter: ListFilter,
  { least }: Bounds,
  { answer, table }: CsvDownload,
  { heard }: Knowledge,
): Violation {
  const tried = heard.length === 0 ? 'none was heard' : `heard were ${heard.join(', ')}`;
  const got = table === undefined ? `${answer.status}` : `${table.count} events`;
  return new Violation(`two values of ${filter}, under any encoding`, {
    expected: `${least.size} events, those of either value`,
    actual: `${got}; of the encodings a=1&a=2, a[]=1, a[0]=1 and a=1,2 ${tried}, and none kept them all`,
    on: [answer],
  });
}

export const listScenarios = listFilters.map(list);
