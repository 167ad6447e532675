import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { NothingSeen, type Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, type Scenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference, Wrong } from '../../schemas/difference.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { answers200, judgeBy, judgesBy, narrowedPdf, ofCsv, ofExport } from '../answers.ts';
import { type Combination, coveringArray, type Wanted } from './covering-array.ts';
import { clauseByFilter } from './filters.ts';
import {
  asPdf,
  exampleLevel,
  isFilter,
  type Level,
  levelsOfFilters,
  levelsOfRanges,
  manyEvents,
  otherForms,
  sameForms,
  translatedSample,
  withoutRange,
} from './levels.ts';
import { asBothFiles } from './pdf-events.ts';
import { type Asked, ask, enoughToCompare, type Model, reduced } from './prediction.ts';
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
    clause: 'export.range-bounds-are-instants',
    is: (levels) => levels.length === 1 && levels.some(isNotation),
  },
  {
    clause: 'export.range-combines-with-filters',
    is: (levels) => has('range')(levels) && filtersIn(levels).length > 0,
  },
  {
    clause: 'export.metadata-keys-combine',
    is: (levels) => filtersIn(levels).length > 1 && hasNoList(levels),
  },
  { clause: 'export.filters-combine', is: (levels) => filtersIn(levels).length > 1 },
  ...Object.entries(clauseByFilter).map(([filter, clause]) => ({
    clause,
    is: (levels: Combination) =>
      filtersIn(levels).length === 1 && levels.some((one) => one.factor === filter && one.shown),
  })),
];

interface Together {
  readonly knowledge: Knowledge;
  readonly asked: readonly Asked[];
  /** Wrong requests, each reduced to the fewest levels that show the difference, and the clauses that they violate. */
  readonly wrong: readonly (Blamed & { readonly clause: JudgedClause })[];
}

type Blamed = Asked & { readonly wrong: Violation };

/** A topic: which levels meet, and in how many requests. */
interface Topic extends Wanted {
  readonly name: string;
  /** The clauses that cannot be judged without values of filters, and a phrase for the values that are missing. */
  readonly needsValues?: { readonly clauses: readonly JudgedClause[]; readonly missing: string };
  /** Further clauses that the topic judges, where a request is about them. */
  readonly alsoJudges: readonly JudgedClause[];
  readonly levels: (exports: Exports, known: Knowledge) => Promise<Levels>;
  /** Whether requests are sent again with another range: it shows a service that caches answers of other ranges. */
  readonly hasEchoes?: true;
  /** Levels that are added to every request. */
  readonly always?: readonly Level[];
}

/** The levels of a topic by the events as learned, and by those that have not changed since; in the same order. */
interface Levels {
  readonly learned: readonly Level[];
  readonly now: readonly Level[];
}

/** The levels of all filters, or of those wanted, and the other levels. */
function withFilters(
  known: Knowledge,
  others: readonly Level[] = [],
  isWanted: (level: Level) => boolean = () => true,
): Levels {
  const levelsBy = (one: Knowledge): readonly Level[] => [
    ...levelsOfFilters(one).filter(isWanted),
    ...others,
  ];
  const now = levelsBy(known);
  return { learned: known.asLearned === undefined ? now : levelsBy(known.asLearned), now };
}

/** The levels of ranges, and of the forms of requests and files, as a timezone. */
async function rangesAndForms(exports: Exports, known: Knowledge): Promise<readonly Level[]> {
  const [ranges, translated] = await Promise.all([
    levelsOfRanges(exports, known),
    translatedSample(exports, known),
  ]);
  return [...otherForms(translated?.query.locale, known), ...ranges];
}

const isAsked = ({ shown }: Level): boolean => shown === undefined;
const isOf = (factor: Level['factor']) => (level: Level) => level.factor === factor;
const isRange = isOf('range');
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

/** Filters that keep fewer events may, beside other parameters, leave too few to compare a PDF with its CSV. */
const fewEvents = 100;

const topics: readonly Topic[] = [
  {
    name: 'several filters in one request keep the events that match all of them',
    needsValues: {
      clauses: ['export.filters-combine', 'export.metadata-keys-combine'],
      missing: 'values of two filters that occur together in the window',
    },
    alsoJudges: [...Object.values(clauseByFilter), ...clausesOfDefaults],
    async levels(_, known) {
      const areKnown = levelsOfFilters(known).length > 0;
      return withFilters(known, [...(areKnown ? [] : [exampleLevel]), ...sameForms]);
    },
    isPair: (one, other) => (isFilter(one) || isFilter(other)) && isAsked(one) && isAsked(other),
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
    levels: async (_, known) => withFilters(known),
    isPair: () => false,
    isSingle: () => true,
    max: 4,
    size: { min: manyEvents },
  },
  {
    name: 'a range and filters in one request keep the events that match both',
    needsValues: {
      clauses: ['export.range-combines-with-filters'],
      missing: 'a value of any filter that occurs in the window',
    },
    alsoJudges: clausesOfDefaults,
    levels: async (exports, known) =>
      withFilters(known, [...(await levelsOfRanges(exports, known)), ...sameForms]),
    isPair: (one, other) => isRange(one) !== isRange(other),
    isSingle: isFilter,
    needs: 'range',
    max: 12,
    hasEchoes: true,
  },
  {
    name: 'a range and lists alone keep the events that match both',
    alsoJudges: ['export.range-combines-with-filters'],
    levels: async (exports, known) =>
      withFilters(known, await levelsOfRanges(exports, known), isOfList),
    isPair: (one, other) => isRange(one) !== isRange(other),
    isSingle: isFilter,
    needs: 'range',
    max: 4,
  },
  {
    name: 'parameters that have no event in common keep none together',
    alsoJudges: [
      'export.filters-combine',
      'export.metadata-keys-combine',
      'export.range-combines-with-filters',
      ...clausesOfForms,
    ],
    levels: async (exports, known) =>
      withFilters(known, await rangesAndForms(exports, known), isAsked),
    isPair: (one, other) => isForm(one) !== isForm(other),
    isSingle: (level) => isForm(level) || isNotation(level),
    max: 8,
    areApart: true,
  },
  {
    name: 'filters and ranges in other forms of a request keep the same events',
    alsoJudges: clausesOfForms,
    levels: async (exports, known) => withFilters(known, await rangesAndForms(exports, known)),
    isPair: (one, other) => isForm(one) || isForm(other),
    max: 14,
  },
  {
    name: 'a large export in other forms holds the same events',
    alsoJudges: [...clausesOfForms, 'export.range-bounds-are-instants'],
    async levels(exports, known) {
      const levels = await rangesAndForms(exports, known);
      return { learned: levels, now: levels };
    },
    isPair: (one, other) => isForm(one) || isForm(other),
    isSingle: isNotation,
    max: 6,
    size: { min: manyEvents },
  },
  {
    name: 'PDFs of filters and ranges hold the events of their CSVs',
    needsValues: {
      clauses: ['export.pdf-holds-the-events-of-the-csv'],
      missing: 'values of filters that occur in the window',
    },
    alsoJudges: ['export.pdf-opens'],
    levels: async (exports, known) =>
      withFilters(known, [...(await levelsOfRanges(exports, known)), withoutRange(known)], isAsked),
    isPair: (one, other) => isTwoLists(one, other) || isRange(one) !== isRange(other),
    isSingle: (level) => isFilter(level) || level.isAnytime === true,
    needs: 'range',
    max: 11,
    size: { min: enoughToCompare, max: 400 },
    always: [asPdf],
  },
  {
    name: 'PDFs of filters that keep few events are exported',
    alsoJudges: ['export.pdf-opens'],
    levels: async (_, known) =>
      withFilters(
        known,
        [],
        (level) => isAsked(level) && (level.keeps?.most.size ?? 0) < fewEvents,
      ),
    isPair: () => false,
    isSingle: () => true,
    max: 4,
    always: [asPdf],
  },
  {
    name: 'a PDF of many events that a filter keeps holds the events of its CSV',
    alsoJudges: ['export.pdf-holds-the-events-of-the-csv', 'export.pdf-opens'],
    levels: async (_, known) => withFilters(known, [], isAsked),
    isPair: () => false,
    isSingle: () => true,
    max: 1,
    size: { min: manyEvents, max: 3000 },
    always: [asPdf],
  },
];

const isTwoLists = (one: Level, other: Level): boolean => isOfList(one) && isOfList(other);

/** The scenario of a topic: sends its array of requests, and judges the clauses of whatever is wrong. */
function topicScenario(topic: Topic): AnyScenario {
  const { needsValues: { clauses = [], missing = '' } = {} } = topic;
  const ofAnswers = answerJudges(topic);
  const judgesOfValues = clauses.map((clause) => [
    clause,
    judging(clause, ({ knowledge }) => noValues(missing, knowledge)),
  ]);
  const otherJudges = topic.alsoJudges.map((clause) => {
    // Replaces the judge in `ofAnswers`, if there is one, and so calls it.
    const afterwards = topic.areApart ? nothingSeen : ofAnswers[clause];
    return [clause, judging(clause, () => new NothingSeen(), afterwards)];
  });
  return scenario({
    name: topic.name,
    act: (world) => askTopic(topic, world),
    judges: { ...ofAnswers, ...Object.fromEntries([...judgesOfValues, ...otherJudges]) },
  });
}

/** The judges of each answer by itself. */
function answerJudges(topic: Topic): NonNullable<Scenario<Together>['judges']> {
  const answersOf = ({ asked }: Together) => asked.map(({ answer }) => answer);
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
  const { learned, now } = await topic.levels(exports, knowledge);
  const levelNow = (level: Level): Level => now[learned.indexOf(level)] ?? level;
  const whole = wholeOf(knowledge.asLearned ?? knowledge);
  const { combinations, pairs } = coveringArray(learned, whole, topic);
  notePairs(pairs);
  const model = await modelOf(topic, exports, knowledge);
  const asked = await Promise.all(
    combinations.map((levels) => ask([...levels.map(levelNow), ...(topic.always ?? [])], model)),
  );
  if (topic.hasEchoes) asked.push(...(await echoesOf(asked, now, model)));
  return { knowledge, asked, wrong: await blamed(asked, model) };
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

/** For a topic whose requests keep no event: an empty answer does not show that a clause is kept. */
function nothingSeen(): void {
  throw new NothingSeen();
}

const maxEchoes = 4;

/** Sends requests again, one after the other, each with another range of the same bounds: start, end or both. */
async function echoesOf(
  asked: readonly Asked[],
  levels: readonly Level[],
  model: Model,
): Promise<readonly Asked[]> {
  const boundsOf = ({ query }: Level): string => Object.keys(query).join();
  const echoes: Asked[] = [];
  for (const ranges of groupBy(levels.filter(isRange), boundsOf).values()) {
    const [first] = asked.filter((one) => one.levels.some((level) => ranges.includes(level)));
    const range = first?.levels.find(isRange);
    const other = ranges.find((level) => level.keeps !== range?.keeps);
    if (first === undefined || other === undefined || echoes.length === maxEchoes) continue;
    echoes.push(await ask([...first.levels.filter((level) => level !== range), other], model));
  }
  return echoes;
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
    const own = asked.filter(({ levels }) =>
      blames.some((one) => one.clause === clause && one.is?.(levels)),
    );
    const isOfDates = clause === 'export.timezone-formats-the-dates';
    const [doubt] = own.flatMap(
      ({ undecided, undecidedDates }) => undecided ?? (isOfDates ? (undecidedDates ?? []) : []),
    );
    if (doubt !== undefined) throw doubt;
    const served = own.filter(({ answer }) => answer.succeeded);
    if (served.length === 0) throw nothingServed(evidence);
  };
}

/** How many causes at most are looked for in one array: others show once these are mended. */
const maxCauses = 4;
/** How many wrong requests at most are reduced, those included that turn out to be no certain cause. */
const maxReduced = 6;

/** Reduces the wrong requests to their causes; skips a request that holds all levels of a cause found before. */
async function blamed(asked: readonly Asked[], model: Model): Promise<Together['wrong']> {
  const causes: Together['wrong'][number][] = [];
  const uncertain: Blamed[] = [];
  const wrong = asked
    .filter((one): one is Blamed => one.wrong !== undefined)
    .sort((one, other) => one.levels.length - other.levels.length);
  for (const one of wrong) {
    const found = [...causes, ...uncertain];
    if (causes.length === maxCauses || found.length === maxReduced) break;
    if (found.some((cause) => holdsCause(one.levels, cause.levels))) continue;
    const least = await reduced(one, model);
    // Where only a form remains that no clause is about, such as the order, the whole request names the clause.
    const clause = clauseOf(least) ?? (least.levels.every(isForm) ? clauseOf(one) : undefined);
    if (clause !== undefined && (await isCertain(least, model))) causes.push({ ...least, clause });
    else uncertain.push(least);
  }
  return causes;
}

function clauseOf({ levels, wrong: { difference } }: Blamed): JudgedClause | undefined {
  const kind = difference.kind === 'other' ? difference.wrong : difference.kind;
  return blames.find(({ is, of = [kind] }) => is?.(levels) !== false && of.includes(kind))?.clause;
}

function holdsCause(levels: Combination, cause: Combination): boolean {
  return cause.every(({ factor, name }) =>
    levels.some((one) => one.factor === factor && one.name === name),
  );
}

const separators = /[,;|+%&#\s]/;

/**
 * Whether a cause convicts. Rows may show several values as one, or a label for a value: so a value that only rows show
 * convicts only where neither it nor any part (“a” of “a,b”) keeps an event that shows it.
 */
async function isCertain({ levels }: Blamed, model: Model): Promise<boolean> {
  const [only, ...others] = levels;
  if (only?.shown === undefined || others.length > 0) return true;
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
