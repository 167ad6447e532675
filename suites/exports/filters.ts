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
import { csvAnswerJudges } from './answers.ts';
import { commonIn, events, expectEvents, expectServed, noValues } from './relations.ts';

/** The clause of each filter alone. */
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
 * A filter is asked for values beside those that it is known by. Questions are rows: which values, and what may not be seen in
 * what they keep. What else a filter can be seen to do wrong is told by what was learned of it.
 */

/** Values to ask for, and what is wrong with what they keep. */
interface Question {
  readonly values: readonly string[];
  /** Each in a request of its own, or with those of other questions; only there, where they are not worth a request each. */
  readonly asked: 'alone' | 'together' | 'only together';
  /** Left out where nothing is: whether upper and lower case are told apart is open. */
  readonly wrong?: (kept: Multiset) => WrongOf | undefined;
  /** Whether they are nearly a known value, and none themselves. */
  readonly isNear?: true;
}

/** What is wrong, compared with what a known value keeps. */
interface WrongOf {
  readonly known: KnownValue;
  readonly difference: Difference;
}

/** What one value of a question gave, or several together that keep nothing. */
interface Asked {
  readonly question: Question;
  readonly download: CsvDownload;
}

/** A list, and two keys whose values are texts of any form. */
const triedWithZero: readonly Filter[] = ['sub_type', 'metadata[tag]', 'metadata[cache_id]'];

/** None where no value is known. */
function questionsOf(filter: Filter, knowledge: Knowledge): readonly Question[] {
  const { known } = knowledge.filters;
  const { values = [], shown } = known.get(filter) ?? {};
  const [first] = values;
  if (first === undefined) return [];
  const { value } = first;
  const isNew = (one: string): boolean => shown?.values.includes(one) !== true;
  const [cut, ...nearer] = nearValues(value).filter(isNew);
  const beginning = value.slice(0, 2);
  const isId = isUuidShaped(value);
  /** What is said where they keep events of a known value too: how many, of which one. */
  const sharing =
    (
      of: readonly KnownValue[],
      says: (count: number, known: KnownValue) => Difference | undefined,
    ) =>
    (kept: Multiset): WrongOf | undefined => {
      const found = firstThatShares(kept, of, knowledge);
      const difference = found && says(found.count, found.known);
      return difference && { known: found.known, difference };
    };
  const allOfFirst = (wrong: 'matches a part' | 'matches a pattern') =>
    sharing([first], (count) =>
      count === first.events.size ? other(wrong, { parameter: filter, count }) : undefined,
    );
  const part = { wrong: allOfFirst('matches a part'), isNear: true } as const;
  return [
    { ...part, values: cut === undefined ? [] : [cut], asked: 'alone' },
    { ...part, values: nearer, asked: 'together' },
    {
      // As shells and as regular expressions write them; a service that takes neither knows no such value.
      values: isId ? [] : [`${beginning}*`, `${beginning}.*`].filter(isNew),
      asked: 'only together',
      wrong: allOfFirst('matches a pattern'),
    },
    {
      // An event has one type, one subtype, one source.
      values: isId ? [] : valuesOfOtherLists(filter, known).filter(isNew),
      asked: 'only together',
      wrong: sharing(values, (count, { value: expected }) =>
        other('matches other fields', { parameter: filter, expected, count }),
      ),
    },
    { values: otherCase(value).filter(isNew), asked: 'together' },
    {
      // Some languages take it for no value: whoever does so keeps all.
      values: triedWithZero.includes(filter) ? ['0'] : [],
      asked: 'alone',
      wrong: sharing(
        values.filter((one) => one.value !== '0'),
        (extra) => {
          const of = { parameter: filter, fileType: 'csv', missing: 0, extra } as const;
          return { kind: 'events', when: 'with the value 0', ...of };
        },
      ),
    },
    ...values.flatMap((known) => longerValue(filter, known, shown)),
  ];
}

/**
 * Where the filter with “A” also returns events that show “AB”, of which A is a part, the filter with “AB” must return some of them:
 * else the filter takes a longer value for the one asked for.
 */
function longerValue(
  filter: Filter,
  known: KnownValue,
  shown: KnownPlace | undefined,
): readonly Question[] {
  if (shown === undefined || !isFaithful(shown) || shown.confirmedBy === 0) return [];
  const { extra } = difference(shown.eventsShowing(known.value), known.events);
  const others = [...new Set(extra.map((row) => shown.read(row) ?? ''))];
  const [longer] = others;
  const isLonger = (one: string): boolean => one !== known.value && one.includes(known.value);
  if (longer === undefined || !others.every(isLonger)) return [];
  const taken = [...intersection(shown.eventsShowing(longer), known.events).entries.keys()];
  return [
    {
      values: [longer],
      asked: 'alone',
      wrong: (kept) => {
        if (taken.length === 0 || taken.some((key) => kept.entries.has(key))) return undefined;
        const expected = JSON.stringify(longer);
        const actual = JSON.stringify(known.value);
        const of = { parameter: filter, expected, actual, count: taken.length };
        return { known, difference: other('matches longer values', of) };
      },
    },
  ];
}

/** The value in capitals, or in small letters. Not of an id: a service may compare ids as numbers. */
function otherCase(value: string): string[] {
  const upper = value.toUpperCase();
  const changed = upper === value ? value.toLowerCase() : upper;
  return isUuidShaped(value) || changed === value ? [] : [changed];
}

/** The lists whose values are words of the service. */
const namedLists = ['event_type', 'sub_type', 'system_source'] as const satisfies ListFilter[];

/** The first known value of each other list, which no value of this one is equal to. */
function valuesOfOtherLists(filter: Filter, known: Knowledge['filters']['known']): string[] {
  const own = new Set(known.get(filter)?.values.map(({ value }) => value.toLowerCase()));
  return namedLists
    .filter((list) => list !== filter)
    .flatMap((list) => known.get(list)?.values.slice(0, 1) ?? [])
    .map(({ value }) => value)
    .filter((value) => !own.has(value.toLowerCase()));
}

type Ask = (...values: string[]) => Promise<CsvDownload>;

/** What keeps nothing together keeps nothing by itself, as far as lists of several values are read like one. */
async function askAll(questions: readonly Question[], ask: Ask, canSendTwo: boolean) {
  const each = (some: readonly Question[]): Promise<Asked[]> =>
    Promise.all(
      some.flatMap((question) =>
        question.values.map(async (value) => ({ question, download: await ask(value) })),
      ),
    );
  const inOne = async (some: readonly Question[]): Promise<Asked[]> => {
    const worthARequest = some.filter(({ asked }) => asked === 'together');
    const values = some.flatMap((question) => question.values);
    if (!canSendTwo || values.length < 2) return await each(worthARequest);
    const download = await ask(...values);
    if (keepsNone(download)) return some.map((question) => ({ question, download }));
    const others = some.filter(({ wrong }) => wrong !== undefined);
    // Where case does not count, the others may keep nothing all the same.
    if (others.length < some.length) {
      const inOtherCase = each(some.filter(({ wrong }) => wrong === undefined));
      return [...(await inOne(others)), ...(await inOtherCase)];
    }
    // What is refused together is refused by itself.
    return await each(download.answer.status === 200 ? some : worthARequest);
  };
  const meant = questions.filter(({ values }) => values.length > 0);
  const isAlone = ({ asked }: Question): boolean => asked === 'alone';
  const asked = await Promise.all([
    each(meant.filter(isAlone)),
    inOne(meant.filter((one) => !isAlone(one))),
  ]);
  return asked.flat();
}

/** Whether it is shown that the filter is honoured: no event is left. */
function keepsNone({ answer, table }: CsvDownload): boolean {
  return answer.status === 200 && table?.count === 0;
}

function keepsSome({ table }: CsvDownload): boolean {
  return table !== undefined && table.count > 0;
}

/** @throws Violation where something is wrong with what the values keep */
function judgeAsked({ question, download }: Asked, { columns }: Knowledge): void {
  // What is no value at all may be refused.
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
  /** With a value that no event has; asked for only where a cut value does not show the same. */
  readonly impossible: CsvDownload | undefined;
  /** Where a value has kept all events and another keeps none: the one asked for once more. */
  readonly again: CsvDownload | undefined;
  readonly asked: readonly Asked[];
  /** What each of several values keeps, of which no event has two. */
  readonly apart: readonly KnownValue[];
  /** Whether it is seen to select by what is another one's. */
  readonly exchanged: Exchanged | undefined;
}

function filtering(filter: Filter): AnyScenario {
  return scenario({
    name: `${filter} keeps the events that match, and only those`,
    async act(world): Promise<Filtered> {
      const { exports } = world;
      const knowledge = await exports.knowledge();
      const ask: Ask = (...values) => exports.within({ filters: { [filter]: values } });
      const canSendTwo = isListFilter(filter) && knowledge.encoding.forTwoValues.length > 0;
      const asked = await askAll(questionsOf(filter, knowledge), ask, canSendTwo);
      // A value cut by a character is one that no event has, where it is not refused for its form.
      const isHonoured = asked.some(
        ({ question, download }) => question.isNear && keepsNone(download),
      );
      const impossible = isHonoured ? undefined : await ask(knowledge.filters.impossible);
      const apart = valuesApart(filter, knowledge, world, canSendTwo).map(async (some) => {
        const download = await ask(...some);
        const kept = download.table && eventsOf(download.table, knowledge.columns.ignored);
        return kept ? [{ value: some.join(' or '), events: kept, download }] : [];
      });
      const { values, keptAll, exchanged } = knowledge.filters.known.get(filter) ?? {};
      // An answer that was kept from another query is so for a while.
      const isKeptAway = values?.length === 0 && impossible?.table?.count === 0;
      return {
        knowledge,
        impossible,
        again: isKeptAway && keptAll ? await exports.anew(keptAll.query) : undefined,
        asked,
        apart: (await Promise.all(apart)).flat(),
        exchanged: exchanged ?? (await exchangedList(filter, exports, knowledge)),
      };
    },
    judges: {
      [clauseByFilter[filter]]: (filtered: Filtered) => judge(filter, filtered),
      ...csvAnswerJudges(({ knowledge, impossible, asked }: Filtered) => {
        const { values = [] } = knowledge.filters.known.get(filter) ?? {};
        const ofUnknown = [...asked, ...(impossible ? [{ download: impossible }] : [])];
        const isServed = ({ download: { answer } }: Pick<Asked, 'download'>) =>
          answer.status === 200;
        return [...values, ...ofUnknown.filter(isServed)].map(({ download }) => download.answer);
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

/** Values of which no event has two: those that are one number, and configured users whom no known value names. */
function valuesApart(
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
  world: Pick<World, 'actors' | 'users'>,
  canSendTwo: boolean,
): readonly (readonly string[])[] {
  if (filter === 'auditee_id') {
    const { values = [], shown } = known.get(filter) ?? {};
    // Where rows show ids, what is kept by one says who else it is.
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
  // A text that was taken for a value keeps nothing.
  const numbers = isListFilter(filter) ? undefined : sameNumbers(shown?.values ?? []);
  if (shown === undefined || numbers === undefined) return [];
  const [one, other] = numbers;
  // An event may have several values.
  const both = intersection(shown.eventsShowing(one), shown.eventsShowing(other));
  return both.size > 0 ? [] : numbers.map((value) => [value]);
}

/**
 * Whether a list keeps nothing by the examples that the document gives for it, and by one of another list what that one keeps,
 * or what that one is to keep while it takes the examples of this one.
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
  const by = (filter: Filter, some: readonly string[]) =>
    Promise.all(some.map((value) => exports.within({ filters: { [filter]: [value] } })));
  const unmatched = await by(list, own);
  if (unmatched.some(({ table }) => table?.count !== 0)) return undefined;
  const areShown = base.table.rows.some((row) =>
    row.some((cell) => own.some((value) => cell === value || cell.includes(`"${value}"`))),
  );
  for (const other of namedLists.filter((one) => one !== list)) {
    const [taken, here, there] = await Promise.all([
      by(other, own),
      by(list, examples[other] ?? []),
      by(other, examples[other] ?? []),
    ]);
    const kept = here.find((one, index) => {
      const same = there[index];
      if (!keepsSome(one)) return false;
      if (taken.some(keepsSome)) return true;
      const isKept = areShown && same !== undefined && keepsSome(same);
      return isKept && isSame(events(one, columns), events(same, columns));
    });
    if (kept !== undefined) return { other, kept, unmatched };
  }
  return undefined;
}

function judge(filter: Filter, filtered: Filtered): void {
  const { knowledge, impossible, again, asked, apart, exchanged } = filtered;
  // A value that cannot exist may be refused; what that gets is open.
  if (impossible?.answer.status === 200) {
    const why = () => whyNotNone(filter, impossible, knowledge);
    const what = `${filter} with a value that no event has`;
    expectEvents(what, multiset([]), impossible, knowledge.columns, { why });
  }
  const known = knowledge.filters.known.get(filter);
  if (known === undefined) throw unknownValues(filter, impossible, knowledge);
  const { values, unmatched, refused, keptAll } = known;
  if (refused !== undefined) expectServed(`${filter} with a value that it must know`, refused);
  if (exchanged !== undefined) {
    const { other, kept, unmatched: own } = exchanged;
    throw new Violation(
      { kind: 'other', wrong: 'takes for another parameter', parameter: filter, of: other },
      [...own, kept].map(({ answer }) => answer),
    );
  }
  if (again && keptAll) judgeAgain(filter, keptAll, again);
  if (values.length === 0 && unmatched === undefined) {
    throw unknownValues(filter, impossible, knowledge);
  }
  judgeLost(filter, known, knowledge);
  for (const one of asked) judgeAsked(one, knowledge);
  judgeDistinct(filter, isListFilter(filter) ? [...values, ...apart] : apart, knowledge);
}

/** A value that kept all events keeps them again: a few events come and go; that nearly all have gone is no change of events. */
function judgeAgain(filter: Filter, keptAll: CsvDownload, again: CsvDownload): void {
  const [before = 0, now] = [keptAll, again].map(({ table }) => table?.count);
  if (now === undefined || now * 2 > before) return;
  const of = { parameter: filter, expected: `${before}`, actual: `${now}` };
  const on = [again.answer, keptAll.answer];
  throw new Violation(other('matches fewer the second time', of), on);
}

/** Why a value that no event has keeps some: the filter is ignored where it keeps all, or they have something in common. */
function whyNotNone(filter: Filter, { table }: CsvDownload, { base }: Knowledge) {
  const kept = table?.rows ?? [];
  const some = kept.length < base.table.count ? commonIn(base.table, kept) : {};
  return some.common === undefined ? { ignored: [filter] } : some;
}

/**
 * A value keeps all events that show it, in a column that other values have confirmed: a column may show one of several
 * values, a label for two codes, or a part, so what it alone shows convicts only where values stand in it as they are. And it
 * keeps events that are empty elsewhere too.
 */
function judgeLost(
  filter: Filter,
  { values, shown, unmatched }: KnownFilter,
  { base, columns: { ignored } }: Knowledge,
): void {
  const emptyElsewhere = eventsLostBeside(values, base.table, ignored);
  const ofShown = values.map((known) => {
    const showing = shown && isConfirmed(shown) ? shown.eventsShowing(known.value) : known.events;
    return { known, lost: difference(showing, known.events).missing };
  });
  const ofKnown = emptyElsewhere.length > 0 ? emptyElsewhere : ofShown;
  const losing = values.length === 0 && unmatched ? [unmatched] : ofKnown;
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
 * An event has one type, one subtype, one source, and one user caused it, and does not show two values of a key that look
 * alike: no event is kept by two values.
 */
function judgeDistinct(filter: Filter, values: readonly KnownValue[], knowledge: Knowledge): void {
  for (const [index, one] of values.entries()) {
    // Whether upper and lower case are told apart is open.
    const others = values
      .slice(index + 1)
      .filter((other) => other.value.toLowerCase() !== one.value.toLowerCase());
    const found = firstThatShares(one.events, others, knowledge);
    if (found === undefined) continue;
    const of = { parameter: filter, count: found.count };
    const on = [one.download.answer, found.known.download.answer];
    throw new Violation(other('matches one event by two values', of), on);
  }
}

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

export const filterScenarios = filters.map(filtering);
