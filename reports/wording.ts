/*
 * The words that reports share. On the way from results to text, `grouping.ts`, `waivers.ts`, `compare.ts`, `matrix.ts`
 * and `fidelity.ts` find out what is to be said, as values; `facts.ts` and this file put it into words; one file for
 * each format writes it down, and makes harmless what a target sent (`printable.ts`). Nothing reads words back.
 */

import type { Misspelt } from '../helpers/config/environment.ts';
import { didYouMean } from '../helpers/did-you-mean.ts';
import { groupBy } from '../helpers/group-by.ts';
import type { Operation } from '../schemas/operations.ts';
import {
  type ClauseResult,
  type FailedRequests,
  isUpheldInPart,
  type Lack,
  type Loss,
  type Reason,
  type Results,
  type RunVerdict,
  type ServerErrors,
  type UnusableValue,
  type ViolationResult,
} from '../schemas/results.ts';
import type { Tone } from './blocks.ts';
import { shownBeside } from './difference.ts';
import { findingsOf } from './findings.ts';
import {
  byLacks,
  isSelected,
  lacksOf,
  type Tally,
  tallyOf,
  undecidedClauses,
  upheldInPart,
  violatedClauses,
} from './grouping.ts';
import { textsOfDifference } from './headlines.ts';
import { printableLine } from './printable.ts';
import { noWaivers, verdictUnder, type WaiverReview, waiversFail } from './waivers.ts';

const verdicts: Readonly<Record<RunVerdict, { readonly word: string; readonly tone: Tone }>> = {
  conformant: { word: 'Conformant', tone: 'good' },
  violations: { word: 'Violations', tone: 'bad' },
  error: { word: 'Error of the suite', tone: 'failure' },
  incomplete: { word: 'Incomplete', tone: 'undecided' },
  'not run': { word: 'Not run', tone: 'bad' },
};

/** What a run came to, for people. */
export interface Headline {
  /** When violations that a waiver covers do not count. */
  readonly verdict: RunVerdict;
  /** One or two words to remember. */
  readonly word: string;
  /** What follows them where the verdict is on no target of the user's: ", of the embedded reference service". */
  readonly of: string;
  readonly tone: Tone;
  /** Why, in a sentence or two. */
  readonly sentence: string;
}

/** The verdict of a run in words. */
export function headline(results: Results, review: WaiverReview = noWaivers): Headline {
  const verdict = verdictUnder(review, results);
  const { waivedClauses, stale } = review;
  const tally = tallyOf(results, waivedClauses);
  const failed = results.leftChanged?.filter(({ outcome }) => outcome === 'failed').length ?? 0;
  const sentences = [
    sentence(verdict, results, tally, review),
    waivedClauses.size > 0 && `Waived: ${counted(waivedClauses.size, 'violated clause')}.`,
    failed > 0 && `${counted(failed, 'task')} could NOT be put back.`,
    waiversFail(review) && `The run fails because of ${counted(stale.length, 'stale waiver')}.`,
  ];
  const covered = verdict === 'conformant' && waivedClauses.size > 0;
  const isEmbedded = results.target.kind === 'embedded';
  const isOnTarget = verdict !== 'not run' && verdict !== 'error';
  // What fails a run without a violation is its word: CONFORMANT and INCOMPLETE have exit codes of their own.
  const isGood = verdict === 'conformant' || verdict === 'incomplete';
  const { word, tone } =
    isGood && waiversFail(review)
      ? ({ word: 'Stale waivers', tone: 'bad' } as const)
      : verdict === 'conformant' && failed > 0
        ? ({ word: 'Tasks left changed', tone: 'undecided' } as const)
        : verdicts[verdict];
  const notes = [
    covered && 'with waivers',
    results.interruptedBy !== null && `interrupted by ${results.interruptedBy}`,
  ];
  return {
    verdict,
    word: [word, ...notes.filter((note) => note !== false)].join(', '),
    of: isEmbedded && isOnTarget ? ', of the embedded reference service' : '',
    tone,
    sentence: sentences.filter((each) => each !== false).join(' '),
  };
}

/** The verdict on one line: `CONFORMANT  All 12 clauses are upheld.` */
export function verdictText({ word, of, sentence }: Omit<Headline, 'verdict' | 'tone'>): string {
  return `${word.toUpperCase()}${of}  ${sentence}`;
}

function sentence(
  verdict: RunVerdict,
  results: Results,
  tally: Tally,
  { waivedClauses, covered }: WaiverReview,
): string {
  const waived = waivedClauses.size;
  const { all, verdicts: counts } = tally;
  const chosen = tally.notSelected > 0 ? 'chosen clause' : 'clause';
  const unwaived = waived === 0 ? '' : ' that is not waived';
  const ofAll = (count: number): string => `${count} of ${counted(all, chosen)}`;
  // A suite that failed is no reason to look for it in the target.
  const failed = `the suite itself failed on ${ofAll(counts.error)}, which says nothing about the target`;
  switch (verdict) {
    case 'conformant': {
      const every = all === 1 ? `The ${chosen} is` : `All ${counted(all, chosen)} are`;
      return `${[`${every} upheld${waived === 0 ? '' : ' or waived'}`, ...restOf(tally)].join('; ')}.`;
    }
    case 'violations': {
      const findings = counted(findingsOf(violatedClauses(results, covered)).length, 'finding');
      const violated = `${ofAll(counts.violated)} violated${levelsOf(tally, ': ')}`;
      const parts = [
        findings,
        violated,
        ...(counts.error > 0 ? [failed] : []),
        ...undecidedOf(tally),
      ];
      return `${[...parts, ...restOf(tally)].join('; ')}.`;
    }
    case 'error': {
      const parts = [`No violation${unwaived}, but ${failed}`, ...undecidedOf(tally)];
      return `${[...parts, ...restOf(tally)].join('; ')}.`;
    }
    case 'incomplete': {
      const undecided = counts.inconclusive + counts['not judged'] + tally.inPart;
      const [one, ...others] = undecidedCounts(tally);
      const which =
        others.length > 0 ? `undecided: ${undecidedOf(tally)[0]}` : (one?.word ?? 'undecided');
      const yet = results.interruptedBy === null ? '' : ' so far';
      const parts = `No violation${unwaived}${yet}, but ${ofAll(undecided)} ${which}${lackingText(results)}`;
      return `${[parts, ...restOf(tally)].join('; ')}.`;
    }
    case 'not run':
      return `Nothing could be judged. ${mainReason(results)}`;
  }
}

/** Of which levels the violated clauses are, "3 stated, 2 implied", after a mark; empty where all are stated. */
export function levelsOf({ stated, implied }: Tally, before: string, after = ''): string {
  const levels = [stated > 0 && `${stated} stated`, implied > 0 && `${implied} implied`];
  return implied === 0
    ? ''
    : `${before}${levels.filter((level) => level !== false).join(', ')}${after}`;
}

/** What became of the clauses that were not decided, or not whole, with how many there are of each kind; only of those that occur. */
function undecidedCounts({ verdicts, inPart }: Tally): { word: string; count: number }[] {
  return [
    { word: 'inconclusive', count: verdicts.inconclusive },
    { word: 'not judged', count: verdicts['not judged'] },
    { word: upheldInPart, count: inPart },
  ].filter(({ count }) => count > 0);
}

/** "2 inconclusive, 10 not judged"; empty where all was decided. */
function undecidedOf(tally: Tally): string[] {
  const parts = undecidedCounts(tally).map(({ word, count }) => `${count} ${word}`);
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** ", for want of USER_IDS and TEAM_IDS"; empty where nothing is missing in the configuration. */
function lackingText(results: Results): string {
  const lacking = byLacks(undecidedClauses(results)).lacking.flatMap(({ lacks }) => lacks);
  const variables = [...new Set(lacking.map(({ variable }) => variable))];
  return variables.length === 0 ? '' : `, for want of ${listed(variables, maxVariables)}`;
}

/** So many variables are named in the verdict. */
const maxVariables = 4;

/** What was not to be judged. */
function restOf({ leftOut }: Tally): string[] {
  return leftOut === 0 ? [] : [`${leftOut} left out`];
}

function mainReason(results: Results): string {
  const judged = undecidedClauses(results);
  const open = results.clauses.filter(
    (clause) => ['not judged', 'inconclusive'].includes(clause.verdict) && isSelected(clause),
  );
  const { lacking, others } = byLacks(judged.length > 0 ? judged : open);
  const [reasons] = others;
  const [lack] = lacking;
  if (lack !== undefined && lack.clauses.length >= (reasons?.clauses.length ?? 0)) {
    return reasonsText([{ kind: 'not configured', lacks: [...lack.lacks] }]);
  }
  return reasons === undefined ? 'No clause was selected.' : reasonsText(reasons.reasons);
}

/** The same for a clause: one that is upheld does not stand on what its reasons name. */
export function reasonsOfClause(clause: Pick<ClauseResult, 'verdict' | 'reasons'>): string {
  const { verdict, reasons } = clause;
  if (isUpheldInPart(clause)) {
    const lacking = reasonText({ kind: 'not configured', lacks: [...lacksOf(clause)] });
    return `Upheld in part; the rest was not judged. ${lacking}`;
  }
  const text = reasonsText(reasons);
  return verdict === 'upheld' && text !== ''
    ? `Upheld by what could be seen, but for this: ${text}`
    : text;
}

/** Why a verdict is not a plain one, in sentences on one line; empty where there is no reason. */
export function reasonsText(reasons: readonly Reason[]): string {
  const telling = withLeastLacks(reasons);
  const hidden = telling.length - maxReasons;
  const texts = telling.slice(0, hidden === 1 ? undefined : maxReasons).map(reasonText);
  return [...texts, ...(hidden > 1 ? [`And for ${hidden} more reasons.`] : [])].join(' ');
}

/** Of what several scenarios lack, what the least demanding of them does: that is enough to judge by. */
function withLeastLacks(reasons: readonly Reason[]): Reason[] {
  const [least] = reasons
    .filter((reason) => reason.kind === 'not configured')
    .toSorted((a, b) => a.lacks.length - b.lacks.length);
  return reasons.filter((reason) => reason.kind !== 'not configured' || reason === least);
}

/** So many reasons of a clause are told; what more scenarios say is much the same. */
const maxReasons = 3;

function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'not selected':
      return 'Not selected.';
    case 'nothing seen':
      return 'Nothing to judge it by came up in this run.';
    case 'left out':
      return 'Left out on purpose (EXCEPT).';
    case 'not configured': {
      const missing = reason.lacks.filter(({ unusable }) => unusable === undefined);
      const parts = [
        ...reason.lacks.flatMap(({ variable, unusable = [] }) => unusableText(variable, unusable)),
        ...(missing.length === 0
          ? []
          : [
              `Not configured: ${missing.map(({ variable, what }) => `${variable}: ${what}`).join('; ')}`,
            ]),
      ];
      return parts.map((part) => sentenceOf(part)).join(' ');
    }
    case 'suite failure':
      return sentenceOf(
        `The suite itself failed, which says nothing about the target: ${firstLine(reason.why)}`,
        reason.on,
      );
    default:
      return sentenceOf(reason.why, reason.on);
  }
}

/** Names that are none of our variables. Each line ends with a line feed; empty where there are none. */
export function renderMisspelt(misspelt: readonly Misspelt[]): string {
  return misspelt
    .map(({ name, meant, file }) => {
      const where = file === undefined ? 'the environment' : file;
      return `${printableLine(name)} in ${printableLine(where)} is no variable of this suite, and is not read. ${didYouMean([meant])}\n`;
    })
    .join('');
}

/** `TASK_IDS: 7d4f… is not there (404)`, with what the target said about it; empty where all values can be used. */
export function unusableText(variable: string, unusable: NonNullable<Lack['unusable']>): string[] {
  if (unusable.length === 0) return [];
  const isReadById = variable === 'TASK_IDS' || variable === 'ASSESSMENT_IDS';
  const values = unusable.map(({ value, status, answer, loss }) => {
    if (loss !== undefined) {
      return `nothing answers ${variable === 'WRONG_REGION_URL' ? 'at' : 'through'} ${value} (${lossNames[loss]})`;
    }
    const what = isReadById && status === 404 ? 'is not there' : 'is refused by the target';
    return `${value} ${what} (${status}${answer === undefined ? '' : `: ${answer}`})`;
  });
  // Nothing tells which of them it is, or whether a list is in the place of the other.
  const or = new Set(unusable.flatMap((one) => one.or ?? []).map((one) => one.variable));
  const exchangeable = (['USER_IDS', 'TEAM_IDS'] as const).every((list) => or.has(list));
  const others =
    or.size === 0
      ? ''
      : `, or ids in ${[...or].join(' and ')} are wrong${exchangeable ? ', or exchanged' : ''}`;
  const other = unusable.find((one) => one.exchangedWith)?.exchangedWith;
  const exchanged = other ? `; ${variable} and ${other} may be exchanged` : '';
  return [`${variable}: ${listed(values, 3)}${others}${exchanged}`];
}

/**
 * Configured values that cannot be used, a line for each variable.
 * @param clauses what became of them; undefined before the run
 */
export function unusableLines(
  unusable: readonly UnusableValue[] = [],
  clauses?: readonly ClauseResult[],
): string[] {
  return [...groupBy(unusable, ({ variable }) => variable)].flatMap(([variable, values]) => {
    const todo =
      values.length === 1 ? 'correct it, or take it out' : 'correct them, or take them out';
    const lost = (clauses ?? []).filter((clause) => isLostFor(variable, clause)).length;
    const cost =
      lost > 0
        ? ` ${counted(lost, 'clause')} ${lost === 1 ? 'is' : 'are'} not judged, or not in full, for want of ${variable}.`
        : values.some(({ loss }) => loss === undefined)
          ? ' The others of that list were used.'
          : '';
    return unusableText(variable, values).map(
      (text) => `${printableLine(text)}: ${todo}.${clauses === undefined ? '' : cost}`,
    );
  });
}

/** Whether a clause was to be judged, and is not, or only in part, because too few values of the variable are left. */
function isLostFor(variable: string, clause: ClauseResult): boolean {
  const { level, verdict, reasons } = clause;
  return (
    level !== 'open' &&
    (verdict === 'not judged' || isUpheldInPart(clause)) &&
    reasons.some(
      (reason) =>
        reason.kind === 'not configured' && reason.lacks.some((lack) => lack.variable === variable),
    )
  );
}

const kindWords: Readonly<Record<Reason['kind'], string>> = {
  'not selected': 'not selected',
  'left out': 'left out',
  'nothing seen': 'nothing to judge it by came up',
  'not configured': 'not configured',
  'not applicable': 'nothing to observe it on',
  'not run': 'not run',
  inconclusive: 'inconclusive',
  untestable: 'untestable',
  'suite failure': 'the suite itself failed',
};

/** Why something was not observed of one side of a comparison, as a sentence; empty where it was. */
export function kindsText(side: string, reasons: readonly Reason['kind'][]): string[] {
  return reasons.length === 0
    ? []
    : [`${side}: ${reasons.map((kind) => kindWords[kind]).join(', ')}.`];
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** The errors of the suite among the reasons, each with its stack on several lines. */
export function stacksOf(reasons: readonly Reason[]): string[] {
  return reasons.flatMap((reason) => (reason.kind === 'suite failure' ? [reason.why] : []));
}

/** A phrase as a sentence, with the exchanges that show it: "The read gave 502 (#4)." */
function sentenceOf(text: string, exchanges: readonly number[] = []): string {
  const end = ['.', '!', '?'].find((mark) => text.endsWith(mark));
  const phrase = end === undefined ? text : text.slice(0, -1);
  return `${phrase}${inBrackets(exchanges)}${end ?? '.'}`;
}

/** " (#3, #4)"; empty where there are none. */
export function inBrackets(exchanges: readonly number[]): string {
  const numbers = exchanges.map((number) => `#${number}`);
  return numbers.length === 0 ? '' : ` (${listed(numbers, maxExchanges)})`;
}

/** So many exchanges are named in a sentence. */
const maxExchanges = 6;

/** "#3, #4" */
export function exchangeNumbers(exchanges: readonly number[]): string {
  return exchanges.map((number) => `#${number}`).join(', ');
}

/** The exchanges that show a violation, the one to blame first. */
export function exchangesOf({ on }: Pick<ViolationResult, 'on'>): number[] {
  return on.map(({ exchange }) => exchange);
}

/** What was done: `PUT /tasks/{id}/update-assignment: a write with an If-Match one version old`. */
export function whatWasDone(violation: Pick<ViolationResult, 'difference' | 'on'>): string {
  return textsOf(violation).done;
}

/** The violations that show the same as another one by something else that was done, one for each. */
export function otherWays(
  shown: ViolationResult,
  others: readonly ViolationResult[],
): ViolationResult[] {
  const ways = new Map(others.map((one) => [whatWasDone(one), one]));
  ways.delete(whatWasDone(shown));
  return [...ways.values()];
}

/** So much of an expected or actual value is told in a sentence. */
const maxValue = 400;

/** What people read of a violation besides its headline: what was done, what was expected, and what came. */
export function textsOf({ difference, on: [first] }: Pick<ViolationResult, 'difference' | 'on'>): {
  readonly done: string;
  readonly expected: string;
  readonly actual: string;
} {
  const { asked, ...values } = textsOfDifference(difference);
  // What a request does wrong goes on from it.
  const beside = difference.kind === 'other' ? ' ' : ': ';
  return { done: first === undefined ? asked : `${first.request}${beside}${asked}`, ...values };
}

/** A violation on one line: what was done, what was expected, what came, and on which exchanges. */
export function violationText(violation: ViolationResult): string {
  const { done, ...values } = textsOf(violation);
  const { expected, actual } = shownBeside(values.expected, values.actual, maxValue);
  return `${done}: expected ${expected}, got ${actual}${inBrackets(exchangesOf(violation))}`;
}

/** "1 clause", "2 clauses". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

const operationNames: Readonly<Record<Operation, (count: number) => string>> = {
  'update-assignment': (count) => `${count} PUT /tasks/{id}/update-assignment`,
  'get-task': (count) => `${count} GET /tasks/{id}`,
  'get-assessment': (count) => `${count} GET /assessments/{id}`,
  export: (count) => counted(count, 'export'),
};

const lossNames: Readonly<Record<Loss, string>> = {
  refused: 'a refused connection',
  'not reached': 'the host was not reached',
  'no TLS': 'a TLS handshake that failed',
  'no proxy': 'a proxy that did not pass it on',
  'timed out': 'a timeout',
  'cut off': 'a connection that was cut off',
  unreadable: 'a response that is not valid HTTP',
  'given up': 'a response that this run gave up',
  other: 'another failure of the connection',
};

/**
 * What follows the number of all requests: which of them repeat others, which were lost all the same, each with the cause, and
 * which were answered with a server error; empty where there are none.
 */
export function repeatsText({ repeated, failed = [], serverErrors }: Results['requests']): string {
  const named = (
    countOf: (one: FailedRequests) => number,
    causeText: (cause: string) => string,
  ): string =>
    failed
      .flatMap((one) => {
        const { operation, cause } = one;
        // Those are named below, with their exchanges.
        const isNamed = serverErrors !== undefined && typeof cause === 'number' && cause >= 500;
        const count = isNamed ? 0 : countOf(one);
        const name = typeof cause === 'number' ? `${cause}` : lossNames[cause];
        return count === 0 ? [] : [`${operationNames[operation](count)} ${causeText(name)}`];
      })
      .join(', ');
  const repeats = named(
    (one) => one.repeated,
    (cause) => `after ${cause}`,
  );
  // What the run itself ended is not lost.
  const lost = named(
    ({ cause, count, repeated: again }) => (cause === 'given up' ? 0 : count - again),
    (cause) => `(${cause})`,
  );
  return [
    repeated === 0 ? '' : `, ${repeated.toLocaleString('en-US')} of them repeats`,
    repeats === '' ? '' : `: ${repeats}`,
    lost === '' ? '' : `; never answered: ${lost}`,
    serverErrorsText('server errors that passed', serverErrors, true),
    serverErrorsText('server errors that were not seen to pass', serverErrors, false),
  ].join('');
}

/** So many answers of one kind are named. */
const maxAnswers = 5;

function serverErrorsText(
  what: string,
  all: readonly ServerErrors[] = [],
  passed: boolean,
): string {
  const named = all
    .filter((one) => one.passed === passed)
    .map(({ operation, status, on }) => {
      const more = on.length > maxAnswers ? ' …' : '';
      const numbers = on.slice(0, maxAnswers).map((number) => `#${number}`);
      return `${operationNames[operation](on.length)} (${status}: ${numbers.join(', ')}${more})`;
    });
  return named.length === 0 ? '' : `; ${what}: ${named.join(', ')}`;
}

/** The first of several ids, and how many more there are. */
export function listed(ids: readonly string[], most: number): string {
  const hidden = ids.length - most;
  const shown = ids.slice(0, most).join(', ');
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** What follows the first of several violations of a clause. */
export function andInMore(count: number): string {
  return count === 0 ? '' : ` (and in ${counted(count, 'more scenario')})`;
}

/** Milliseconds for people: "87 ms", "3.2 s", "2 min 05 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** An ISO instant for people, still UTC and to the second; anything else is left as it is. */
export function instant(iso: string): string {
  return iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

/** The target with its kind, for people. */
export function targetName({ target }: Results): string {
  return target.kind === 'embedded'
    ? `the embedded reference service (${target.baseUrl})`
    : target.baseUrl;
}
