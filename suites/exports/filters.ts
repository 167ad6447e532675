import {
  difference,
  intersection,
  isSame,
  isSubset,
  type Multiset,
  multiset,
  sum,
  surelyBoth,
} from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import { examples, nearValues } from '../../helpers/exports/filter-candidates.ts';
import {
  type Exchanged,
  eventsLostBeside,
  isConfirmed,
  isFaithful,
  type KnownFilter,
  type KnownPlace,
  type KnownValue,
} from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, filters, isListFilter } from '../../helpers/exports/query.ts';
import { sameNumbers } from '../../helpers/exports/shown-values.ts';
import { Inconclusive, other, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference } from '../../schemas/difference.ts';
import { isUuidShaped, sameId } from '../../schemas/identifier.ts';
import type { ListFilter } from '../../schemas/operations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { commonIn, events, expectEvents, expectServed, noValues } from './relations.ts';

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

/*
 * Learning has found values of each filter. Here a filter is asked for further values: parts of known values, patterns,
 * values of other filters. A question is a row: which values, and what would be wrong with the events that they keep.
 */

/** Values to ask a filter for, and what would be wrong with the events that they keep. */
interface Question {
  readonly values: readonly string[];
  /** Each value in a request of its own, or in one with other questions; `only` if not worth a request each. */
  readonly asked: 'alone' | 'together' | 'only together';
  /** Says what is wrong, if anything is. Left out where nothing can be: whether case counts in values is open. */
  readonly wrong?: (kept: Multiset) => WrongOf | undefined;
  /** Whether the values are nearly a known value, as “create” for “created”, and are values of no event. */
  readonly isNear?: true;
}

/** What is wrong, and the known value whose events show it. */
interface WrongOf {
  readonly known: KnownValue;
  readonly difference: Difference;
}

/** A question with the export of one of its values, or with an empty export of the values of several questions. */
interface Asked {
  readonly question: Question;
  readonly download: CsvDownload;
}

/** The filters that are asked for the value 0: a list, and two metadata keys whose values can be any text. */
const triedWithZero: readonly Filter[] = ['sub_type', 'metadata[tag]', 'metadata[cache_id]'];

/**
 * The questions that a filter is asked; none where no value of it is known. Of the known value “created”: “create”;
 * other near values; “cr*” and “cr.*”; types and sources, if it is a subtype; “CREATED”; 0; longer values.
 */
function questionsOf(filter: Filter, knowledge: Knowledge): readonly Question[] {
  const { known } = knowledge.filters;
  const { values: knownValues = [], shown } = known.get(filter) ?? {};
  const [first] = knownValues;
  if (first === undefined) return [];
  const { value } = first;
  const isNotShown = (one: string): boolean => shown?.values.includes(one) !== true;
  const [cut, ...nearer] = nearValues(value).filter(isNotShown);
  const beginning = value.slice(0, 2);
  const isId = isUuidShaped(value);
  const wrongIfAllOfFirst = (wrong: 'matches a part' | 'matches a pattern') =>
    wrongIfShared([first], knowledge, (count) =>
      count === first.events.size ? other(wrong, { parameter: filter, count }) : undefined,
    );
  const near = { wrong: wrongIfAllOfFirst('matches a part'), isNear: true } as const;
  return [
    { ...near, values: cut === undefined ? [] : [cut], asked: 'alone' },
    { ...near, values: nearer, asked: 'together' },
    {
      // Patterns as shells and regular expressions write them; a right service takes them for unknown values.
      values: isId ? [] : [`${beginning}*`, `${beginning}.*`].filter(isNotShown),
      asked: 'only together',
      wrong: wrongIfAllOfFirst('matches a pattern'),
    },
    {
      // A type is asked for as a subtype or source, and so on: a filter that looks in other fields too keeps events.
      values: isId ? [] : valuesOfOtherLists(filter, known).filter(isNotShown),
      asked: 'only together',
      wrong: wrongIfShared(knownValues, knowledge, (count, { value: expected }) =>
        other('matches other fields', { parameter: filter, expected, count }),
      ),
    },
    { values: otherCase(value).filter(isNotShown), asked: 'together' },
    {
      // Some programming languages take 0 for no value: a service that does so ignores the filter.
      values: triedWithZero.includes(filter) ? ['0'] : [],
      asked: 'alone',
      wrong: wrongIfShared(
        knownValues.filter((one) => one.value !== '0'),
        knowledge,
        (extra) => {
          const of = { parameter: filter, fileType: 'csv', missing: 0, extra } as const;
          return { kind: 'events', when: 'with the value 0', ...of };
        },
      ),
    },
    ...knownValues.flatMap((one) => longerValue(filter, one, shown)),
  ];
}

/** What is wrong where events are kept that a known value keeps too: `differenceOf` their number and that value. */
function wrongIfShared(
  values: readonly KnownValue[],
  knowledge: Knowledge,
  differenceOf: (count: number, known: KnownValue) => Difference | undefined,
): NonNullable<Question['wrong']> {
  return (kept) => {
    const shared = firstThatShares(kept, values, knowledge);
    const difference = shared && differenceOf(shared.count, shared.known);
    return difference && { known: shared.known, difference };
  };
}

/**
 * Where the filter with “A” also keeps events that show “AB”, the filter with “AB” must keep some of them: otherwise it
 * takes a longer value for the one asked for. No question where rows do not show the values as they are.
 */
function longerValue(
  filter: Filter,
  known: KnownValue,
  shown: KnownPlace | undefined,
): readonly Question[] {
  if (shown === undefined || !isFaithful(shown) || shown.confirmedBy === 0) return [];
  const { extra } = difference(shown.eventsShowing(known.value), known.events);
  const otherValues = [...new Set(extra.map((row) => shown.read(row) ?? ''))];
  const [longer] = otherValues;
  const isLonger = (one: string): boolean => one !== known.value && one.includes(known.value);
  if (longer === undefined || !otherValues.every(isLonger)) return [];
  const keys = [...intersection(shown.eventsShowing(longer), known.events).entries.keys()];
  return [
    {
      values: [longer],
      asked: 'alone',
      wrong: (kept) => {
        if (keys.length === 0 || keys.some((key) => kept.entries.has(key))) return undefined;
        const expected = JSON.stringify(longer);
        const actual = JSON.stringify(known.value);
        const of = { parameter: filter, expected, actual, count: keys.length };
        return { known, difference: other('matches longer values', of) };
      },
    },
  ];
}

/** “created” as “CREATED”, “CREATED” as “created”; none for an id, which a service may compare as a number. */
function otherCase(value: string): string[] {
  const upper = value.toUpperCase();
  const changed = upper === value ? value.toLowerCase() : upper;
  return isUuidShaped(value) || changed === value ? [] : [changed];
}

/** The lists whose values are words of the service. */
const namedLists = ['event_type', 'sub_type', 'system_source'] as const satisfies ListFilter[];

/** The first known value of each other list, unless it is a value of this filter too, in whatever case. */
function valuesOfOtherLists(filter: Filter, known: Knowledge['filters']['known']): string[] {
  const own = new Set(known.get(filter)?.values.map(({ value }) => value.toLowerCase()));
  return namedLists
    .filter((list) => list !== filter)
    .flatMap((list) => known.get(list)?.values.slice(0, 1) ?? [])
    .map(({ value }) => value)
    .filter((value) => !own.has(value.toLowerCase()));
}

/** Exports the window with one value of a filter, or with several as a list. */
type Ask = (...values: string[]) => Promise<CsvDownload>;

/** Asks all questions in few requests: where a list of values keeps no event, none of its values is asked alone. */
async function askAll(questions: readonly Question[], ask: Ask, canSendTwo: boolean) {
  const askEach = (group: readonly Question[]): Promise<Asked[]> =>
    Promise.all(
      group.flatMap((question) =>
        question.values.map(async (value) => ({ question, download: await ask(value) })),
      ),
    );
  const askTogether = async (group: readonly Question[]): Promise<Asked[]> => {
    const worthARequest = group.filter(({ asked }) => asked === 'together');
    const values = group.flatMap((question) => question.values);
    if (!canSendTwo || values.length < 2) return await askEach(worthARequest);
    const download = await ask(...values);
    if (keepsNone(download)) return group.map((question) => ({ question, download }));
    const others = group.filter(({ wrong }) => wrong !== undefined);
    // A service to which case does not count keeps events for a value in other case; the others may keep none.
    if (others.length < group.length) {
      const inOtherCase = askEach(group.filter(({ wrong }) => wrong === undefined));
      return [...(await askTogether(others)), ...(await inOtherCase)];
    }
    // Where the list is refused, each of its values would be: only those worth a request are asked alone.
    return await askEach(download.answer.status === 200 ? group : worthARequest);
  };
  const withValues = questions.filter(({ values }) => values.length > 0);
  const isAlone = ({ asked }: Question): boolean => asked === 'alone';
  const asked = await Promise.all([
    askEach(withValues.filter(isAlone)),
    askTogether(withValues.filter((one) => !isAlone(one))),
  ]);
  return asked.flat();
}

/** Whether the export is served and empty, which shows that the filter is honoured. */
function keepsNone({ answer, table }: CsvDownload): boolean {
  return answer.status === 200 && table?.count === 0;
}

function keepsSome({ table }: CsvDownload): boolean {
  return table !== undefined && table.count > 0;
}

/** @throws Violation where something is wrong with what the values keep */
function judgeAsked({ question, download }: Asked, { columns }: Knowledge): void {
  // A service may refuse values that it does not know.
  if (question.wrong === undefined || download.answer.status !== 200) return;
  const found = question.wrong(events(download, columns));
  if (found === undefined) return;
  throw new Violation(found.difference, [download.answer, found.known.download.answer]);
}

/** The first of the values that surely keeps some of these events, and how many of them. */
function firstThatShares(
  kept: Multiset,
  values: readonly KnownValue[],
  { base, columns }: Knowledge,
): { readonly known: KnownValue; readonly count: number } | undefined {
  const all = events(base.download, columns);
  for (const known of values) {
    const count = surelyBoth(kept, known.events, all).size;
    if (count > 0) return { known, count };
  }
  return undefined;
}

interface Filtered {
  readonly knowledge: Knowledge;
  /** The export with a value that no event has; asked for only where no cut value, as “create”, shows the same. */
  readonly impossible: CsvDownload | undefined;
  /** The value that kept all events, asked for once more; undefined where nothing suggests a cached answer. */
  readonly again: CsvDownload | undefined;
  readonly asked: readonly Asked[];
  /** Lists of values that no event can share (see `valuesApart`), and what each list keeps. */
  readonly apart: readonly KnownValue[];
  /** Exports that show that the filter selects by the values of another one; undefined where none do. */
  readonly exchanged: Exchanged | undefined;
}

/** Asks one filter for values that are nearly right, unknown or in other case; judges what they and known ones keep. */
function filterScenario(filter: Filter): AnyScenario {
  return scenario({
    name: `${filter} keeps the events that match, and only those`,
    act: (world) => askFilter(filter, world),
    judges: {
      [clauseByFilter[filter]]: (filtered: Filtered) => judgeFilter(filter, filtered),
      ...judgesBy(ofCsv, ({ knowledge, impossible, asked }: Filtered) => {
        const { values = [] } = knowledge.filters.known.get(filter) ?? {};
        const ofUnknown = [
          ...asked.map(({ download }) => download),
          ...(impossible ? [impossible] : []),
        ];
        const served = ofUnknown.filter(({ answer }) => answer.status === 200);
        return [...values.map(({ download }) => download), ...served].map(({ answer }) => answer);
      }),
    },
    observes: {
      'export.case-of-filter-values': ({ knowledge, asked }: Filtered) => {
        const [first] = knowledge.filters.known.get(filter)?.values ?? [];
        const { table } =
          asked.find(({ question }) => question.wrong === undefined)?.download ?? {};
        if (first === undefined || table === undefined) return [];
        const kept = eventsOf(table, knowledge.columns.ignored);
        return [{ filter, caseCounts: !isSubset(first.events, kept) }];
      },
    },
  });
}

async function askFilter(filter: Filter, world: World): Promise<Filtered> {
  const { exports } = world;
  const knowledge = await exports.knowledge();
  const ask: Ask = (...values) => exports.within({ filters: { [filter]: values } });
  const canSendTwo = isListFilter(filter) && knowledge.encoding.forTwoValues.length > 0;
  const asked = await askAll(questionsOf(filter, knowledge), ask, canSendTwo);
  // A value cut by one character shows the same as one that no event has, unless it is refused for its form.
  const isHonoured = asked.some(({ question, download }) => question.isNear && keepsNone(download));
  const impossible = isHonoured ? undefined : await ask(knowledge.filters.impossible);
  const lists = valuesApart(filter, knowledge, world, canSendTwo);
  const apart = lists.map(async (list) => {
    const download = await ask(...list);
    const kept = download.table && eventsOf(download.table, knowledge.columns.ignored);
    return kept ? [{ value: list.join(' or '), events: kept, download }] : [];
  });
  const { values, keptAll, exchanged } = knowledge.filters.known.get(filter) ?? {};
  // All events for one value and none for another: the first answer may be a cached one of another query.
  const mayBeCached = values?.length === 0 && impossible?.table?.count === 0;
  return {
    knowledge,
    impossible,
    again: mayBeCached && keptAll ? await exports.anew(keptAll.query) : undefined,
    asked,
    apart: (await Promise.all(apart)).flat(),
    exchanged: exchanged ?? (await exchangedList(filter, exports, knowledge)),
  };
}

/** Lists of values that no event can share: “7” and “07”, or two halves of the users whom no known value names. */
function valuesApart(
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
  world: Pick<World, 'actors' | 'users'>,
  canSendTwo: boolean,
): readonly (readonly string[])[] {
  if (filter === 'auditee_id') {
    const { values = [], shown } = known.get(filter) ?? {};
    // Where rows show the ids of users, they tell themselves whose events are kept.
    if (values.length === 0 || shown !== undefined) return [];
    const all = [...world.actors, ...world.users.map(({ id }) => id)];
    const people = all.filter(
      (id, index) =>
        all.findIndex((other) => sameId(id, other)) === index &&
        !values.some(({ value }) => sameId(value, id)),
    );
    const half = Math.ceil(people.length / 2);
    return [people.slice(0, half), people.slice(half)]
      .map((some) => (canSendTwo ? some : some.slice(0, 1)))
      .filter((some) => some.length > 0);
  }
  const { shown } = (asLearned?.filters.known ?? known).get(filter) ?? {};
  // A text that only looks like a value does no harm here: it keeps no event.
  const numbers = isListFilter(filter) ? undefined : sameNumbers(shown?.values ?? []);
  if (shown === undefined || numbers === undefined) return [];
  const [one, other] = numbers;
  // Events that show both values may be kept by both.
  const both = intersection(shown.eventsShowing(one), shown.eventsShowing(other));
  return both.size > 0 ? [] : numbers.map((value) => [value]);
}

/**
 * Shows that two lists are exchanged, as sub_type and event_type: this list keeps no event by the document's examples
 * of its own values, but some by an example of the other list; and that list keeps some by an example of this one
 * (sub_type=created keeps none, sub_type=assessment and event_type=created keep some). Where rows show examples of this
 * list's values, it is enough that the other list keeps the same events by its example. undefined: nothing shows it.
 */
async function exchangedList(
  list: Filter,
  exports: Exports,
  { filters: { known }, base, columns }: Knowledge,
): Promise<Exchanged | undefined> {
  const { values = [], shown } = known.get(list) ?? {};
  const own = examples[list] ?? [];
  const isOwn = (value: string): boolean => own.includes(value);
  if (own.length === 0 || values.some(({ value }) => isOwn(value)) || shown?.values.some(isOwn)) {
    return undefined;
  }
  const exportsBy = (filter: Filter, some: readonly string[]) =>
    Promise.all(some.map((value) => exports.within({ filters: { [filter]: [value] } })));
  const unmatched = await exportsBy(list, own);
  if (unmatched.some(({ table }) => table?.count !== 0)) return undefined;
  const areShown = base.table.rows.some((row) =>
    row.some((cell) => own.some((value) => cell === value || cell.includes(`"${value}"`))),
  );
  for (const other of namedLists.filter((one) => one !== list)) {
    const [ownByOther, othersByThis, othersByOther] = await Promise.all([
      exportsBy(other, own),
      exportsBy(list, examples[other] ?? []),
      exportsBy(other, examples[other] ?? []),
    ]);
    const kept = othersByThis.find((one, index) => {
      const same = othersByOther[index];
      if (!keepsSome(one)) return false;
      if (ownByOther.some(keepsSome)) return true;
      const isKept = areShown && same !== undefined && keepsSome(same);
      return isKept && isSame(events(one, columns), events(same, columns));
    });
    if (kept !== undefined) return { other, kept, unmatched };
  }
  return undefined;
}

/**
 * Judges in this order, as each check rests on those before it: what the filter keeps of a value that no event has; that
 * it is served, and is no other filter; what known values lose; what further values keep; and what two values share.
 * @throws Violation where the filter keeps what it must not, or loses what it must keep
 */
function judgeFilter(filter: Filter, filtered: Filtered): void {
  const { knowledge, impossible, again, asked, apart, exchanged } = filtered;
  judgeImpossible(filter, impossible, knowledge);
  const known = knowledge.filters.known.get(filter);
  const { values = [], unmatched, refused, keptAll } = known ?? {};
  if (refused !== undefined) expectServed(`${filter} with a value that it must know`, refused);
  if (known && exchanged) throw takenForAnother(filter, exchanged);
  if (again && keptAll) judgeAgain(filter, keptAll, again);
  if (known === undefined || (values.length === 0 && unmatched === undefined)) {
    throw unknownValues(filter, impossible, knowledge);
  }
  judgeLost(filter, known, knowledge);
  for (const one of asked) judgeAsked(one, knowledge);
  judgeDistinct(filter, isListFilter(filter) ? [...values, ...apart] : apart, knowledge);
}

/** @throws Violation where a value that no event has keeps some; it may be refused, and what that gets is open */
function judgeImpossible(
  filter: Filter,
  impossible: CsvDownload | undefined,
  known: Knowledge,
): void {
  if (impossible?.answer.status !== 200) return;
  const why = () => whyNotNone(filter, impossible, known);
  const what = `${filter} with a value that no event has`;
  expectEvents(what, multiset([]), impossible, known.columns, { why });
}

function takenForAnother(filter: Filter, { other: of, kept, unmatched }: Exchanged): Violation {
  const difference = other('takes for another parameter', { parameter: filter, of });
  return new Violation(
    difference,
    [...unmatched, kept].map(({ answer }) => answer),
  );
}

/** @throws Violation where a value that kept all events keeps less than half of them now: so many do not go at once */
function judgeAgain(filter: Filter, keptAll: CsvDownload, again: CsvDownload): void {
  const [before = 0, now] = [keptAll, again].map(({ table }) => table?.count);
  if (now === undefined || now * 2 > before) return;
  const of = { parameter: filter, expected: `${before}`, actual: `${now}` };
  const on = [again.answer, keptAll.answer];
  throw new Violation(other('matches fewer the second time', of), on);
}

/** Why a value that no event has keeps some: by what these have in common, or because the filter is ignored. */
function whyNotNone(filter: Filter, { table }: CsvDownload, { base }: Knowledge) {
  const kept = table?.rows ?? [];
  const some = kept.length < base.table.count ? commonIn(base.table, kept) : {};
  return some.common === undefined ? { ignored: [filter] } : some;
}

/**
 * A known value keeps all events that show it, even those that are empty in other places. A place may show one of
 * several values, or a label for two codes: it convicts only where values stand in it as they are, and are confirmed.
 */
function judgeLost(
  filter: Filter,
  { values, shown, unmatched }: KnownFilter,
  { base, columns: { ignored } }: Knowledge,
): void {
  const emptyElsewhere = eventsLostBeside(values, base.table, ignored);
  const lostByPlace = values.map((known) => {
    const showing = shown && isConfirmed(shown) ? shown.eventsShowing(known.value) : known.events;
    return { known, lost: difference(showing, known.events).missing };
  });
  const lostOfKnown = emptyElsewhere.length > 0 ? emptyElsewhere : lostByPlace;
  const losing = values.length === 0 && unmatched ? [unmatched] : lostOfKnown;
  const [first, ...others] = losing.filter(({ lost }) => lost.length > 0);
  if (first === undefined) return;
  const { known, lost } = first;
  const expected = sum(known.events, multiset(lost, ignored));
  const comparison = {
    shownIn: { value: known.value, all: base.download },
    ...(others.length > 0 && { why: () => ({ alike: others.length }) }),
  };
  const what = `${filter} with a known value`;
  expectEvents(what, expected, known.download, { ignored }, comparison);
}

/**
 * An event has one type, one subtype, one source and one user who caused it.
 * @param values known values, and lists of values that no event can share (`valuesApart`): “7” and “07” are one value to
 * a service that compares numbers
 * @throws Violation where an event is surely kept by two of them
 */
function judgeDistinct(filter: Filter, values: readonly KnownValue[], knowledge: Knowledge): void {
  for (const [index, one] of values.entries()) {
    // Whether upper and lower case are told apart is open.
    const others = values
      .slice(index + 1)
      .filter((other) => other.value.toLowerCase() !== one.value.toLowerCase());
    const shared = firstThatShares(one.events, others, knowledge);
    if (shared === undefined) continue;
    const of = { parameter: filter, count: shared.count };
    const on = [one.download.answer, shared.known.download.answer];
    throw new Violation(other('matches one event by two values', of), on);
  }
}

/** Why a filter without known values is not judged. */
function unknownValues(
  filter: Filter,
  impossible: CsvDownload | undefined,
  knowledge: Knowledge,
): Error {
  if (impossible !== undefined && impossible.answer.status !== 200) {
    const { answer } = impossible;
    return new Inconclusive(`${answer.request} gave ${answer.status}.`, [answer]);
  }
  return noValues(`a value of ${filter} that occurs in the window; none was found`, knowledge);
}

export const filterScenarios = filters.map(filterScenario);
