import { difference, isSubset, multiset, surelyBoth, union } from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import { nearValues } from '../../helpers/exports/filter-candidates.ts';
import {
  eventsLostBeside,
  isConfirmed,
  isFaithful,
  type KnownFilter,
  type KnownPlace,
  type KnownValue,
} from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, filters, isListFilter } from '../../helpers/exports/query.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { isUuidShaped, sameId } from '../../schemas/identifier.ts';
import type { ListFilter } from '../../schemas/operations.ts';
import { csvAnswerJudges } from './answers.ts';
import { lookAlikesOf } from './look-alikes.ts';
import {
  commonIn,
  events,
  expectEvents,
  expectNoEvents,
  expectServed,
  noValues,
} from './relations.ts';

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

interface Filtered {
  readonly knowledge: Knowledge;
  /** With a value that no event has; asked for only where near values do not show the same. */
  readonly impossible: CsvDownload | undefined;
  /** Where a value has kept all events and another keeps none: both asked for once more, one right after the other. */
  readonly again: Again | undefined;
  /** With values that are nearly the first known one, and that no row shows. */
  readonly near: readonly Near[];
  /** With patterns that the first known value matches. */
  readonly patterns: readonly Near[];
  /** With values of other lists, where they keep events. */
  readonly ofOthers: readonly Near[];
  /** With values that rows show which another value has kept. */
  readonly mistaken: readonly Mistaken[];
  /** With ids of people whom no known value names. */
  readonly ofOtherPeople: readonly Near[];
  /** With the known value in other case, where no row shows that. */
  readonly inOtherCase: CsvDownload | undefined;
  /** With two values that are easily taken for one another. */
  readonly lookAlikes: readonly Near[];
  /** With 0, which some languages take for no value; not asked for every filter. */
  readonly zero: Near | undefined;
}

interface Again {
  readonly keptAll: CsvDownload;
  /** Only where that keeps all events once more. */
  readonly impossible: CsvDownload | undefined;
}

interface Near {
  readonly values: readonly string[];
  readonly download: CsvDownload;
}

/** Whether it is shown that the filter is honoured: no event is left. */
function shows({ download: { answer, table } }: Near): boolean {
  return answer.status === 200 && table?.count === 0;
}

/** A value that keeps events which show another one, and what that other one keeps. */
interface Mistaken {
  readonly known: KnownValue;
  readonly value: string;
  readonly download: CsvDownload;
}

function filtering(filter: Filter): AnyScenario {
  return scenario({
    name: `${filter} keeps the events that match, and only those`,
    async act(world): Promise<Filtered> {
      const { exports } = world;
      const knowledge = await exports.knowledge();
      const ask = async (...values: string[]): Promise<Near> => ({
        values,
        download: await exports.within({ filters: { [filter]: values } }),
      });
      const { values = [], shown, keptAll } = knowledge.filters.known.get(filter) ?? {};
      const [first] = values;
      const canSendTwo = isListFilter(filter) && knowledge.encoding.forTwoValues.length > 0;
      const isShown = (value: string) => shown?.values.includes(value) === true;
      const nearby = first === undefined ? [] : nearValues(first.value);
      const other = first === undefined ? undefined : otherCase(first.value);
      const [cut, ...nearer] = nearby.filter((value) => !isShown(value));
      const inOther = other === undefined || isShown(other) ? [] : [other];
      // They cost no request where several values are sent together anyhow.
      const isCheap = canSendTwo && nearer.length > 0 && first !== undefined;
      const patterns = isCheap ? patternsOf(first.value).filter((value) => !isShown(value)) : [];
      const others = isCheap
        ? valuesOfOtherLists(filter, knowledge).filter((value) => !isShown(value))
        : [];
      // What keeps nothing together keeps nothing by itself, as far as lists of several values are read like one.
      const further = [...nearer, ...patterns, ...others];
      const askTogether = async (some: readonly string[]): Promise<Near | undefined> =>
        canSendTwo && some.length > 1 ? await ask(...some) : undefined;
      const all = await askTogether([...further, ...inOther]);
      const isEmpty = (one: Near | undefined): boolean => one !== undefined && shows(one);
      // Where case does not count, the others may keep nothing all the same.
      const isCaseTold = isEmpty(all) || inOther.length === 0;
      const ofFurther = isCaseTold ? all : await askTogether(further);
      const alone = async (
        values: readonly string[],
        together: Near | undefined,
      ): Promise<readonly Near[]> =>
        together !== undefined && shows(together)
          ? [together]
          : await Promise.all(values.map((value) => ask(value)));
      // What is refused together is refused by itself.
      const isToldApart = isEmpty(ofFurther) || ofFurther?.download.answer.status !== 200;
      const [ofCut, ofNearer, ofPatterns, ofOthers, [inOtherCase]] = await Promise.all([
        cut === undefined ? [] : [await ask(cut)],
        alone(nearer, ofFurther),
        isToldApart ? [] : alone(patterns, undefined),
        isToldApart ? [] : alone(others, undefined),
        alone(inOther, all),
      ]);
      const near = [...ofCut, ...ofNearer];
      // A value cut by a character is one that no event has, where it is not refused for its form.
      const impossible = near.some(shows)
        ? undefined
        : (await ask(knowledge.filters.impossible)).download;
      // An answer that was kept from another query is so for a while.
      const isHonoured = first === undefined && impossible?.table?.count === 0;
      const again =
        isHonoured && keptAll ? await askAgain(exports, keptAll, impossible) : undefined;
      const mistaken = await Promise.all(
        values.flatMap((known) =>
          otherValues(known, shown).map(async (value) => ({
            known,
            value,
            download: (await ask(value)).download,
          })),
        ),
      );
      // Where rows show ids, what is kept by one says who else it is.
      const people =
        filter === 'auditee_id' && shown === undefined ? otherPeople(values, world) : [];
      const ofOtherPeople = await Promise.all(
        inTwo(people, canSendTwo).map((some) => ask(...some)),
      );
      const [lookAlikes, zero] = await Promise.all([
        Promise.all(lookAlikesOf(filter, knowledge).map((value) => ask(value))),
        triedWithZero.includes(filter) ? ask('0') : undefined,
      ]);
      return {
        knowledge,
        impossible,
        again,
        near,
        patterns: ofPatterns,
        ofOthers,
        mistaken,
        ofOtherPeople,
        inOtherCase: inOtherCase?.download,
        lookAlikes,
        zero,
      };
    },
    judges: {
      [clauseByFilter[filter]]: (filtered: Filtered) => judge(filter, filtered),
      ...csvAnswerJudges(({ knowledge, impossible, near }: Filtered) =>
        [
          ...(knowledge.filters.known.get(filter)?.values ?? []),
          ...near.filter(({ download }) => download.answer.status === 200),
          ...(impossible?.answer.status === 200 ? [{ download: impossible }] : []),
        ].map(({ download }) => download.answer),
      ),
    },
    observes: {
      'export.case-of-filter-values': ({ knowledge, inOtherCase }: Filtered) => {
        const [first] = knowledge.filters.known.get(filter)?.values ?? [];
        const { table } = inOtherCase ?? {};
        if (first === undefined || table === undefined) return [];
        const kept = eventsOf(table, knowledge.columns.ignored);
        return [{ filter, caseCounts: !isSubset(first.events, kept) }];
      },
    },
  });
}

/** Configured users whom no known value names; none where no value is known. */
function otherPeople(
  values: readonly KnownValue[],
  { actors, users }: Pick<World, 'actors' | 'users'>,
): string[] {
  const all = [...actors, ...users.map(({ id }) => id)];
  const others = all.filter(
    (id, index) =>
      all.findIndex((other) => sameId(id, other)) === index &&
      !values.some(({ value }) => sameId(value, id)),
  );
  return values.length === 0 ? [] : others;
}

/** In two lists, of as many each; where several values cannot be sent, the first two. */
function inTwo(values: readonly string[], canSendTwo: boolean): readonly (readonly string[])[] {
  const half = Math.ceil(values.length / 2);
  const lists = [values.slice(0, half), values.slice(half)];
  return (canSendTwo ? lists : values.slice(0, 2).map((value) => [value])).filter(
    (list) => list.length > 0,
  );
}

/** The value in capitals, or in small letters. Not of an id: a service may compare ids as numbers. */
function otherCase(value: string): string | undefined {
  const upper = value.toUpperCase();
  const other = upper === value ? value.toLowerCase() : upper;
  return isUuidShaped(value) || other === value ? undefined : other;
}

/** As shells and as regular expressions write them; a service that takes neither knows no such value. */
function patternsOf(value: string): string[] {
  const beginning = value.slice(0, 2);
  return [`${beginning}*`, `${beginning}.*`];
}

/** The lists whose values are words of the service. */
const namedLists = ['event_type', 'sub_type', 'system_source'] as const satisfies ListFilter[];

/** The first known value of each other list, which no value of this one is equal to. */
function valuesOfOtherLists(filter: Filter, { filters: { known } }: Knowledge): string[] {
  const own = new Set(known.get(filter)?.values.map(({ value }) => value.toLowerCase()));
  return namedLists
    .filter((list) => list !== filter)
    .flatMap((list) => known.get(list)?.values.slice(0, 1) ?? [])
    .map(({ value }) => value)
    .filter((value) => !own.has(value.toLowerCase()));
}

/** The first of the values that rows show which a value kept without being shown by them; it holds that value. */
function otherValues({ value, events: kept }: KnownValue, shown: KnownPlace | undefined): string[] {
  if (shown === undefined || !isFaithful(shown)) return [];
  const { extra } = difference(shown.eventsShowing(value), kept);
  const others = new Set(extra.map((row) => shown.read(row) ?? ''));
  const isLonger = (other: string): boolean => other !== value && other.includes(value);
  return [...others].every(isLonger) ? [...others].slice(0, 1) : [];
}

function judge(filter: Filter, filtered: Filtered): void {
  const { knowledge, impossible, again, near, patterns, ofOthers, mistaken } = filtered;
  const { ofOtherPeople, lookAlikes, zero } = filtered;
  // A value that cannot exist may be refused; what that gets is open.
  if (impossible?.answer.status === 200) {
    const why = () => whyNotNone(filter, impossible, knowledge);
    expectNoEvents(`${filter} with a value that no event has`, impossible, { why });
  }
  const known = knowledge.filters.known.get(filter);
  const { values = [], shown, unmatched, refused, keptAll } = known ?? {};
  if (refused !== undefined) expectServed(`${filter} with a value that it must know`, refused);
  judgeExchanged(filter, known);
  if (keptAll !== undefined && again !== undefined) judgeAgain(filter, keptAll, again);
  if (again?.impossible !== undefined) {
    const what = `${filter} with a value that no event has, right after another value`;
    expectNoEvents(what, again.impossible, { why: () => ({ ignored: [filter] }) });
  }
  const [first] = values;
  if (unmatched !== undefined && first === undefined) {
    const { answer } = knowledge.base.download;
    throw new Violation(
      {
        kind: 'events',
        when: 'with a value that events have',
        parameter: filter,
        fileType: 'csv',
        missing: unmatched.times,
        extra: 0,
        of: unmatched.times,
        shown: unmatched.value,
      },
      [unmatched.download.answer, answer],
    );
  }
  if (first === undefined) throw unknownValues(filter, impossible, knowledge);
  judgeLost(filter, values, knowledge);
  for (const one of near) judgeNear(filter, 'a part', one, first, knowledge);
  for (const one of patterns) judgeNear(filter, 'a pattern', one, first, knowledge);
  for (const one of ofOthers) judgeOther(filter, one, values, knowledge);
  for (const one of mistaken) judgeMistaken(filter, one, knowledge);
  judgeDistinct(filter, keptTogether(lookAlikes, knowledge), knowledge);
  if (zero !== undefined) judgeZero(filter, zero, values, knowledge);
  if (isListFilter(filter)) {
    judgeDistinct(filter, [...values, ...keptTogether(ofOtherPeople, knowledge)], knowledge);
  }
  if (shown !== undefined) judgeShown(filter, values, shown, knowledge);
}

/** Why a value that no event has keeps some: the filter is ignored where it keeps all, or they have something in common. */
function whyNotNone(filter: Filter, { table }: CsvDownload, { base }: Knowledge) {
  const kept = table?.rows ?? [];
  const some = kept.length < base.table.count ? commonIn(base.table, kept) : {};
  return some.common === undefined ? { ignored: [filter] } : some;
}

/** Values keep events that are empty elsewhere too. */
function judgeLost(
  filter: Filter,
  values: readonly KnownValue[],
  { base, columns }: Knowledge,
): void {
  const [first, ...others] = eventsLostBeside(values, base.table, columns.ignored);
  if (first === undefined) return;
  const { known, lost } = first;
  expectEvents(
    `${filter} with a known value`,
    union(known.events, multiset(lost, columns.ignored)),
    known.download,
    columns,
    {
      shownIn: { value: known.value, all: base.download },
      why: () => ({ alike: others.length }),
    },
  );
}

async function askAgain(
  exports: Exports,
  keptAll: CsvDownload,
  impossible: CsvDownload,
): Promise<Again> {
  const again = await exports.anew(keptAll.query);
  const isAsBefore = !areMostGone(keptAll, again);
  return {
    keptAll: again,
    impossible: isAsBefore ? await exports.anew(impossible.query) : undefined,
  };
}

/** A few events come and go; that nearly all have gone is no change of events. */
function areMostGone({ table: before }: CsvDownload, { table: now }: CsvDownload): boolean {
  return now !== undefined && now.count * 2 <= (before?.count ?? 0);
}

/** A value that kept all events keeps them again. */
function judgeAgain(filter: Filter, keptAll: CsvDownload, { keptAll: again }: Again): void {
  if (!areMostGone(keptAll, again)) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'matches fewer the second time',
      parameter: filter,
      expected: `${keptAll.table?.count}`,
      actual: `${again.table?.count}`,
    },
    [again.answer, keptAll.answer],
  );
}

/** A metadata key selects by its own values, and not by those of another key. */
function judgeExchanged(filter: Filter, known: KnownFilter | undefined): void {
  if (known?.exchanged === undefined) return;
  const { other, kept, unmatched } = known.exchanged;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'takes for another parameter',
      parameter: filter,
      of: other,
    },
    [...unmatched, kept].map(({ answer }) => answer),
  );
}

/** Values that are only parts of the known one do not keep all of its events, nor do several of them together. */
function judgeNear(
  filter: Filter,
  what: 'a part' | 'a pattern',
  { download }: Near,
  known: KnownValue,
  { base, columns }: Knowledge,
): void {
  // What is no value at all may be refused.
  if (download.answer.status !== 200) return;
  const shared = surelyBoth(
    events(download, columns),
    known.events,
    events(base.download, columns),
  );
  if (known.events.size === 0 || !isSubset(known.events, shared)) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: `matches ${what}`,
      parameter: filter,
      count: known.events.size,
    },
    [download.answer, known.download.answer],
  );
}

/** A list, and two keys whose values are texts of any form. */
const triedWithZero: readonly Filter[] = ['sub_type', 'metadata[tag]', 'metadata[cache_id]'];

/** @throws Violation where 0 keeps events that another value keeps too: whoever takes it for no value keeps all */
function judgeZero(
  filter: Filter,
  { download }: Near,
  values: readonly KnownValue[],
  knowledge: Knowledge,
): void {
  // A service may know which values there can be.
  if (download.table === undefined) return;
  const others = values.filter(({ value }) => value !== '0');
  const found = firstThatShares(download, others, knowledge);
  if (found === undefined) return;
  const { other, shared } = found;
  throw new Violation(
    {
      kind: 'events',
      when: 'with the value 0',
      parameter: filter,
      fileType: 'csv',
      missing: 0,
      extra: shared,
    },
    [download.answer, other.download.answer],
  );
}

/** The first of the values that surely keeps events of a download, and how many of them. */
function firstThatShares(
  download: CsvDownload,
  values: readonly KnownValue[],
  { base, columns }: Knowledge,
): { readonly other: KnownValue; readonly shared: number } | undefined {
  const [kept, all] = [events(download, columns), events(base.download, columns)];
  for (const other of values) {
    const shared = surelyBoth(kept, other.events, all).size;
    if (shared > 0) return { other, shared };
  }
  return undefined;
}

/** An event has one type, one subtype, one source: a value of another list keeps none that a value of this one keeps. */
function judgeOther(
  filter: Filter,
  { download }: Near,
  known: readonly KnownValue[],
  knowledge: Knowledge,
): void {
  if (download.answer.status !== 200 || download.table === undefined) return;
  const found = firstThatShares(download, known, knowledge);
  if (found === undefined) return;
  const { other, shared } = found;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'matches other fields',
      parameter: filter,
      expected: other.value,
      count: shared,
    },
    [download.answer, other.download.answer],
  );
}

/**
 * Where the filter with “A” also returns events that show “AB”, of which A is a part, the filter with “AB” must return some of them:
 * else the filter takes a longer value for the one asked for.
 */
function judgeMistaken(
  filter: Filter,
  { known, value, download }: Mistaken,
  { columns, filters: all }: Knowledge,
): void {
  const { shown } = all.known.get(filter) ?? {};
  if (shown === undefined || shown.confirmedBy === 0 || download.table === undefined) return;
  const found = events(download, columns);
  const showing = shown.eventsShowing(value);
  const taken = [...showing.entries.keys()].filter((key) => known.events.entries.has(key));
  if (taken.length === 0 || taken.some((key) => found.entries.has(key))) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'matches longer values',
      parameter: filter,
      expected: JSON.stringify(value),
      actual: JSON.stringify(known.value),
      count: taken.length,
    },
    [known.download.answer, download.answer],
  );
}

/** Several values that were asked for together, as one. */
function keptTogether(some: readonly Near[], { columns }: Knowledge): KnownValue[] {
  return some.flatMap(({ values, download }) =>
    download.table === undefined
      ? []
      : [{ value: values.join(' or '), events: events(download, columns), download }],
  );
}

/**
 * An event has one type, one subtype, one source, and one user caused it, and does not show two values of a key that look
 * alike: no event is kept by two values.
 */
function judgeDistinct(
  filter: Filter,
  values: readonly KnownValue[],
  { base, columns }: Knowledge,
): void {
  const all = events(base.download, columns);
  for (const [index, one] of values.entries()) {
    for (const other of values.slice(index + 1)) {
      // Whether upper and lower case are told apart is open.
      if (one.value.toLowerCase() === other.value.toLowerCase()) continue;
      const shared = surelyBoth(one.events, other.events, all);
      if (shared.size === 0) continue;
      throw new Violation(
        {
          kind: 'other',
          wrong: 'matches one event by two values',
          parameter: filter,
          count: shared.size,
        },
        [one.download.answer, other.download.answer],
      );
    }
  }
}

/**
 * A value keeps all events that show it, in a column that other values have confirmed. A column may show one of several
 * values, a label for two codes, or a part: what it alone shows convicts only where values stand in it as they are.
 */
function judgeShown(
  filter: Filter,
  values: readonly KnownValue[],
  shown: KnownPlace,
  { base, columns }: Knowledge,
): void {
  if (!isConfirmed(shown)) return;
  const losing = values.filter(
    ({ value, events: kept }) => difference(shown.eventsShowing(value), kept).missing.length > 0,
  );
  const [first, ...others] = losing;
  if (first === undefined) return;
  const { value, download } = first;
  expectEvents(`${filter} with a known value`, shown.eventsShowing(value), download, columns, {
    shownIn: { value, all: base.download },
    ...(others.length > 0 && { why: () => ({ alike: others.length }) }),
  });
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
