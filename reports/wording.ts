// The words that reports share. On the way from results to text, `verdicts.ts`, `findings.ts`, `compare.ts` and
// `fidelity.ts` find out what is to be said, as values; `differences.ts`, `facts.ts` and this file put it into words; one
// file for each format writes it down, and makes harmless what a target sent (`printable.ts`). Nothing reads words back.

import type { Misspelt } from '../helpers/config/environment.ts';
import { didYouMean } from '../helpers/did-you-mean.ts';
import { groupBy } from '../helpers/maps.ts';
import type { Variable } from '../schemas/configuration.ts';
import type { Operation } from '../schemas/operations.ts';
import {
  type ClauseResult,
  isUpheldInPart,
  type Lack,
  type Loss,
  type Reason,
  type Results,
  type UnusableValue,
  type ViolationResult,
} from '../schemas/results.ts';
import { numeral, printableLine } from './printable.ts';
import { hasLack, lacksOf } from './verdicts.ts';

/** The items that are there: `present(a, isThis && b)` holds b only where the condition is met. */
export function present<Item>(...items: readonly (Item | false | undefined)[]): Item[] {
  return items.filter((item): item is Item => item !== false && item !== undefined);
}

/** The reasons of a clause in words. Those of an upheld clause say what its verdict does not rest on. */
export function reasonsOfClause(clause: Pick<ClauseResult, 'verdict' | 'reasons'>): string {
  if (isUpheldInPart(clause)) {
    const lacking = reasonText({ kind: 'not configured', lacks: [...lacksOf(clause)] });
    return `Upheld in part; the rest was not judged. ${lacking}`;
  }
  const text = reasonsText(clause.reasons);
  return clause.verdict === 'upheld' && text !== ''
    ? `Upheld by what could be seen, but for this: ${text}`
    : text;
}

/** Why a verdict is not a plain one, in sentences on one line; empty where there is no reason. */
export function reasonsText(reasons: readonly Reason[]): string {
  // Where several scenarios lack something, what the least demanding one lacks is enough to judge by.
  const [least] = reasons
    .filter((reason) => reason.kind === 'not configured')
    .toSorted((a, b) => a.lacks.length - b.lacks.length);
  const telling = reasons.filter((one) => one.kind !== 'not configured' || one === least);
  // Three reasons, or all of four: those of further scenarios say much the same.
  const shown = telling.slice(0, telling.length === 4 ? 4 : 3).map(reasonText);
  const hidden = telling.length - shown.length;
  return present(...shown, hidden > 0 && `And for ${hidden} more reasons.`).join(' ');
}

function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'not selected':
      return 'Not selected.';
    case 'nothing seen':
      return 'Nothing to judge it by came up in this run.';
    case 'left out':
      return 'Left out on purpose (EXCEPT).';
    case 'not configured': {
      const names = reason.lacks.flatMap(({ variable, what, unusable }) =>
        unusable === undefined ? `${variable}: ${what}` : [],
      );
      const parts = present(
        ...reason.lacks.map(
          ({ variable, unusable }) => unusable && unusableText(variable, unusable),
        ),
        names.length > 0 && `Not configured: ${names.join('; ')}`,
      );
      return parts.map((part) => sentenceOf(part)).join(' ');
    }
    case 'suite failure':
      return sentenceOf(
        `The suite itself failed, which says nothing about the target: ${reason.why.split('\n', 1)[0]}`,
        reason.on,
      );
    default:
      return sentenceOf(reason.why, reason.on);
  }
}

/** A line, with a line feed, for each name that is nearly one of our variables; empty where there are none. */
export function renderMisspelt(misspelt: readonly Misspelt[]): string {
  const lines = misspelt.map(
    ({ name, meant, file = 'the environment' }) =>
      `${printableLine(name)} in ${printableLine(file)} is no variable of this suite, and is not read. ${didYouMean([meant])}\n`,
  );
  return lines.join('');
}

/** Tells somebody who waits for a target that does not answer yet. @param variable what sets the longest wait */
export function renderWaiting(baseUrl: string, maxMs: number, variable: Variable): string {
  return `Waiting for ${baseUrl} to answer, for ${maxMs / 1000} s at the most (${variable}) …\n`;
}

/** “TASK_IDS: 7d4f… is not there (404)”, with what the target said. */
export function unusableText(variable: string, unusable: NonNullable<Lack['unusable']>): string {
  const values = unusable.map((one) => unusableValueText(variable, one));
  // A refused write shows neither which of its ids is wrong, nor whether two lists are exchanged.
  const suspects = [...new Set(unusable.flatMap((one) => one.or ?? []).map((one) => one.variable))];
  const isExchangeable = suspects.includes('USER_IDS') && suspects.includes('TEAM_IDS');
  const other = unusable.find((one) => one.exchangedWith)?.exchangedWith;
  return present(
    `${variable}: ${listed(values, 3)}`,
    suspects.length > 0 && `, or ids in ${suspects.join(' and ')} are wrong`,
    isExchangeable && ', or exchanged',
    other !== undefined && `; ${variable} and ${other} may be exchanged`,
  ).join('');
}

/** “7d4f… is not there (404: {"error":…)”. */
function unusableValueText(
  variable: string,
  { value, status, answer, loss }: Omit<UnusableValue, 'variable'>,
): string {
  if (loss !== undefined) {
    return `nothing answers ${variable === 'WRONG_REGION_URL' ? 'at' : 'through'} ${value} (${lossNames[loss]})`;
  }
  const isReadById = variable === 'TASK_IDS' || variable === 'ASSESSMENT_IDS';
  const what = isReadById && status === 404 ? 'is not there' : 'is refused by the target';
  return `${value} ${what} (${status}${answer === undefined ? '' : `: ${answer}`})`;
}

/** Configured values that cannot be used, a line for each variable. @param clauses after a run: they show what that costs */
export function unusableLines(
  unusable: readonly UnusableValue[] = [],
  clauses?: readonly ClauseResult[],
): string[] {
  return [...groupBy(unusable, ({ variable }) => variable)].map(([variable, values]) => {
    const them = values.length === 1 ? 'it' : 'them';
    // Too few values of the variable are left to judge these, or all of them.
    const lost = (clauses ?? []).filter(
      (clause) =>
        clause.level !== 'open' &&
        (clause.verdict === 'not judged' || isUpheldInPart(clause)) &&
        hasLack(clause, (lack) => lack.variable === variable),
    );
    const isRestUsed = clauses !== undefined && values.some(({ loss }) => loss === undefined);
    const cost =
      lost.length > 0
        ? ` ${counted(lost.length, 'clause')} ${lost.length === 1 ? 'is' : 'are'} not judged, or not in full, for want of ${variable}.`
        : isRestUsed
          ? ' The others of that list were used.'
          : '';
    const text = printableLine(unusableText(variable, values));
    return `${text}: correct ${them}, or take ${them} out.${cost}`;
  });
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

/** “ (#3, #4)”; empty where there are none. */
export function inBrackets(exchanges: readonly number[]): string {
  return exchanges.length === 0 ? '' : ` (${exchangeNumbers(exchanges, maxExchanges)})`;
}

/** The most exchanges that a sentence names. */
const maxExchanges = 6;

/** “#3, #4”. @param most how many are named; the others are counted */
export function exchangeNumbers(exchanges: readonly number[], most = exchanges.length): string {
  const numbers = exchanges.map((number) => `#${number}`);
  return listed(numbers, most);
}

/** The exchanges that show a violation, the one to blame first. */
export function exchangesOf({ on }: Pick<ViolationResult, 'on'>): number[] {
  return on.map(({ exchange }) => exchange);
}

/** "1 clause", "2 clauses". */
export function counted(count: number, noun: string): string {
  return `${numeral(count)} ${noun}${count === 1 ? '' : 's'}`;
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

/** What follows the number of all requests: how many repeat others, which failed and why, and which got a server error. */
export function repeatsText({ repeated, failed, serverErrors }: Results['requests']): string {
  const lost = failed
    // An answer that the run itself gave up is not lost; server errors are named with their exchanges.
    .filter(({ cause }) => cause !== 'given up' && !(Number(cause) >= 500))
    .map(({ operation, cause, count, repeated: again }) => {
      const why = typeof cause === 'number' ? `${cause}` : lossNames[cause];
      const sent = again === count ? 'sent again' : `${again} sent again`;
      return `${operationNames[operation](count)} (${why}${again > 0 ? `, ${sent}` : ''})`;
    });
  const errors = serverErrors.map(({ operation, status, on, passed }) => {
    const passing = passed ? ', passed' : '';
    return `${operationNames[operation](on.length)} (${status}: ${exchangeNumbers(on, maxExchanges)}${passing})`;
  });
  return present(
    repeated > 0 && `, ${numeral(repeated)} of them repeats`,
    lost.length > 0 && `; failed: ${lost.join(', ')}`,
    errors.length > 0 && `; server errors: ${errors.join(', ')}`,
  ).join('');
}

/** “a, b and 3 more”: the first ids, as many as `most`, and how many more there are. */
export function listed(ids: readonly string[], most: number): string {
  const hidden = ids.length - most;
  const shown = ids.slice(0, most).join(', ');
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** “ (and in 2 more scenarios)”, behind the first of several violations; empty where there are no others. */
export function andInMore(count: number): string {
  return count === 0 ? '' : ` (and in ${counted(count, 'more scenario')})`;
}

/** Milliseconds for people: "87 ms", "3.2 s", "2 min 05 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** An ISO instant for people, still UTC and to the second; anything else is left as it is. */
export function instant(iso: string): string {
  return iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}
