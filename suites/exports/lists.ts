import {
  type Bounds,
  deviation,
  inAny,
  intersection,
  isSubset,
  isWithin,
  type Multiset,
} from '../../helpers/csv/multiset.ts';
import type { KnownColumns } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { furtherIds, type KnownValue } from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { NotConfigured, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import type { ListEncoding } from '../../schemas/operations.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import { csvAnswerJudges } from './answers.ts';
import { valuesOf } from './levels.ts';
import { events, eventsDifference, expectServed, expectWithin, noValues } from './relations.ts';

interface Asked {
  readonly values: readonly KnownValue[];
  /** Asked for in the same request: what rows show of other values. */
  readonly further: readonly string[];
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
      const further = furtherIds(knowledge.filters.known.get(filter));
      const ask = async (values: readonly KnownValue[]): Promise<Asked> => {
        const texts = values.map(({ value }) => value);
        // The first and the last are known ones.
        const all = texts.toSpliced(-1, 0, ...further);
        return { values, further, download: await exports.within({ filters: { [filter]: all } }) };
      };
      const lists = listsOf(valuesOf(filter, knowledge));
      return { knowledge, asked: await Promise.all(lists.map(ask)) };
    },
    judges: {
      'export.lists-are-any-of': ({ knowledge, asked }) => {
        if (asked.length === 0) throw tooFewValues(filter, knowledge);
        for (const { values, further, download } of asked) {
          expectServed(`several values of ${filter}`, download);
          const { encoding, columns } = knowledge;
          const distinct = [...new Set(values)];
          const ofKnown = inAny(distinct.map(({ events: kept }) => kept));
          const bounds = {
            ...ofKnown,
            most: inAny([ofKnown.most, ...showing(filter, further, knowledge)]).most,
          };
          const together = further.length > 0 ? 'at least' : undefined;
          if (encoding.forTwoValues.length === 0 && !holds(download, bounds, columns)) {
            throw noEncodingWorks(
              filter,
              { values: distinct, bounds, download, together },
              knowledge,
            );
          }
          expectWithin(`several values of ${filter}`, bounds, download, columns, {
            on: distinct.map((value) => value.download.answer),
            ...(together && { together }),
            why: () => lostValues(filter, { distinct, further }, events(download, columns)),
          });
        }
      },
      ...csvAnswerJudges(({ asked }: Lists) => asked.map(({ download }) => download.answer)),
    },
  });
}

/** Which of the values kept none of their events, by their places in the request. */
function lostValues(
  of: ListFilter,
  {
    distinct: values,
    further,
  }: { readonly distinct: readonly KnownValue[]; readonly further: readonly string[] },
  kept: Multiset,
): Pick<EventsDifference, 'lostValues'> {
  const isKept = ({ events: own }: KnownValue): boolean => intersection(own, kept).size > 0;
  const places = values.flatMap((value, index) => (isKept(value) ? [] : [index + 1]));
  if (places.length === 0) return {};
  const [one, ...others] = values.filter(isKept);
  const isOnlyOne = one !== undefined && others.length === 0 && isSubset(kept, one.events);
  const ofFurther = isOnlyOne ? further.map((_, index) => values.length + index + 1) : [];
  const count = values.length + further.length;
  return { lostValues: { of, places: [...places, ...ofFurther], count } };
}

/** All of them, and the first once more: the first, the last, and every one between must count, and none twice. */
function listsOf(values: readonly KnownValue[]): (readonly KnownValue[])[] {
  const [first, second] = values;
  return first === undefined || second === undefined ? [] : [[...values, first]];
}

function showing(
  filter: ListFilter,
  values: readonly string[],
  { filters }: Knowledge,
): Multiset[] {
  const { shown } = filters.known.get(filter) ?? {};
  return shown === undefined ? [] : values.map((value) => shown.eventsShowing(value));
}

function tooFewValues(filter: ListFilter, knowledge: Knowledge): Error {
  const { count } = knowledge.base.table;
  return noValues(`two values of ${filter} that occur in the window (${count} events)`, knowledge);
}

function holds(download: CsvDownload, bounds: Bounds, columns: KnownColumns): boolean {
  return download.table !== undefined && isWithin(bounds, events(download, columns));
}

/** A list that is read in none of the ways that it was sent in. */
interface Refused extends Pick<Asked, 'values' | 'download'> {
  readonly bounds: Bounds;
  readonly together: 'at least' | undefined;
}

/**
 * Nothing that we can write is read as a list. How lists are encoded is open: that convicts only where the encoding is
 * configured, or where one that writes nothing but lists is honoured for a single value.
 */
function noEncodingWorks(
  filter: ListFilter,
  { values, bounds, download, together }: Refused,
  { encoding: { forOneValue, isGiven }, columns }: Knowledge,
): Error {
  const { answer, table } = download;
  const got = table === undefined ? `${answer.status}` : `${table.count} events`;
  const actual =
    forOneValue.length === 0
      ? `${got}; no encoding that was tried is honoured, not even for one value`
      : `${got}; sent as ${forOneValue.join(', ')}, all of which are honoured for one value, never those of all values`;
  if (isGiven || forOneValue.some((one) => onlyForLists.includes(one))) {
    const of = values.map((value) => value.download.answer);
    return new Violation(
      {
        ...eventsDifference(
          'with several values, however they are sent',
          download,
          deviation(bounds, events(download, columns)),
          columns,
        ),
        parameter: filter,
        of: bounds.least.size,
        ...(together && { together }),
      },
      [answer, ...of],
    );
  }
  return new NotConfigured(
    'ARRAY_ENCODING',
    `the way in which the target takes several values of ${filter} (${actual})`,
  );
}

/** Encodings that nothing but a list is written in. */
const onlyForLists: readonly ListEncoding[] = ['brackets', 'indices', 'json'];

export const listScenarios = listFilters.map(list);
