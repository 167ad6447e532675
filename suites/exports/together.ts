import { isDeepStrictEqual } from 'node:util';
import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { Inconclusive, NotConfigured, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, type Scenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference, Wrong } from '../../schemas/difference.ts';
import {
  type ListEncoding,
  type ListFilter,
  listFilters,
  pdfEventLimit,
} from '../../schemas/operations.ts';
import { answers200, judgeBy, judgesBy, narrowedPdf, ofCsv, ofExport } from '../answers.ts';
import { type Combination, coveringArray, type Wanted } from './covering-array.ts';
import {
  clauseByFilter,
  exampleLevel,
  levelsOfFilters,
  levelsOfUnknownValues,
  manyEvents,
  wholeListLevel,
} from './filter-levels.ts';
import {
  asPdf,
  isFilter,
  type Level,
  otherForms,
  reversed,
  sameForms,
  translatedSample,
} from './levels.ts';
import { asBothFiles } from './pdf-events.ts';
import {
  type Asked,
  ask,
  enoughToCompare,
  isRefusedAsMayBe,
  type Model,
  reduced,
  requestPhrase,
} from './prediction.ts';
import { levelsOfRanges, withoutRange } from './range-levels.ts';
import { noValues, wholeOf } from './relations.ts';

/*
 * Several parameters in one request: for each topic an array of requests holds the pairs of levels that it is about.
 * Where an answer is not what the model predicts, the request is reduced to the levels that still show the difference,
 * and these say which clause is violated.
 */

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
/** Whether none of the filters is a list; true without filters. */
const hasNoList = (levels: Combination): boolean =>
  filtersIn(levels).every(({ factor }) => !isListFilter(factor));

/** The first row that fits a wrong request names its clause. Each row that fits a right one shows its clause kept. */
const blames: readonly Blame[] = [
  { clause: 'export.pdf-opens', is: has('file_type', 'pdf'), of: ['is no PDF that opens'] },
  { clause: 'export.pdf-holds-the-events-of-the-csv', is: has('file_type', 'pdf') },
  {
    clause: 'export.locale-defaults-to-en',
    of: ['writes as in an earlier locale'],
  },
  {
    clause: 'export.timezone-formats-the-dates',
    of: ['writes as in the timezone of another request'],
  },
  { clause: 'export.timezone-keeps-the-events', is: has('timezone'), of: ['events'] },
  { clause: 'export.timezone-formats-the-dates', is: has('timezone') },
  { clause: 'export.locale-defaults-to-en', is: has('locale', 'en') },
  { clause: 'export.locale-keeps-the-events', is: has('locale') },
  { clause: 'export.file-type-defaults-to-csv', is: has('file_type', 'csv') },
  {
    clause: 'export.range-combines-with-filters',
    is: (levels) => has('range')(levels) && filtersIn(levels).length > 0,
  },
  {
    clause: 'export.metadata-keys-combine',
    is: (levels) => filtersIn(levels).length > 1 && hasNoList(levels),
  },
  { clause: 'export.filters-combine', is: (levels) => filtersIn(levels).length > 1 },
];

/** The clause of the one level that selects events; undefined where several do, or it has none of its own. */
function clauseOfOne(levels: Combination): JudgedClause | undefined {
  const [one, ...others] = levels.filter((level) => !isForm(level));
  return others.length === 0 ? one?.clause : undefined;
}

interface Together {
  readonly knowledge: Knowledge;
  readonly asked: readonly Asked[];
  /** Wrong requests, each reduced to the fewest levels that show the difference, and the clauses that they violate. */
  readonly wrong: readonly Cause[];
  /** Set where a request differs, and not by a clause of the topic: the first of its clauses is left in doubt. */
  readonly doubt:
    | { readonly clause: JudgedClause | undefined; readonly why: Inconclusive }
    | undefined;
}

type Blamed = Asked & { readonly wrong: Violation };
type Cause = Blamed & { readonly clause: JudgedClause };

/** A topic: which levels meet, and in how many requests. */
interface Topic extends Wanted {
  readonly name: string;
  /** The clauses that cannot be judged without values of filters, and why they are not where these are missing. */
  readonly needsValues?: {
    readonly clauses: readonly JudgedClause[];
    readonly missing: (known: Knowledge) => Error;
  };
  /** Further clauses that the topic judges, where a request is about them. */
  readonly alsoJudges: readonly JudgedClause[];
  /** The levels of filters. */
  readonly values?: (known: Knowledge) => readonly Level[];
  /** The other levels. */
  readonly others?: readonly (keyof typeof setsOfLevels)[];
  /** Whether requests are sent again with another range: it shows a service that caches answers of other ranges. */
  readonly hasEchoes?: true;
  /** Whether right answers hold no events, which does not show that a clause is kept. */
  readonly isRightlyEmpty?: true;
  /** Levels that are added to every request. */
  readonly always?: readonly Level[];
}

/** The levels of all filters that are wanted. */
const filtersThat =
  (isWanted: (level: Level) => boolean) =>
  (known: Knowledge): readonly Level[] =>
    levelsOfFilters(known).filter(isWanted);

/** The levels that are no filters: ranges, forms that change how events are written, and what changes nothing. */
const setsOfLevels = {
  ranges: levelsOfRanges,
  /** Ranges of one bound at an event: PDFs are few, and the others show no more in them. */
  bounds: async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).filter(({ name }) => boundsAtEvents.includes(name)),
  'no range': async (_: Exports, known: Knowledge) => [withoutRange(known)],
  forms: async (exports: Exports, known: Knowledge) =>
    otherForms((await translatedSample(exports, known))?.query.locale, known),
  defaults: async () => sameForms,
} as const;

const boundsAtEvents = ['from an event on', 'up to an event', 'the instant of an event'];

const isAsked = ({ shown }: Level): boolean => shown === undefined;
const isRange = ({ factor }: Level): boolean => factor === 'range';
const isOfList = (level: Level): boolean => isFilter(level) && isListFilter(level.factor);
const isMetadataKey = (level: Level): boolean => isFilter(level) && !isListFilter(level.factor);
const areMetadataKeys = (one: Level, other: Level): boolean =>
  isMetadataKey(one) && isMetadataKey(other);
const isNotation = ({ notation }: Level): boolean => notation !== undefined;
const isForm = (level: Level): boolean => !isFilter(level) && !isRange(level);

const clausesOfForms: readonly JudgedClause[] = [
  'export.timezone-keeps-the-events',
  'export.timezone-formats-the-dates',
  'export.locale-defaults-to-en',
  'export.locale-keeps-the-events',
  'export.file-type-defaults-to-csv',
];

/** Clauses that requests compared row by row can violate: about defaults, and the timezone of another request. */
const clausesOfDefaults: readonly JudgedClause[] = [
  'export.timezone-formats-the-dates',
  'export.file-type-defaults-to-csv',
  'export.locale-defaults-to-en',
];

/** Clauses that a range can violate where the order of parameters, or a request before it, matters. */
const clausesOfRanges: readonly JudgedClause[] = [
  'export.range-start-includes-its-instant',
  'export.range-end-includes-its-instant',
  'export.range-start-equal-to-end',
];

/** Filters that keep fewer events may, beside other parameters, leave too few to compare a PDF with its CSV. */
const fewEvents = 100;

const topics: readonly Topic[] = [
  {
    name: 'a value that no event has keeps no event, however much it is like one that events have',
    alsoJudges: Object.values(clauseByFilter),
    values: levelsOfUnknownValues,
    isRightlyEmpty: true,
  },
  ...listFilters.map(
    (filter): Topic => ({
      name: `several values of ${filter} keep the events of any of them`,
      needsValues: {
        clauses: ['export.lists-are-any-of'],
        missing: (known) => whyNoList(filter, known),
      },
      alsoJudges: [],
      values: (known) => (isListRead(known) ? wholeListLevel(filter, known) : []),
    }),
  ),
  {
    name: 'several filters in one request keep the events that match all of them',
    needsValues: {
      clauses: ['export.filters-combine', 'export.metadata-keys-combine'],
      missing: (known) =>
        noValues('values of two filters that occur together in the window', known),
    },
    alsoJudges: [...Object.values(clauseByFilter), ...clausesOfDefaults],
    values(known) {
      const all = levelsOfFilters(known);
      return all.length > 0 ? all : [exampleLevel];
    },
    others: ['defaults'],
    isPair: (one, other) =>
      isForm(one) !== isForm(other) || (isFilter(one) && isAsked(one) && isAsked(other)),
    isSingle: ({ shown }) => shown !== undefined,
    max: 16,
    nested: { isPair: areMetadataKeys, max: 3 },
  },
  {
    name: 'filters that keep many events keep all of them',
    alsoJudges: [
      ...Object.values(clauseByFilter),
      'export.filters-combine',
      'export.metadata-keys-combine',
    ],
    values: levelsOfFilters,
    isSingle: () => true,
    max: 4,
    size: { min: manyEvents },
  },
  {
    name: 'a range and filters in one request keep the events that match both',
    needsValues: {
      clauses: ['export.range-combines-with-filters'],
      missing: (known) => noValues('a value of any filter that occurs in the window', known),
    },
    alsoJudges: [...clausesOfDefaults, ...clausesOfRanges],
    values: levelsOfFilters,
    others: ['ranges', 'defaults'],
    isPair: (one, other) => isRange(one) !== isRange(other),
    isSingle: isFilter,
    needs: 'range',
    max: 22,
    hasEchoes: true,
  },
  {
    name: 'parameters that have no event in common keep none together',
    alsoJudges: [
      'export.filters-combine',
      'export.metadata-keys-combine',
      'export.range-combines-with-filters',
      ...clausesOfForms,
    ],
    values: filtersThat(isAsked),
    others: ['forms', 'ranges'],
    isPair: (one, other) => isForm(one) !== isForm(other),
    isSingle: (level) => isForm(level) || isNotation(level),
    max: 8,
    areApart: true,
    isRightlyEmpty: true,
  },
  {
    name: 'filters and ranges in other forms of a request keep the same events',
    alsoJudges: clausesOfForms,
    values: levelsOfFilters,
    others: ['forms', 'ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    max: 14,
  },
  {
    name: 'a large export in other forms holds the same events',
    alsoJudges: [...clausesOfForms, 'export.range-bounds-are-instants'],
    others: ['forms', 'ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    isSingle: isNotation,
    max: 6,
    size: { min: manyEvents },
  },
  {
    name: 'PDFs of filters and ranges hold the events of their CSVs',
    needsValues: {
      clauses: ['export.pdf-holds-the-events-of-the-csv'],
      missing: (known) => noValues('values of filters that occur in the window', known),
    },
    alsoJudges: ['export.pdf-opens'],
    values: filtersThat(isAsked),
    others: ['bounds', 'no range'],
    isPair: (one, other) => isTwoLists(one, other) || isRange(one) !== isRange(other),
    isSingle: (level) => isFilter(level) || level.isAnytime === true,
    needs: 'range',
    max: 12,
    size: { min: enoughToCompare, max: 400 },
    always: [asPdf],
  },
  {
    name: 'PDFs of filters that keep few events are exported',
    alsoJudges: ['export.pdf-opens'],
    values: filtersThat((level) => isAsked(level) && (level.keeps?.most.size ?? 0) < fewEvents),
    isSingle: () => true,
    max: 4,
    always: [asPdf],
  },
  {
    name: 'a PDF of many events that a filter keeps holds the events of its CSV',
    alsoJudges: ['export.pdf-holds-the-events-of-the-csv', 'export.pdf-opens'],
    values: filtersThat(isAsked),
    isSingle: () => true,
    max: 1,
    size: { min: manyEvents, max: 3000 },
    always: [asPdf],
  },
];

/** Encodings that are written for lists alone, as event_type[]=a. */
const onlyForLists: readonly ListEncoding[] = ['brackets', 'indices', 'json'];

/**
 * Whether it is certain how the target takes lists: an encoding works, is configured, or is one that only lists have and
 * is honoured for a single value. Else the target may want an encoding unknown to us.
 */
function isListRead({ encoding: { forOneValue, forTwoValues, isGiven } }: Knowledge): boolean {
  return (
    forTwoValues.length > 0 || isGiven || forOneValue.some((one) => onlyForLists.includes(one))
  );
}

function whyNoList(filter: ListFilter, known: Knowledge): Error {
  const { encoding, filters, base } = known;
  const { values = [] } = filters.known.get(filter) ?? {};
  if (values.length < 2 || isListRead(known)) {
    const { count } = base.table;
    return noValues(`two values of ${filter} that occur in the window (${count} events)`, known);
  }
  const sent =
    encoding.forOneValue.length === 0
      ? 'no encoding that was tried is honoured, not even for one value'
      : `sent as ${encoding.forOneValue.join(', ')}, all of which are honoured for one value, never those of all values`;
  const what = `the way in which the target takes several values of ${filter} (${sent})`;
  return new NotConfigured('ARRAY_ENCODING', what);
}

const isTwoLists = (one: Level, other: Level): boolean => isOfList(one) && isOfList(other);

/** The scenario of a topic: sends its array of requests, and judges the clauses of whatever is wrong. */
function topicScenario(topic: Topic): AnyScenario {
  const { needsValues } = topic;
  const ofAnswers = answerJudges(topic);
  const judgesOfValues = (needsValues?.clauses ?? []).map((clause) => [
    clause,
    judging(clause, ({ knowledge }) => needsValues?.missing(knowledge) ?? new NothingSeen()),
  ]);
  const otherJudges = [...topic.alsoJudges, repeatable].map((clause) => {
    // Replaces the judge in `ofAnswers`, if there is one, and so calls it.
    const afterwards = topic.isRightlyEmpty ? nothingSeen : ofAnswers[clause];
    return [clause, judging(clause, () => new NothingSeen(), afterwards)];
  });
  return scenario({
    name: topic.name,
    act: (world) => askTopic(topic, world),
    judges: { ...ofAnswers, ...Object.fromEntries([...judgesOfValues, ...otherJudges]) },
  });
}

const repeatable: JudgedClause = 'export.is-repeatable';

/** The judges of each answer by itself. */
function answerJudges(topic: Topic): NonNullable<Scenario<Together>['judges']> {
  const answersOf = ({ asked }: Together) =>
    asked.flatMap(({ levels, answer }) => (isRefusedAsMayBe(levels, answer) ? [] : [answer]));
  const isPdf = isOfPdfs(topic);
  return {
    ...judgesBy(isPdf ? ofExport : ofCsv, answersOf),
    'export.answers-200': (evidence) => {
      const isNarrowed = isPdf && evidence.knowledge.base.table.count > pdfEventLimit;
      judgeBy(answers200(isNarrowed ? narrowedPdf : undefined), answersOf(evidence));
    },
  };
}

/** Chooses the requests of a topic, sends them, and reduces those that are wrong. */
async function askTopic(topic: Topic, { exports, notePairs }: World): Promise<Together> {
  const knowledge = await exports.knowledge();
  // Requests are chosen by the levels as learned, so that a further run sends the same, and predicted by those of now.
  const { asLearned } = knowledge;
  const values = topic.values?.(knowledge) ?? [];
  const sets = (topic.others ?? []).map((set) => setsOfLevels[set](exports, knowledge));
  const others = (await Promise.all(sets)).flat();
  const learned = [...(asLearned ? (topic.values?.(asLearned) ?? []) : values), ...others];
  const { combinations, pairs } = coveringArray(learned, wholeOf(asLearned ?? knowledge), topic);
  const levelNow = (level: Level): Level =>
    values.find(({ query }) => isDeepStrictEqual(query, level.query)) ?? level;
  notePairs(pairs);
  const model = await modelOf(topic, exports, knowledge);
  const asked = await Promise.all(
    combinations.map((levels, index) => {
      const all = [...levels.map(levelNow), ...(topic.always ?? [])];
      // Every second request has its parameters in the other order: that costs nothing, and must not matter.
      const isOther = levels.length > 1 && index % 2 === 1;
      return ask(isOther ? inOtherOrder(all) : all, model);
    }),
  );
  if (topic.hasEchoes) asked.push(...(await echoesOf(asked, others, model)));
  return { knowledge, asked, ...(await blamed(asked, topic, model)) };
}

async function modelOf(topic: Topic, exports: Exports, knowledge: Knowledge): Promise<Model> {
  const model = { exports, knowledge };
  if (isOfPdfs(topic)) {
    return { ...model, plain: await asBothFiles(exports, knowledge.window.sample) };
  }
  if (!topic.alsoJudges.includes('export.locale-keeps-the-events')) return model;
  const translated = await translatedSample(exports, knowledge);
  return translated === undefined ? model : { ...model, translated };
}

function nothingSeen(): void {
  throw new NothingSeen();
}

const maxEchoes = 6;

/** Sends requests again, one after the other, each with another range of the same kind; the last in both orders. */
async function echoesOf(
  asked: readonly Asked[],
  levels: readonly Level[],
  model: Model,
): Promise<readonly Asked[]> {
  const plain = levels.filter((level) => isRange(level) && !isNotation(level));
  const echoes: Asked[] = [];
  for (const ranges of groupBy(plain, ({ name }) => name).values()) {
    const [first] = asked.filter((one) => one.levels.some((level) => ranges.includes(level)));
    const range = first?.levels.find(isRange);
    const other = ranges.find(({ query }) => query !== range?.query);
    if (first === undefined || other === undefined || echoes.length === maxEchoes) continue;
    echoes.push(await ask([...first.levels.filter((level) => level !== range), other], model));
  }
  const last = echoes.at(-1);
  return last === undefined ? [] : [...echoes, await ask(inOtherOrder(last.levels), model)];
}

function inOtherOrder(levels: Combination): Combination {
  const others = levels.filter((level) => level !== reversed);
  return others.length < levels.length ? others : [...levels, reversed];
}

/**
 * A judge of one clause: throws what the requests found wrong or left in doubt.
 * @param nothingServed the error where no request that was served is about the clause
 * @param afterwards another judge of the clause, called where no violation was found
 */
function judging(
  clause: JudgedClause,
  nothingServed: (evidence: Together) => Error,
  afterwards?: (evidence: Together) => void,
) {
  return (evidence: Together): void => {
    const { asked, wrong } = evidence;
    const [first] = wrong.filter((one) => one.clause === clause);
    if (first !== undefined) throw first.wrong;
    afterwards?.(evidence);
    const own = asked.filter(
      ({ levels }) =>
        clauseOfOne(levels) === clause ||
        blames.some((one) => one.clause === clause && one.is?.(levels)),
    );
    const isOfDates = clause === 'export.timezone-formats-the-dates';
    const [doubt] = own.flatMap(
      ({ undecided, undecidedDates }) => undecided ?? (isOfDates ? (undecidedDates ?? []) : []),
    );
    if (doubt !== undefined) throw doubt;
    if (evidence.doubt?.clause === clause) throw evidence.doubt.why;
    const served = own.filter(({ answer }) => answer.succeeded);
    if (served.length === 0) throw nothingServed(evidence);
  };
}

/** How many causes at most are looked for in one array: others show once these are mended. */
const maxCauses = 4;
/** How many wrong requests more are reduced where some turn out to be no certain cause. */
const maxUncertain = 2;

/** Reduces the wrong requests to their causes; skips a request that holds all levels of a cause found before. */
async function blamed(
  asked: readonly Asked[],
  topic: Topic,
  model: Model,
): Promise<Pick<Together, 'wrong' | 'doubt'>> {
  const max = topic.max === undefined ? asked.length : maxCauses;
  const judged = [...(topic.needsValues?.clauses ?? []), ...topic.alsoJudges, repeatable];
  const causes: Cause[] = [];
  const uncertain: Cause[] = [];
  const wrong = asked
    .filter((one): one is Blamed => one.wrong !== undefined)
    .sort((one, other) => one.levels.length - other.levels.length);
  for (const one of wrong) {
    const found = [...causes, ...uncertain];
    if (causes.length === max || found.length === max + maxUncertain) break;
    if (found.some((cause) => holdsCause(one.levels, cause.levels))) continue;
    const least = await reduced(one, model);
    const isIrreducible = least === one && one.levels.length > 1;
    const unlikeBefore = isIrreducible ? await violationOnce(one, model) : undefined;
    if (unlikeBefore !== undefined) {
      causes.push({ ...one, wrong: unlikeBefore, clause: repeatable });
      continue;
    }
    // Where only a form remains that no clause is about, as the order, the whole request names the clause.
    const clause = clauseOf(least) ?? clauseOf(one);
    if (clause === undefined) throw new Error(`No clause is about ${requestPhrase(least.levels)}.`);
    const isJudgedHere = judged.includes(clause);
    const isSure = isJudgedHere && (await isCertain(least, model));
    (isSure ? causes : uncertain).push({ ...least, clause });
  }
  const unsaid = uncertain.find(({ levels }) => levels.every(({ shown }) => shown === undefined));
  return { wrong: causes, doubt: unsaid && { clause: judged[0], why: doubtOf(unsaid) } };
}

/**
 * The violation where a CSV held other events than predicted, and not when it was asked for again: what another request
 * has left behind, and no parameter of this one, is to blame.
 */
async function violationOnce({ levels, wrong, answer }: Blamed, model: Model) {
  const { difference } = wrong;
  if (difference.kind !== 'events' || difference.fileType === 'pdf') return undefined;
  const again = await ask(levels, { ...model, isAnew: true });
  if (again.wrong !== undefined || again.undecided !== undefined) return undefined;
  const when = `${requestPhrase(levels)}, and not when it is asked for again`;
  return new Violation({ ...difference, when }, [answer, again.answer]);
}

/** Why a topic says nothing of a request that differs: another one judges it, or it rests on what rows show. */
function doubtOf({ levels, clause, answer }: Cause): Inconclusive {
  const why = `An export with ${requestPhrase(levels)} holds other events than predicted: that is ${clause}.`;
  return new Inconclusive(why, [answer]);
}

function clauseOf({ levels, wrong: { difference } }: Blamed): JudgedClause | undefined {
  const kind = difference.kind === 'other' ? difference.wrong : difference.kind;
  const fits = ({ is, of = [kind] }: Blame) => is?.(levels) !== false && of.includes(kind);
  return blames.find(fits)?.clause ?? clauseOfOne(levels);
}

function holdsCause(levels: Combination, cause: Combination): boolean {
  return cause.every(({ factor, name }) =>
    levels.some((one) => one.factor === factor && one.name === name),
  );
}

const separators = /[,;|+%&#\s]/;

/**
 * Whether a cause convicts. Rows may show several values as one, or a label for a value: so a value that only rows show
 * convicts only where neither it nor any part (“a” of “a,b”) keeps an event that shows it. What was learned of a level by
 * itself convicts it only beside others.
 */
async function isCertain({ levels }: Blamed, model: Model): Promise<boolean> {
  const [only, ...others] = levels;
  if (only === undefined || others.length > 0) return true;
  if (only.shown === undefined) return only.isLearned !== true;
  const { factor, shown, keeps } = only;
  const parts = shown.split(separators).filter((part) => part !== '' && part !== shown);
  const downloads = await Promise.all(
    [shown, ...parts].map((value) =>
      model.exports.within({ filters: { [factor as Filter]: [value] } }),
    ),
  );
  const { ignored } = model.knowledge.columns;
  return downloads.every(({ table }) =>
    table?.rows.every((row) => keeps?.least.entries.has(keyOfRow(row, ignored)) !== true),
  );
}

function isOfPdfs({ always = [] }: Topic): boolean {
  return always.includes(asPdf);
}

export const togetherScenarios = topics.filter((topic) => !isOfPdfs(topic)).map(topicScenario);
export const pdfsTogether = topics.filter(isOfPdfs).map(topicScenario);
