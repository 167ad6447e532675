/* Levels of filters: known values, those that only rows show, and those that no event has. One more kind is one more level. */

import {
  type Bounds,
  difference,
  exactly,
  inAny,
  intersection,
  isSubset,
  type Multiset,
  multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import {
  furtherIds,
  type KnownPlace,
  type KnownValue,
  nearValues,
} from '../../helpers/exports/filter-search.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import {
  forms,
  formsOf,
  isNear,
  isOf,
  isPlain,
  nearAmong,
} from '../../helpers/exports/meeting-values.ts';
import { type Filter, filters, holdsSeparator, isListFilter } from '../../helpers/exports/query.ts';
import { remembered } from '../../helpers/maps.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { ListFilter } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import { pairsOf } from './covering-array.ts';
import type { Level } from './levels.ts';
import { wholeOf } from './relations.ts';

/** For each filter, the clause that says what it does when it is sent alone. */
export const clauseByFilter = {
  auditee_id: 'export.filters-by-auditee-id',
  event_type: 'export.filters-by-event-type',
  sub_type: 'export.filters-by-sub-type',
  system_source: 'export.filters-by-system-source',
  'metadata[entity_id]': 'export.filters-by-metadata-entity-id',
  'metadata[assessment_id]': 'export.filters-by-metadata-assessment-id',
  'metadata[task_id]': 'export.filters-by-metadata-task-id',
  'metadata[workflow_instance_id]': 'export.filters-by-metadata-workflow-instance-id',
  'metadata[screening_application_id]': 'export.filters-by-metadata-screening-application-id',
  'metadata[screening_config_id]': 'export.filters-by-metadata-screening-config-id',
  'metadata[match_id]': 'export.filters-by-metadata-match-id',
  'metadata[inquiry_id]': 'export.filters-by-metadata-inquiry-id',
  'metadata[tag]': 'export.filters-by-metadata-tag',
  'metadata[cache_id]': 'export.filters-by-metadata-cache-id',
  'metadata[workflow_step]': 'export.filters-by-metadata-workflow-step',
} as const satisfies Record<Filter, JudgedClause>;

const maxValuesTogether = 3;

/** Each known value of each filter; two and three of a list together; and one of each form of those that only rows show. */
export function levelsOfFilters(known: Knowledge): readonly Level[] {
  return remembered(levels, known, () =>
    [...known.filters.known.keys()].flatMap((filter) => [
      ...listLevels(filter, known),
      ...allValuesOf(filter, known).map((value) => valueLevel(filter, value)),
      ...shownLevels(filter, known),
      ...nearLevels(filter, known),
    ]),
  );
}

/** Worked out once: most topics are made of them. */
const levels = new WeakMap<Knowledge, readonly Level[]>();

/** The document's example of a value, for a target without known values. */
export const exampleLevel: Level = {
  factor: 'event_type',
  name: 'the example of the document',
  query: { filters: { event_type: ['assessment'] } },
  from: [],
  isUnknown: true,
};

function filterLevel(filter: Filter, name: string, values: readonly string[], keeps: Bounds) {
  const query = { filters: { [filter]: values } };
  return { factor: filter, name, query, keeps, from: [], clause: clauseByFilter[filter] };
}

function valueLevel(filter: Filter, { value, events, download }: KnownValue): Level {
  return {
    ...filterLevel(filter, oneValue, [value], exactly(events)),
    inPairs: [`${filter} ${oneValue}`],
    forms: formsOf(value),
    from: [download],
    isLearned: true,
  };
}

/** Levels of a known value that a service may take for another one (`isNear`), or for none, beside other parameters. */
function nearLevels(filter: Filter, known: Knowledge): Level[] {
  const { shown } = known.filters.known.get(filter) ?? {};
  if (!shown?.isFaithful) return [];
  const empty = showingNone(shown, known);
  return allValuesOf(filter, known).flatMap((one) => {
    const near = shown.values.filter(isNear(one.value)).map((value) => shown.eventsShowing(value));
    const others = [
      [nearAnother, near.reduce(sum, multiset([]))],
      ['a value beside events that have none', empty],
    ] as const;
    return others.flatMap(([name, events]): Level[] => {
      // Whether case counts is open: an event that it may keep shows nothing.
      const misread = exactly(without(events, one.events));
      if (misread.least.size === 0) return [];
      return [{ ...valueLevel(filter, one), name, inPairs: [], forms: [name], misread }];
    });
  });
}

/** The events of the window whose rows show no value in a place: they may have one all the same. */
function showingNone({ read }: KnownPlace, { base, columns }: Knowledge): Multiset {
  const rows = base.table.rows.filter((row) => read(row) === undefined);
  return multiset(rows, columns.ignored);
}

/** Levels of several values of a list: three, and each two of them, for requests that keep no event of the third. */
function listLevels(filter: Filter, known: Knowledge): Level[] {
  if (!isListFilter(filter) || known.encoding.forTwoValues.length === 0) return [];
  const values = valuesOf(filter, known);
  const pairs = pairLevels(filter, values);
  if (values.length < 3) return pairs;
  const single = values.map((value) => valueLevel(filter, value));
  return [severalLevel(filter, values, [...single, ...pairs]), ...pairs];
}

function pairLevels(filter: ListFilter, values: readonly KnownValue[]): Level[] {
  const single = values.map((value) => valueLevel(filter, value));
  return pairsOf(values).map((pair) => severalLevel(filter, pair, single));
}

function severalLevel(filter: ListFilter, some: readonly KnownValue[], simpler: readonly Level[]) {
  const values = some.map(({ value }) => value);
  const each = some.map(({ events }) => exactly(events));
  return {
    ...filterLevel(filter, 'several values', values, inAny(each)),
    inPairs: [`${filter} ${some.length} values`],
    each,
    from: some.map(({ download }) => download),
    clause: 'export.lists-are-any-of' as const,
    simpler,
  };
}

/** A list of all values that can be sent together, and of ids that only rows show; [] where fewer than two are known. */
export function wholeListLevel(filter: ListFilter, known: Knowledge): Level[] {
  const values = valuesOf(filter, known);
  if (values.length < 2) return [];
  const { values: own = [], shown } = known.filters.known.get(filter) ?? {};
  const ids = furtherIds(own, shown);
  const shownBy = ids.flatMap((id) => shown?.eventsShowing(id) ?? []);
  const all = severalLevel(filter, values, pairLevels(filter, values));
  const sent = [...values.map(({ value }) => value), ...ids];
  const each = [...all.each, ...shownBy.map(exactly)];
  const keeps = { least: all.keeps.least, most: inAny(each).most };
  return [{ ...all, query: { filters: { [filter]: sent } }, keeps, each }];
}

/** Up to three known values that can be sent together. */
function valuesOf(filter: Filter, known: Knowledge): readonly KnownValue[] {
  const { values = [] } = known.filters.known.get(filter) ?? {};
  return values.filter(({ value }) => canBeSent(value, filter, known)).slice(0, maxValuesTogether);
}

/** These, and the values that meet those of other filters. */
function allValuesOf(filter: Filter, known: Knowledge): readonly KnownValue[] {
  const { further = [] } = known.filters.known.get(filter) ?? {};
  return [
    ...valuesOf(filter, known),
    ...further.filter(({ value }) => canBeSent(value, filter, known)),
  ];
}

/** Whether a value can be sent: in a list not “A,B”, which a target may take for two, unless it does not divide at commas. */
export function canBeSent(value: string, filter: Filter, { encoding }: Knowledge): boolean {
  if (!isListFilter(filter)) return true;
  const { best, forOneValue, forTwoValues } = encoding;
  const wasTried = forOneValue.includes('comma') && forTwoValues.length > 0;
  const isDivided = !wasTried || forTwoValues.includes('comma');
  const dividing = isDivided ? (['comma', best] as const) : [best];
  return !dividing.some((encoding) => holdsSeparator(value, encoding));
}

/** How many events are several whole pages, and more than one batch, of most services. */
export const manyEvents = 501;

/** The names of levels of one value: of one that learning has found, of one that so many events show, and of one near another one. */
export const oneValue = 'one value';
export const manyHave = 'a value that many events have';
export const nearAnother = 'a value that may be taken for another one';

/** Levels of values that no export was asked for: rows show them in a place that other values have confirmed. */
function shownLevels(filter: Filter, known: Knowledge): Level[] {
  const { values = [], further = [], shown } = known.filters.known.get(filter) ?? {};
  if (!shown?.isConfirmed) return [];
  const isKnown = (text: string): boolean =>
    [...values, ...further].some(({ value }) => value === text);
  const others = shown.values.filter(
    (text) => isPlain(text) && !isKnown(text) && canBeSent(text, filter, known),
  );
  const chosen = new Map<string, string>();
  const [frequent] = others;
  if (frequent !== undefined && shown.eventsShowing(frequent).size >= manyEvents) {
    chosen.set(manyHave, frequent);
  }
  for (const form of forms) {
    const value = others.find((text) => isOf(form, text));
    if (value !== undefined && ![...chosen.values()].includes(value)) chosen.set(form.name, value);
  }
  const near = nearAmong(shown.values).flatMap(({ value, other }) => [value, other]);
  const nearest = near.find((value) => others.includes(value));
  if (nearest !== undefined) chosen.set(nearAnother, nearest);
  const perhaps = showingNone(shown, known);
  return [...chosen].map(([name, value]) => {
    const least = shown.eventsShowing(value);
    return {
      ...filterLevel(filter, name, [value], { least, most: sum(least, perhaps) }),
      shown: value,
      inPairs: [],
      forms: [...new Set([name, ...formsOf(value)])],
    };
  });
}

/** The filters that are asked for the value 0: a list, and two metadata keys whose values can be any text. */
const triedWithZero: readonly Filter[] = ['sub_type', 'metadata[tag]', 'metadata[cache_id]'];

/**
 * Levels of values that no event has and that a service may take for a known one, each for a request of its own. Of the
 * known value “created”: “create”; other near values, “cr*”, “cr.*” and values of other lists, together where they can
 * be; 0; longer values. A service may refuse values that it does not know.
 */
export function levelsOfUnknownValues(known: Knowledge): readonly Level[] {
  return filters.flatMap((filter) => {
    const { values = [], shown } = known.filters.known.get(filter) ?? {};
    const [first] = values;
    const impossible = unknownLevel(filter, impossibleValue, known.filters.impossible);
    if (first === undefined) return [impossible];
    const others = values.map(({ events }) => events).reduce(without, wholeOf(known));
    const texts = [...values.map(({ value }) => value), ...(shown?.values ?? [])];
    const levelsOf = (name: string, near: readonly string[]): Level[] =>
      near
        .filter((text) => !texts.includes(text))
        .map((text) => unknownLevel(filter, name, text, values, others));
    const [cut, ...near] = levelsOf('nearly a known value', nearValues(first.value));
    const isOfWords = isListFilter(filter) && !isUuidShaped(first.value);
    const beginning = first.value.slice(0, 2);
    const further = [
      ...near,
      // Patterns as shells and regular expressions write them.
      ...levelsOf('a pattern', isOfWords ? [`${beginning}*`, `${beginning}.*`] : []),
      // A filter that looks in other fields too keeps events.
      ...levelsOf('a value of another list', isOfWords ? valuesOfOtherLists(filter, known) : []),
    ];
    return [
      // A value cut by one character shows as much as any other, unless it is refused for its form.
      cut === undefined ? impossible : { ...cut, orElse: impossible },
      ...inOneRequest(further, filter, known),
      // Some programming languages take 0 for no value: a service that does so ignores the filter.
      ...levelsOf('the value 0', triedWithZero.includes(filter) ? ['0'] : []),
      ...values.flatMap((one) => longerValue(filter, one, shown, known)),
    ];
  });
}

/** Levels of a value that no event has, for requests with other parameters. */
export function impossibleLevels({ filters: { known, impossible } }: Knowledge): Level[] {
  return [...known.keys()].map((filter) => unknownLevel(filter, impossibleValue, impossible));
}

/** Levels of a list of a known value and one that no event has. */
export function listsWithImpossible(known: Knowledge): Level[] {
  if (known.encoding.forTwoValues.length === 0) return [];
  return [...known.filters.known.keys()].filter(isListFilter).flatMap((filter): Level[] => {
    const [value] = valuesOf(filter, known).toSorted((a, b) => b.events.size - a.events.size);
    if (value === undefined) return [];
    const sent = [value.value, known.filters.impossible];
    return [
      {
        ...filterLevel(
          filter,
          'a known value and one that no event has',
          sent,
          exactly(value.events),
        ),
        from: [value.download],
        clause: 'export.lists-are-any-of',
        mayBeRefused: true,
      },
    ];
  });
}

const impossibleValue = 'a value that no event has';

/**
 * A value that keeps no event of these known values; without any, none at all.
 * @param others the events that none of these keeps
 */
function unknownLevel(
  filter: Filter,
  name: string,
  text: string,
  values: readonly KnownValue[] = [],
  others = multiset([]),
): Level {
  const own = values.map(({ events }) => events);
  return {
    ...filterLevel(filter, name, [text], { least: multiset([]), most: others }),
    // An event has one type or source; but it may have several tags, one of which is nearly another: then not all.
    ...(!isListFilter(filter) &&
      own.length > 0 && { onlyIf: (kept) => own.some((one) => isSubset(one, kept)) }),
    from: values.slice(0, 1).map(({ download }) => download),
    mayBeRefused: true,
  };
}

/** Levels of one filter as one list of all their values, where such a list can be sent. */
function inOneRequest(levels: readonly Level[], filter: Filter, known: Knowledge): Level[] {
  const [first] = levels;
  const isList = isListFilter(filter) && known.encoding.forTwoValues.length > 0;
  if (first === undefined || levels.length < 2 || !isList) return [...levels];
  const texts = levels.flatMap(({ query }) => query.filters?.[filter] ?? []);
  const query = { filters: { [filter]: texts } };
  return [{ ...first, name: 'values that no event has', query, simpler: levels }];
}

/** The lists by which events are classified (Events): every event has a value of each, which is a word of the service. */
export const namedLists = [
  'event_type',
  'sub_type',
  'system_source',
] as const satisfies ListFilter[];

/** The first known value of each other list, unless it is a value of this filter too, in whatever case. */
function valuesOfOtherLists(filter: Filter, { filters: { known } }: Knowledge): string[] {
  const own = new Set(known.get(filter)?.values.map(({ value }) => value.toLowerCase()));
  return namedLists
    .filter((list) => list !== filter)
    .flatMap((list) => known.get(list)?.values[0]?.value ?? [])
    .filter((value) => !own.has(value.toLowerCase()));
}

/** Where “A” keeps events that show “AB” too, “AB” must keep some of them, or a longer value is taken for the one asked for. */
function longerValue(
  filter: Filter,
  { value, events, download }: KnownValue,
  shown: KnownPlace | undefined,
  known: Knowledge,
): readonly Level[] {
  if (!shown?.isFaithful) return [];
  const { extra } = difference(shown.eventsShowing(value), events);
  const otherValues = [...new Set(extra.map((row) => shown.read(row) ?? ''))];
  const [longer] = otherValues;
  const isLonger = (one: string): boolean => one !== value && one.includes(value);
  if (longer === undefined || !otherValues.every(isLonger)) return [];
  const least = intersection(shown.eventsShowing(longer), events);
  if (least.size === 0) return [];
  return [
    {
      ...filterLevel(filter, 'a longer value', [longer], { least, most: wholeOf(known) }),
      onlyIf: (kept) => intersection(least, kept).size === 0,
      from: [download],
      mayBeRefused: true,
    },
  ];
}
