import {
  entriesIn,
  intersection,
  isSame,
  isSubset,
  type Multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import { areLostBy } from '../../helpers/exports/filter-search.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { isNear } from '../../helpers/exports/meeting-values.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import { countsOf, groupBy } from '../../helpers/maps.ts';
import { ChangedMeanwhile, Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference, Wrong } from '../../schemas/difference.ts';
import { listFilters } from '../../schemas/operations.ts';
import type { Combination } from './covering-array.ts';
import { clauseByFilter } from './filter-levels.ts';
import {
  asPdf,
  isFilter,
  isForm,
  isNotation,
  isOfList,
  type Level,
  withEachValueOnce,
} from './levels.ts';
import { type Asked, ask, isAlike, type Model, reduced, requestPhrase } from './prediction.ts';
import { events, wholeOf } from './relations.ts';
import { levelsOf, type Topic } from './topics.ts';

/* Where an answer is not what the model predicts, its request is reduced to the levels that still show the difference: they name the clause. */

/** A clause, and the levels of a reduced request by which a difference is blamed on it. */
interface Blame {
  readonly clause: JudgedClause;
  /** Left out where the difference can show in any request: one without it does not show then that the clause is kept. */
  readonly is?: (levels: Combination) => boolean;
  /** The kinds of difference that are blamed on it; left out, all kinds. */
  readonly of?: readonly (Difference['kind'] | Wrong)[];
}

const has =
  (factor: Level['factor'], name?: string) =>
  (levels: Combination): boolean =>
    levels.some((one) => one.factor === factor && (name === undefined || one.name === name));
const filtersIn = (levels: Combination) => levels.filter(isFilter);

/** The first row that fits a wrong request names its clause. Each row that fits a right one shows its clause kept. */
export const blames: readonly Blame[] = [
  { clause: 'export.pdf-opens', is: has('file_type', 'pdf'), of: ['is no PDF that opens'] },
  { clause: 'export.locale-defaults-to-en', of: ['writes as in an earlier locale'] },
  {
    clause: 'export.timezone-formats-the-dates',
    of: ['writes as in the timezone of another request'],
  },
  { clause: 'export.timezone-keeps-the-events', is: has('timezone'), of: ['events'] },
  { clause: 'export.timezone-formats-the-dates', is: has('timezone') },
  { clause: 'export.locale-defaults-to-en', is: has('locale', 'en') },
  { clause: 'export.locale-keeps-the-events', is: has('locale') },
  { clause: 'export.pdf-holds-the-events-of-the-csv', is: has('file_type', 'pdf') },
  { clause: 'export.file-type-defaults-to-csv', is: has('file_type', 'csv') },
  {
    clause: 'export.lists-are-any-of',
    is: (levels) => has('writing', 'a value twice')(levels) && filtersIn(levels).length === 1,
  },
  { clause: 'export.range-bounds-are-independent', is: has('range', 'none') },
  {
    clause: 'export.range-combines-with-filters',
    is: (levels) => has('range')(levels) && filtersIn(levels).length > 0,
  },
  {
    clause: 'export.metadata-keys-combine',
    is: (levels) => filtersIn(levels).length > 1 && !levels.some(isOfList),
  },
  { clause: 'export.filters-combine', is: (levels) => filtersIn(levels).length > 1 },
  // A wrong request has been told by its other parameters then; a right one shows the notation read.
  { clause: 'export.range-bounds-are-instants', is: (levels) => levels.some(isNotation) },
];

/** The clause of the one level that selects events; undefined where several do, or it has none of its own. */
export function clauseOfOne(levels: Combination): JudgedClause | undefined {
  const [one, ...others] = levels.filter((level) => !isForm(level));
  return others.length === 0 ? one?.clause : undefined;
}

export type AskedOf = Asked & { readonly topic: Topic };
type Blamed = AskedOf & { readonly wrong: Violation };
export type Cause = Blamed & { readonly clause: JudgedClause };

/** What is wrong with the requests of a scenario. */
export interface Found {
  /** Wrong requests, each reduced to the fewest levels that show the difference, and the clauses that they violate. */
  readonly wrong: readonly Cause[];
  /** Requests that differ without convicting, and the clause that each leaves in doubt. */
  readonly doubts: readonly {
    readonly clause: JudgedClause;
    readonly why: Inconclusive | NotJudged;
  }[];
  /** The requests that all this was found by: enough for a second look. */
  readonly stoodOut: readonly AskedOf[];
}

export const repeatable: JudgedClause = 'export.is-repeatable';
/** How many causes at most are looked for in one array: others show once these are mended. */
const maxCauses = 4;
/** How many wrong requests more are reduced where some turn out to be no certain cause. */
const maxUncertain = 2;

/** Reduces wrong requests to their causes, each looked for once, topic by topic. @param judged the clauses of the scenario */
export async function blamed(
  asked: readonly AskedOf[],
  judged: readonly JudgedClause[],
  model: Model,
  { othersAreDone }: World,
): Promise<Found> {
  const differing = asked.filter((one): one is Blamed => one.wrong !== undefined);
  const standing = await model.exports.standing(differing.map(({ wrong }) => wrong));
  const wrong = differing.filter((one) => standing.includes(one.wrong));
  const moving = differing.filter((one) => !wrong.includes(one));
  const causes: Cause[] = [];
  const uncertain: Cause[] = [];
  /** By clause, a request whose cause is not looked for: one is enough to say nothing of the clause. */
  const leftOut = new Map<JudgedClause, Blamed>();
  // That a server error lasts shows only where the same request fails again.
  const failed = wrong.filter(isOfStatus);
  const stoodOut = [
    ...failed.slice(0, 1),
    ...asked.filter(({ undecided, undecidedDates }) => undecided ?? undecidedDates),
  ];
  for (const [topic, ofTopic] of groupBy(wrong, (one) => one.topic)) {
    const max = causes.length + (topic.max === undefined ? ofTopic.length : maxCauses);
    const doubtful = uncertain.length;
    for (const one of ofTopic.sort(byCertainty)) {
      const isHeld = ({ levels, topic: where, wrong }: Cause): boolean => {
        const alike = isAlike(wrong, one.wrong);
        if (holdsCause(one.levels, levels)) return where === topic || alike;
        // What is wrong with a PDF breaks one clause, whichever values it is asked for by.
        const factors = one.levels.map(({ factor }) => factor);
        return (
          alike && levels.includes(asPdf) && levels.every((own) => factors.includes(own.factor))
        );
      };
      if ([...causes, ...uncertain].some(isHeld)) continue;
      const isFull = causes.length + uncertain.length - doubtful === max + maxUncertain;
      if (causes.length === max || isFull) {
        const clause = clauseOf(one) ?? repeatable;
        if (!causes.some((cause) => cause.clause === clause)) leftOut.set(clause, one);
        continue;
      }
      if (!stoodOut.includes(one)) stoodOut.push(one);
      const { cause, isSure } = await causeOf(one, model);
      (isSure && judged.includes(cause.clause) ? causes : uncertain).push(cause);
    }
  }
  const [first = repeatable] = judged;
  const isOfShown = ({ levels }: Cause): boolean => levels.some(({ shown }) => shown !== undefined);
  const doubt = (clause: JudgedClause, why: Inconclusive | NotJudged) => ({
    clause: judged.includes(clause) ? clause : first,
    why,
  });
  const doubts = [
    ...uncertain.flatMap((one) => (isOfShown(one) ? [] : doubt(one.clause, doubtOf(one)))),
    ...Array.from(leftOut, ([clause, { levels }]) => doubt(clause, tooMany(levels))),
    ...moving.map((one) => doubt(clauseOf(one) ?? repeatable, notStill(one))),
  ];
  if (causes.some(isOfEvents)) await othersAreDone();
  const found: Cause[] = [];
  for (const one of causes) {
    const when = 'only while others are asked for';
    found.push((isOfEvents(one) && (await rightOnceMore(one, when, model))) || one);
  }
  const all = new Set([...stoodOut, ...leftOut.values(), ...moving]);
  return { wrong: found, doubts, stoodOut: [...all] };
}

/** What a filter alone, or a list, breaks: a file that is kept for its next value is found by others that are asked for. */
const ofOneFilter: readonly JudgedClause[] = [
  ...Object.values(clauseByFilter),
  'export.lists-are-any-of',
  repeatable,
];

/** Whether it holds other events for what it asks for together, and not by what came right before it. */
const isOfEvents = ({ after, clause, wrong: { difference } }: Cause): boolean =>
  after === undefined && !ofOneFilter.includes(clause) && difference.kind === 'events';

/** Whether it is answered with another status, which does not hang on which events there are. */
const isOfStatus = ({ wrong: { difference } }: Blamed): boolean => difference.kind === 'status';

const byCertainty = (one: Blamed, other: Blamed): number =>
  Number(isOfStatus(other)) - Number(isOfStatus(one)) || one.levels.length - other.levels.length;

/** Reduces a wrong request to its cause. @returns the cause, and whether it convicts */
async function causeOf(one: Blamed, model: Model): Promise<{ cause: Cause; isSure: boolean }> {
  const { topic, wrong } = one;
  if (one.after !== undefined) {
    const isOfForm = wrong.difference.kind !== 'events' && !isOfStatus(one);
    return { cause: { ...one, clause: (isOfForm && clauseOf(one)) || repeatable }, isSure: true };
  }
  const { learned, levelNow } = await levelsOf({ sets: ['the sample'] }, model);
  const [sample] = one.levels.includes(asPdf) ? learned.map(levelNow) : [];
  const least: Blamed = { ...(await reduced(one, model, sample)), topic };
  const parameters = one.levels.filter(({ factor }) => factor !== 'writing');
  const isIrreducible = least.levels === one.levels && parameters.length > 1;
  const isOfPdf = wrong.difference.kind === 'events' && wrong.difference.fileType === 'pdf';
  if (isIrreducible && !isOfPdf) {
    const cause = await rightOnceMore(one, 'only when asked for the first time', model);
    if (cause !== undefined) return { cause, isSure: true };
  }
  // Where only a form remains that no clause is about, as the order, the whole request names the clause, if it can.
  const clause = clauseOf(least) ?? clauseOfBound(least) ?? clauseOf(one) ?? repeatable;
  const cause = { ...least, wrong: await lasting(least, model), clause };
  return { cause, isSure: await isCertain(least, model) };
}

/** The violation; of a server error that comes again when the request is sent anew, of all requests that are like it. */
async function lasting({ levels, wrong }: Blamed, model: Model): Promise<Violation> {
  const { difference } = wrong;
  if (difference.kind !== 'status' || difference.actual < 500) return wrong;
  const again = await ask(levels, { ...model, isAnew: true });
  if (again.wrong?.difference.kind !== 'status') return wrong;
  return Object.assign(wrong, { difference: { ...difference, isGeneral: true } });
}

/**
 * The cause where an export is right when it is asked for again: another request, no parameter of this one, is to blame.
 * @param when it differs, as a phrase
 */
async function rightOnceMore(one: Blamed, when: string, model: Model): Promise<Cause | undefined> {
  const { levels, wrong, answer } = one;
  const { difference } = wrong;
  if (difference.kind !== 'events') return undefined;
  const again = await ask(levels, { ...model, isAnew: true });
  if (again.wrong !== undefined || again.undecided !== undefined) return undefined;
  const said = { ...difference, when: `${requestPhrase(levels)}, ${when}` };
  return { ...one, wrong: new Violation(said, [answer, again.answer]), clause: repeatable };
}

/** Why nothing is said of a request that differs: events changed that it may differ by. */
function notStill({ levels, answer }: Blamed): Inconclusive {
  const one = `an export with ${requestPhrase(levels)}`;
  return new ChangedMeanwhile(`Events changed while they were judged by ${one}.`, [answer]);
}

function tooMany(levels: Combination): NotJudged {
  const one = `an export with ${requestPhrase(levels)}`;
  return new NotJudged(`More requests differ than are looked into; ${one} is one of them.`);
}

/** Why nothing is said of a request that differs: another scenario judges it, or it rests on what rows show. */
function doubtOf({ levels, clause, answer }: Cause): Inconclusive {
  const why = `An export with ${requestPhrase(levels)} is not the one predicted, which may have another reason than ${clause}.`;
  return new Inconclusive(why, [answer]);
}

function clauseOf({ levels, wrong: { difference } }: Blamed): JudgedClause | undefined {
  const kind = difference.kind === 'other' ? difference.wrong : difference.kind;
  const fits = ({ is, of = [kind] }: Blame) => is?.(levels) !== false && of.includes(kind);
  return blames.find(fits)?.clause ?? clauseOfOne(levels);
}

/** The clause of the bound that was not heeded, where nothing but the form of the request was needed. */
function clauseOfBound({ wrong: { difference } }: Blamed): JudgedClause | undefined {
  const { beyond } = difference.kind === 'events' ? difference : {};
  return beyond && `export.range-${beyond === 'range_end' ? 'end' : 'start'}-includes-its-instant`;
}

function holdsCause(levels: Combination, cause: Combination): boolean {
  return cause.every(({ factor, name }) => has(factor, name)(levels));
}

/** Whether two requests have the same levels, perhaps of what was learned at different times; a value twice does not count. */
export function isSameRequest(one: Combination, other: Combination): boolean {
  const [own, others] = [withEachValueOnce(one), withEachValueOnce(other)];
  return own.length === others.length && holdsCause(own, others);
}

const separators = /[,;|+%&#\s]/;

/** How many texts that hold a value among others are asked for as values, and how long they are at most, in characters. */
const maxWholes = { texts: 3, length: 200 };

/** What stands between the values of a cell, if it shows several. */
const marksBetween = ['; ', ', ', ' | ', ';', ',', '|', '\n'];

/** The texts that hold a value among others, cells and what marks divide them into: first those it is a part of, and of most cells. */
function wholesOf(value: string, cells: readonly string[]): string[] {
  const piecesOf = (cell: string): Set<string> => {
    const pieces = [cell, ...marksBetween.flatMap((mark) => cell.split(mark))];
    return new Set(pieces.map((one) => one.trim()));
  };
  const isWhole = (text: string): boolean =>
    text !== value && text.includes(value) && text.length <= maxWholes.length;
  const holding = cells.filter((cell) => cell.includes(value));
  const times = countsOf(holding.flatMap((cell) => [...piecesOf(cell)].filter(isWhole)));
  const texts = [...times].sort((a, b) => b[1] - a[1]).map(([text]) => text);
  const isPart = (text: string): boolean =>
    text.split(/[;|,\n]/).some((one) => one.trim() === value);
  return [...new Set([...texts.filter(isPart), ...texts])];
}

/**
 * Whether a cause convicts. Rows may show several values as one, one value as several, or a label for a value: so a value that
 * only rows show convicts only where it keeps all events there are; or where no part of it (“a” of “a,b”), nor a text that it
 * is a part of, keeps an event that it loses, and where it loses all that show it, or some that have something in common;
 * or where it keeps what shows it and all that show a value it may be taken for, as another one that begins alike.
 * What was learned of a level by itself convicts it only beside others, and only while its own export still holds it; but no
 * filter makes one event two.
 */
async function isCertain({ levels }: Blamed, model: Model): Promise<boolean> {
  const [only, ...others] = levels;
  if (only === undefined || others.length > 0) return await areAsLearned(levels, model);
  if (isFilter(only) && (await holdsTwice(only, model))) return true;
  if (only.shown === undefined)
    return only.isLearned !== true && (await areAsLearned(levels, model));
  const { factor, shown, keeps } = only;
  const { base, columns } = model.knowledge;
  const parts = shown.split(separators).filter((part) => part !== '' && part !== shown);
  const rowsOf = (set: Multiset) => [...entriesIn(set).values()].map(({ row }) => row);
  const cells = keeps ? rowsOf(keeps.least).flat() : [];
  const wholes = wholesOf(shown, cells).slice(0, maxWholes.texts);
  const values = [shown, ...parts, ...wholes];
  const [own, ...instead] = await keptBy([factor as Filter], values, model);
  if (own === undefined || keeps === undefined) return false;
  if (await isOfAnotherList(only, model)) return false;
  if (isSame(own, wholeOf(model.knowledge))) return true;
  if (isOfAnotherToo(own, only, model.knowledge)) return true;
  const lost = without(keeps.least, own);
  const kept = without(keeps.least, lost);
  const isLost =
    kept.size === 0 ||
    (isSubset(own, keeps.most) &&
      areLostBy(rowsOf(lost), rowsOf(kept), { base: base.table, columns }));
  return isLost && instead.every((other) => other && intersection(other, lost).size === 0);
}

/** Whether an export with one filter holds an event more often than that without it. */
async function holdsTwice({ query }: Level, { exports, knowledge }: Model): Promise<boolean> {
  const { table } = await exports.within(query);
  if (table === undefined) return false;
  const whole = wholeOf(knowledge);
  const more = without(eventsOf(table, knowledge.columns.ignored), whole);
  return intersection(more, whole).size > 0;
}

/**
 * Whether a value keeps what rows show it in, and all that they show another one in for which it may be taken. Not one that it
 * is the beginning of, as it may mean all of these, unless another value is told from those that it is the beginning of; or
 * one that differs in case or accents: whether these count is open.
 */
function isOfAnotherToo(own: Multiset, { factor, shown = '' }: Level, { filters }: Knowledge) {
  const { shown: place, values = [], further = [] } = filters.known.get(factor as Filter) ?? {};
  if (place === undefined) return false;
  const areTold = [...values, ...further].some(({ value, events }) =>
    place.values.some(
      (other) =>
        other !== value &&
        other.startsWith(value) &&
        intersection(events, place.eventsShowing(other)).size === 0,
    ),
  );
  const isOpen = (other: string): boolean =>
    (!areTold && other.startsWith(shown)) || sameBase.compare(other, shown) === 0;
  const events = place.eventsShowing(shown);
  return place.values.filter(isNear(shown)).some((other) => {
    const others = place.eventsShowing(other);
    return !isOpen(other) && others.size > 1 && isSame(own, sum(events, others));
  });
}

/** Whether another list keeps just what rows show the value in: a cell may show values of both, as [“task”,“assigned”]. */
async function isOfAnotherList(level: Level, model: Model): Promise<boolean> {
  if (!isOfList(level)) return false;
  const { factor, shown = '', keeps } = level;
  const others = listFilters.filter((one) => one !== factor);
  const kept = await keptBy(others, [shown], model);
  return kept.some((events) => keeps && events && isSame(events, keeps.least));
}

/** The events of the window that each of these filters keeps by each of these values; undefined where its export is no table. */
async function keptBy(
  filters: readonly Filter[],
  values: readonly string[],
  { exports, knowledge }: Model,
) {
  const asked = filters.flatMap((filter) =>
    values.map((value) => exports.within({ filters: { [filter]: [value] } })),
  );
  const downloads = await Promise.all(asked);
  return downloads.map(({ table }) => table && eventsOf(table, knowledge.columns.ignored));
}

const sameBase = new Intl.Collator('en', { sensitivity: 'base' });

/** Whether exports that a prediction rests on hold what they held: events may match other values by now that rows do not show. */
async function areAsLearned(levels: Combination, { exports, knowledge }: Model): Promise<boolean> {
  const { filters, columns } = knowledge;
  const isHidden = (level: Level): boolean =>
    isFilter(level) && filters.known.get(level.factor)?.shown === undefined;
  const from = [...new Set(levels.filter(isHidden).flatMap((level) => level.from))];
  const again = await Promise.all(
    from.map(({ query }) => exports.anytime(query, { isAnew: true })),
  );
  return from.every((one, index) => {
    const now = again[index];
    return now !== undefined && isSame(events(one, columns), events(now, columns));
  });
}
