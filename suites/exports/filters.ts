import {
  difference,
  intersection,
  isSame,
  isSubset,
  multiset,
  sum,
  surelyBoth,
} from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import { examples, type KnownPlace, type KnownValue } from '../../helpers/exports/filter-search.ts';
import type { Exchanged, KnownFilter } from '../../helpers/exports/filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, filters, isListFilter } from '../../helpers/exports/query.ts';
import { beginningAlike, sameNumbers } from '../../helpers/exports/shown-values.ts';
import { Inconclusive, other, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import { isUuidShaped, sameId } from '../../schemas/resources.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { pairsOf } from './covering-array.ts';
import { clauseByFilter, namedLists } from './filter-levels.ts';
import {
  events,
  expectEvents,
  expectNoOthers,
  expectServed,
  noValues,
  wholeOf,
} from './relations.ts';

/* Here the exports with the values that learning has found are judged; values that are like known ones are levels of arrays. */

function keepsSome({ table }: CsvDownload): boolean {
  return table !== undefined && table.rows.length > 0;
}

type Filtered = Awaited<ReturnType<typeof askFilter>>;

/** Judges what the known values of one filter keep, and asks for what that needs besides. */
function filterScenario(filter: Filter): AnyScenario {
  return scenario({
    name: `${filter} keeps the events that match, and only those`,
    act: (world) => askFilter(filter, world),
    judges: {
      [clauseByFilter[filter]]: (filtered: Filtered) => judgeFilter(filter, filtered),
      ...judgesBy(ofCsv, ({ knowledge, impossible, otherCase }: Filtered) => {
        const { values = [] } = knowledge.filters.known.get(filter) ?? {};
        // A service may refuse values that it does not know.
        const served = [impossible, otherCase].filter((one) => one?.answer.status === 200);
        return [...values.map(({ download }) => download), ...served].flatMap(
          (one) => one?.answer ?? [],
        );
      }),
    },
    observes: {
      'export.case-of-filter-values': ({ knowledge, otherCase }: Filtered) => {
        const [first] = knowledge.filters.known.get(filter)?.values ?? [];
        if (first === undefined || otherCase?.table === undefined) return [];
        const kept = eventsOf(otherCase.table, knowledge.columns.ignored);
        return [{ filter, caseCounts: !isSubset(first.events, kept) }];
      },
    },
  });
}

/** Asks for what the known values of a filter do not show yet. */
async function askFilter(filter: Filter, world: World) {
  const { exports } = world;
  const knowledge = await exports.knowledge();
  const ask = (...values: string[]) => exports.within({ filters: { [filter]: values } });
  const known = knowledge.filters.known.get(filter);
  const { values = [], shown, keptAll } = known ?? {};
  const value = values[0]?.value ?? '';
  const upper = value.toUpperCase();
  const changed = upper === value ? value.toLowerCase() : upper;
  // An id may be compared as a number.
  const isAnother = changed !== value && !isUuidShaped(value) && !shown?.values.includes(changed);
  // A value that no event has, where none is known that an event has.
  const impossible = values.length === 0 ? await ask(knowledge.filters.impossible) : undefined;
  const apart = valuesApart(filter, knowledge, world).map(async (list) => {
    const download = await ask(...list);
    const kept = download.table && eventsOf(download.table, knowledge.columns.ignored);
    return kept ? [{ value: list.join(' or '), events: kept, download }] : [];
  });
  // Values that keep no events of the window, and the same without a range.
  const empty = (known?.empty ?? []).map(async (inWindow) => {
    const { filters: only = {} } = inWindow.query;
    return { inWindow, anytime: await exports.anytime({ filters: only }) };
  });
  // All events for one value, and not for another: the first answer may be a cached one of another query.
  const mayBeCached = values.length > 0 || impossible?.table?.rows.length === 0;
  return {
    knowledge,
    impossible,
    again:
      mayBeCached && keptAll ? await exports.anytime(keptAll.query, { isAnew: true }) : undefined,
    otherCase: isAnother ? await ask(changed) : undefined,
    others: known?.others && (await ask(...(known.others.query.filters?.[filter] ?? []))),
    apart: (await Promise.all(apart)).flat(),
    empty: await Promise.all(empty),
    exchanged: known?.exchanged ?? (await exchangedList(filter, exports, knowledge)),
  };
}

/** Lists of values that no event can share: one that is shown beside a known one, “7” and “07”, texts that begin alike, or two halves of the users whom no known value names. */
function valuesApart(
  filter: Filter,
  { filters: { known }, encoding, original }: Knowledge,
  world: Pick<World, 'actors' | 'users'>,
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
      .map((some) => (encoding.forTwoValues.length > 0 ? some : some.slice(0, 1)))
      .filter((some) => some.length > 0);
  }
  const { shown, values = [] } = original.filters.known.get(filter) ?? {};
  if (shown === undefined) return [];
  const beside = values.map((one) => shownBeside(one, shown)).find((value) => value !== '');
  if (beside !== undefined) return [[beside]];
  // A text that only looks like a value does no harm here: it keeps no event.
  const pair = (isListFilter(filter) ? beginningAlike : sameNumbers)(shown.values);
  if (pair === undefined) return [];
  const [one, other] = pair;
  // Events that show both values may be kept by both.
  const both = intersection(shown.eventsShowing(one), shown.eventsShowing(other));
  return both.size > 0 ? [] : pair.map((value) => [value]);
}

/** Another value that an event shows where events show this one, although this one keeps it; empty where none does. */
function shownBeside({ value, events: kept }: KnownValue, shown: KnownPlace): string {
  if (!shown.isFaithful || intersection(shown.eventsShowing(value), kept).size === 0) return '';
  // A service may take letters with and without an accent, as those of both cases, for the same.
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const others = difference(shown.eventsShowing(value), kept).extra.map(shown.read);
  return others.find((other) => other && plain(other) !== plain(value)) ?? '';
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
  if (unmatched.some(({ table }) => table?.rows.length !== 0)) return undefined;
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

/** Each check rests on those before it. @throws Violation where the filter keeps what it must not, or loses what it must keep */
function judgeFilter(filter: Filter, filtered: Filtered): void {
  const { knowledge, impossible, again, apart, empty, exchanged, others } = filtered;
  const known = knowledge.filters.known.get(filter);
  const { values = [], unmatched, refused, keptAll } = known ?? {};
  if (refused !== undefined) expectServed(`${filter} with a value that it must know`, refused);
  if (known && exchanged) {
    const { other: of, kept, unmatched } = exchanged;
    const on = [...unmatched, kept].map(({ answer }) => answer);
    throw new Violation(other('takes for another parameter', { parameter: filter, of }), on);
  }
  if (others) expectNoOthers(filter, others, knowledge, 'within');
  if (again && keptAll) judgeAgain(filter, keptAll, again);
  for (const one of empty) expectNoneInWindow(filter, one, knowledge);
  if (known === undefined || (values.length === 0 && unmatched === undefined)) {
    const { answer } = impossible ?? {};
    if (answer !== undefined && answer.status !== 200) {
      throw new Inconclusive(`${answer.request} gave ${answer.status}.`, [answer]);
    }
    throw noValues(`a value of ${filter} that occurs in the window; none was found`, knowledge);
  }
  judgeLost(filter, known, knowledge);
  judgeTwoValues(filter, values, apart, knowledge);
}

/** @throws Violation where a filter that keeps no event of the window keeps some of them without a range */
function expectNoneInWindow(
  filter: Filter,
  { inWindow, anytime }: Filtered['empty'][number],
  knowledge: Knowledge,
): void {
  if (anytime.table === undefined) return;
  const { columns } = knowledge;
  const kept = intersection(events(anytime, columns), wholeOf(knowledge));
  expectEvents(`${filter} and a range`, kept, inWindow, columns, { on: [anytime.answer] });
}

/** @throws Violation where a value that kept all events keeps less than half of them now: so many do not go at once */
function judgeAgain(filter: Filter, keptAll: CsvDownload, again: CsvDownload): void {
  const [before = 0, now] = [keptAll, again].map(({ table }) => table?.rows.length);
  if (now === undefined || now * 2 > before) return;
  const of = { parameter: filter, expected: `${before}`, actual: `${now}` };
  const on = [again.answer, keptAll.answer];
  throw new Violation(other('matches fewer the second time', of), on);
}

/** A known value keeps all events that show it; a place convicts only where values stand in it as they are, and are confirmed. */
function judgeLost(
  filter: Filter,
  { values, shown, unmatched }: KnownFilter,
  { base, columns: { ignored } }: Knowledge,
): void {
  const lostOfKnown = values.map((known) => {
    const showing = shown?.isConfirmed ? shown.eventsShowing(known.value) : known.events;
    return { known, lost: difference(showing, known.events).missing };
  });
  const losing = values.length === 0 && unmatched ? [unmatched] : lostOfKnown;
  const [first, ...others] = losing.filter(({ lost }) => lost.length > 0);
  if (first === undefined) return;
  const { known, lost } = first;
  const expected = sum(known.events, multiset(lost, ignored));
  const comparison = {
    shown: known.value,
    on: [base.download.answer],
    ...(others.length > 0 && { why: () => ({ alike: others.length }) }),
  };
  const what = `${filter} with a known value`;
  expectEvents(what, expected, known.download, { ignored }, comparison);
}

/**
 * An event has one type, subtype, source and user. Of its tags a place shows one: these values may share some events.
 * @param apart lists of values that no event can share (`valuesApart`)
 * @throws Violation where two values surely keep one event
 */
function judgeTwoValues(
  filter: Filter,
  values: readonly KnownValue[],
  apart: readonly KnownValue[],
  knowledge: Knowledge,
): void {
  const whole = wholeOf(knowledge);
  const sharing = pairsOf(isListFilter(filter) ? [...values, ...apart] : apart)
    // Whether upper and lower case are told apart is open.
    .filter(([one, two]) => one.value.toLowerCase() !== two.value.toLowerCase())
    .map(([one, two]) => ({ one, two, count: surelyBoth(one.events, two.events, whole).size }));
  const alike = apart.flatMap((one) =>
    values
      .filter((two) => two.value !== one.value && isSame(two.events, one.events))
      .map((two) => ({ one, two, count: two.events.size })),
  );
  const found = [...sharing, ...alike].find(({ count }) => count > 0);
  if (found === undefined) return;
  const { one, two, count } = found;
  const on = [one.download.answer, two.download.answer];
  throw new Violation(other('matches one event by two values', { parameter: filter, count }), on);
}

export const filterScenarios = filters.map(filterScenario);
