import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NothingSeen } from '../../helpers/outcomes.ts';
import { type AnyScenario, type Scenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { answers200, judgeBy, judgesBy, narrowedPdf, ofCsv, ofExport } from '../answers.ts';
import { withWrongKey } from '../authentication.ts';
import { expectStatus, judgeEach } from '../expectations.ts';
import {
  type AskedOf,
  blamed,
  blames,
  clauseOfOne,
  type Found,
  isSameRequest,
  repeatable,
} from './blame.ts';
import { coveringArray } from './covering-array.ts';
import { clauseByFilter } from './filter-levels.ts';
import { askKinds, levelsInARow } from './in-a-row.ts';
import {
  inOtherLocale,
  inOtherWords,
  isNotation,
  ordersInTurn,
  translatedSamples,
  withoutKey,
} from './levels.ts';
import { asBothFiles } from './pdf.ts';
import { ask, isRefusedAsMayBe, type Model } from './prediction.ts';
import { noEvents, noValues, wholeOf } from './relations.ts';
import { levelsOf, type Topic, topics, topicsOfPdfs, whyNoList } from './topics.ts';

/*
 * For each topic an array of requests holds the pairs of levels that it is about. Each answer is judged by what the model predicts;
 * `blame.ts` says which clause one that is not as predicted violates.
 */

interface Together extends Found {
  readonly knowledge: Knowledge;
  /** Whether there are more events than a PDF may hold; looked at where PDFs are asked for. */
  readonly areMany: boolean;
  readonly asked: readonly AskedOf[];
}

/** What PDFs show, what forms do to any file, and what CSVs show. */
const ofPdfs: readonly JudgedClause[] = [
  'export.pdf-opens',
  'export.pdf-holds-the-events-of-the-csv',
];
const ofForms: readonly JudgedClause[] = [
  'export.timezone-keeps-the-events',
  'export.timezone-formats-the-dates',
  'export.locale-defaults-to-en',
  'export.locale-keeps-the-events',
  'export.file-type-defaults-to-csv',
];
const ofCsvs: readonly JudgedClause[] = [
  ...Object.values(clauseByFilter),
  'export.lists-are-any-of',
  'export.range-start-includes-its-instant',
  'export.range-end-includes-its-instant',
  'export.range-start-equal-to-end',
  ...blames.flatMap(({ clause }) => (ofPdfs.includes(clause) ? [] : clause)),
];

const lacking = (what: string) => (known: Knowledge) => noValues(`${what} in the window`, known);

/** Why a clause is not judged where no request that is about it was served; NothingSeen where others judge it too. */
const whyNotJudged: { readonly [Id in JudgedClause]?: (known: Knowledge) => Error } = {
  'export.lists-are-any-of': whyNoList,
  'export.filters-combine': lacking('values of two filters that occur together'),
  'export.metadata-keys-combine': lacking('values of two filters that occur together'),
  'export.range-combines-with-filters': lacking('a value of any filter that occurs'),
  'export.pdf-holds-the-events-of-the-csv': lacking('values of filters that occur'),
  'export.locale-keeps-the-events': ({ base }) =>
    base.table.rows.length === 0 ? noEvents() : new NothingSeen(),
};

/** A scenario that sends requests, and judges the clauses of whatever is wrong. */
function togetherScenario(
  name: string,
  judged: readonly JudgedClause[],
  isOfPdfs: boolean,
  act: (world: World, model: Model, before?: Together) => Promise<readonly AskedOf[]>,
): AnyScenario {
  // Which values and notations a target reads has clauses of its own.
  const answersOf = ({ asked }: Together) =>
    asked.flatMap(({ levels, answer, isTooLarge }) =>
      isTooLarge || isRefusedAsMayBe(levels, answer) || levels.some(isNotation) ? [] : [answer],
    );
  const ofAnswers: NonNullable<Scenario<Together>['judges']> = {
    ...judgesBy(isOfPdfs ? ofExport : ofCsv, answersOf),
    'export.answers-200': (evidence) => {
      const isNarrowed = ({ exchange: { request } }: Answer): boolean =>
        evidence.areMany && new URL(request.url).searchParams.get('file_type') === 'pdf';
      const rule = (one: Answer) => answers200(isNarrowed(one) ? narrowedPdf : undefined)(one);
      judgeBy(rule, answersOf(evidence));
    },
  };
  const all = [...new Set([...judged, repeatable])];
  const judges = all.map((clause) => [clause, judging(clause, ofAnswers[clause])]);
  return scenario({
    name,
    async act(world, before?: Together): Promise<Together> {
      const { exports } = world;
      const knowledge = await exports.knowledge();
      const translated = await translatedSamples(exports, knowledge);
      const model: Model = {
        exports,
        knowledge,
        ...(isOfPdfs && { plain: await asBothFiles(exports, knowledge.window.sample) }),
        translated,
      };
      const asked = await act(world, model, before);
      const areMany = isOfPdfs && (await exports.areMany());
      return { knowledge, areMany, asked, ...(await blamed(asked, all, model, world)) };
    },
    judges: { ...ofAnswers, ...Object.fromEntries(judges) },
  });
}

/** Sends the arrays of requests of all topics; in a second look, those that stood out. */
async function askArrays(
  topics: readonly Topic[],
  world: World,
  model: Model,
  before?: Together,
  isAsked: (index: number) => boolean = () => true,
): Promise<readonly AskedOf[]> {
  const arrays = topics.map(async (topic) => {
    const { learned, levelNow } = await levelsOf(topic, model);
    const array = coveringArray(learned, wholeOf(model.knowledge.original), topic);
    const requests = array.combinations.map((levels, index) => {
      const sent = levels.filter(({ isLeftOut }) => isLeftOut !== true);
      const all = [...sent.map(levelNow), ...(topic.adds?.(levels, model.knowledge, index) ?? [])];
      // That costs nothing, and must not matter.
      const turn = topics.indexOf(topic) + index;
      const inLocale = inOtherLocale(all, Math.floor(turn / ordersInTurn), model.translated);
      return levels.length > 1 ? inOtherWords(inLocale, turn, model.knowledge) : inLocale;
    });
    const stoodOut = before?.stoodOut.filter((one) => one.topic === topic);
    const wanted = requests.filter(
      (levels, index) =>
        isAsked(index) && (stoodOut?.some((one) => isSameRequest(one.levels, levels)) ?? true),
    );
    const asked = await Promise.all(wanted.map((levels) => ask(levels, model)));
    return { topic, pairs: array.pairs, asked };
  });
  const all = await Promise.all(arrays);
  const total = (of: 'covered' | 'possible') =>
    all.reduce((count, { pairs }) => count + pairs[of], 0);
  if (!before) world.notePairs({ covered: total('covered'), possible: total('possible') });
  return all.flatMap(({ topic, asked }) => asked.map((one) => ({ ...one, topic })));
}

/** A judge of one clause by what was found of requests. @param afterwards another judge of it, called where nothing is violated */
function judging(clause: JudgedClause, afterwards?: (evidence: Together) => void) {
  return (evidence: Together): void => {
    const { asked, wrong, doubts, knowledge } = evidence;
    const [first] = wrong.filter((one) => one.clause === clause);
    if (first !== undefined) throw first.wrong;
    afterwards?.(evidence);
    const own = asked.filter(({ levels, after, topic }) =>
      after === undefined
        ? topic.isRightlyEmpty !== true &&
          (clauseOfOne(levels) === clause ||
            blames.some((one) => one.clause === clause && one.is?.(levels)))
        : clause === repeatable,
    );
    const isOfDates = clause === 'export.timezone-formats-the-dates';
    const [undecided] = own.flatMap(
      (one) => one.undecided ?? (isOfDates ? (one.undecidedDates ?? []) : []),
    );
    if (undecided !== undefined) throw undecided;
    const doubt = doubts.find((one) => one.clause === clause);
    if (doubt !== undefined) throw doubt.why;
    const served = own.filter(({ answer, isEmpty }) => answer.succeeded && isEmpty !== true);
    if (served.length > 0) return;
    // Of a kind that cannot be sent in a row, other scenarios judge what it would show.
    const isInARow = asked.some(({ topic }) => topic === levelsInARow);
    throw (isInARow ? undefined : whyNotJudged[clause]?.(knowledge)) ?? new NothingSeen();
  };
}

/** A scenario of the arrays of topics. @param isAsked which of their requests it sends; left out, all */
export const arraysOfCsvs = (
  name: string,
  some: readonly Topic[],
  isAsked?: (index: number) => boolean,
): AnyScenario =>
  togetherScenario(name, ofCsvs, false, (world, model, before) =>
    askArrays(some, world, model, before, isAsked),
  );
/** As `arraysOfCsvs`, of PDFs. */
export const arraysOfPdfs = (name: string, some: readonly Topic[]): AnyScenario =>
  togetherScenario(name, [...ofForms, ...ofPdfs], true, (...given) => askArrays(some, ...given));

export const csvs =
  'several parameters in one request keep the events that match all of them, in whatever form they are exported';
export const pdfs = 'PDFs of filters, ranges, timezones and locales hold the events of their CSVs';

const inARow = togetherScenario(
  'an export is answered by what it asks for, whatever was asked for right before it',
  [...ofCsvs, ...ofPdfs],
  true,
  askKinds,
);

export const togetherScenarios = [arraysOfCsvs(csvs, topics)];

export const pdfsTogether = [
  arraysOfPdfs(pdfs, topicsOfPdfs),
  {
    ...inARow,
    judges: {
      ...inARow.judges,
      'export.needs-the-apikey': ({ asked }: Together) => {
        const keyless = asked.filter(({ levels }) => levels.includes(withoutKey));
        if (keyless.length === 0) throw new NothingSeen();
        const { name } = withWrongKey('no key', 'export.needs-the-apikey');
        judgeEach(keyless, ({ answer }) => expectStatus(answer, 401, name));
      },
    },
  },
];
