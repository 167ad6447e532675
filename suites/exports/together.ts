import { isDeepStrictEqual } from 'node:util';
import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { createPacing, type Pacing } from '../../helpers/http/pacing.ts';
import { remembered } from '../../helpers/memory.ts';
import { Inconclusive, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, type Scenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference, Wrong } from '../../schemas/difference.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { answers200, judgeBy, judgesBy, narrowedPdf, ofCsv, ofExport } from '../answers.ts';
import { type Combination, coveringArray } from './covering-array.ts';
import { askInARow } from './in-a-row.ts';
import { asPdf, inOtherOrder, isFilter, type Level, translatedSample } from './levels.ts';
import { asBothFiles } from './pdf-events.ts';
import {
  type Asked,
  ask,
  isAlike,
  isRefusedAsMayBe,
  type Model,
  reduced,
  requestPhrase,
} from './prediction.ts';
import { wholeOf } from './relations.ts';
import { isForm, type Kind, setsOfLevels, type Topic, topics } from './topics.ts';

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
  { clause: 'export.range-bounds-are-independent', is: has('range', 'none') },
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
  const isPdf = sendsPdfs(topic);
  return {
    ...judgesBy(isPdf ? ofExport : ofCsv, answersOf),
    'export.answers-200': (evidence) => {
      const isNarrowed = isPdf && evidence.knowledge.base.table.count > pdfEventLimit;
      judgeBy(answers200(isNarrowed ? narrowedPdf : undefined), answersOf(evidence));
    },
  };
}

/** Chooses the requests of a topic, sends them, and reduces those that are wrong. */
async function askTopic(topic: Topic, world: World): Promise<Together> {
  const { exports } = world;
  const knowledge = await exports.knowledge();
  // Requests are chosen by the levels as learned, so that a further run sends the same, and predicted by those of now.
  const { asLearned } = knowledge;
  const values = topic.values?.(knowledge) ?? [];
  const sets = (topic.others ?? []).map((set) => setsOfLevels[set](exports, knowledge));
  const others = (await Promise.all(sets)).flat();
  const learned = [...(asLearned ? (topic.values?.(asLearned) ?? []) : values), ...others];
  const whole = wholeOf(asLearned ?? knowledge);
  const levelNow = (level: Level): Level =>
    values.find(({ query }) => isDeepStrictEqual(query, level.query)) ?? level;
  const model = await modelOf(topic, exports, knowledge);
  const askArray = async (): Promise<readonly Asked[]> => {
    const { combinations, pairs } = coveringArray(learned, whole, topic);
    world.notePairs(pairs);
    return await Promise.all(
      combinations.map((levels, index) => {
        const all = [...levels.map(levelNow), ...(topic.always ?? [])];
        // Every second request has its parameters in the other order: that costs nothing, and must not matter.
        const isOther = levels.length > 1 && index % 2 === 1;
        return ask(isOther ? inOtherOrder(all) : all, model);
      }),
    );
  };
  const askKinds = async (kinds: readonly Kind[]): Promise<readonly Asked[]> => {
    const requests = kinds.map((kind) =>
      kind.flatMap(({ of, always = () => false, ...wanted }) => {
        const { combinations } = coveringArray(learned.filter(of), whole, wanted);
        const added = learned.filter(always);
        return combinations.slice(0, 1).map((levels) => [...levels.map(levelNow), ...added]);
      }),
    );
    await world.othersAreDone();
    return await askInARow(
      requests.filter(({ length }) => length > 0),
      model,
    );
  };
  const asked = await (topic.inARow === undefined ? askArray() : askKinds(topic.inARow));
  return { knowledge, asked, ...(await blamed(asked, topic, model)) };
}

async function modelOf(topic: Topic, exports: Exports, knowledge: Knowledge): Promise<Model> {
  const isOfLocales = topic.alsoJudges.includes('export.locale-keeps-the-events');
  const translated = isOfLocales ? await translatedSample(exports, knowledge) : undefined;
  return {
    exports,
    knowledge,
    ...(sendsPdfs(topic) && { plain: await asBothFiles(exports, knowledge.window.sample) }),
    ...(translated && { translated }),
  };
}

function nothingSeen(): void {
  throw new NothingSeen();
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
    const own = asked.filter(({ levels, after }) =>
      after === undefined
        ? clauseOfOne(levels) === clause ||
          blames.some((one) => one.clause === clause && one.is?.(levels))
        : clause === repeatable,
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

/** By what was learned, which all topics share: the causes that they have found, and lets one after the other look. */
const ofAllTopics = new WeakMap<Knowledge, { readonly known: Cause[]; readonly inTurn: Pacing }>();

type Blaming = Pick<Together, 'wrong' | 'doubt'>;

/**
 * Reduces the wrong requests to their causes; skips a request that holds all levels of a cause found before, of another
 * topic too: one cause is looked for once.
 */
async function blamed(asked: readonly Asked[], topic: Topic, model: Model): Promise<Blaming> {
  const wrong = asked
    .filter((one): one is Blamed => one.wrong !== undefined)
    .sort((one, other) => one.levels.length - other.levels.length);
  if (wrong.length === 0) return { wrong: [], doubt: undefined };
  const { known, inTurn } = remembered(ofAllTopics, model.knowledge, () => {
    return { known: [], inTurn: createPacing(1, 0) };
  });
  return await inTurn(async () => {
    const blaming = await causesOf(wrong, known, topic, model);
    known.push(...blaming.wrong);
    return blaming;
  });
}

async function causesOf(
  wrong: readonly Blamed[],
  known: readonly Cause[],
  topic: Topic,
  model: Model,
): Promise<Blaming> {
  const max = topic.max === undefined ? wrong.length : maxCauses;
  const judged = [...(topic.needsValues?.clauses ?? []), ...topic.alsoJudges, repeatable];
  const causes: Cause[] = [];
  const uncertain: Cause[] = [];
  for (const one of wrong) {
    const found = [...causes, ...uncertain];
    if (causes.length === max || found.length === max + maxUncertain) break;
    const isHeld = (cause: Cause): boolean => holdsCause(one.levels, cause.levels);
    if (found.some(isHeld)) continue;
    if (known.some((cause) => isHeld(cause) && isAlike(cause.wrong, one.wrong))) continue;
    if (one.after !== undefined) {
      const isOfForm = one.wrong.difference.kind !== 'events';
      causes.push({ ...one, clause: (isOfForm && clauseOf(one)) || repeatable });
      continue;
    }
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

function sendsPdfs({ always = [], inARow }: Topic): boolean {
  return always.includes(asPdf) || inARow !== undefined;
}

export const togetherScenarios = topics.filter((topic) => !sendsPdfs(topic)).map(topicScenario);
export const pdfsTogether = topics.filter(sendsPdfs).map(topicScenario);
