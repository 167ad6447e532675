import {
  type Exchange,
  hasSucceeded,
  headerOf,
  isReading,
  isWrite,
  taskIdOf,
} from '../helpers/http/exchange.ts';
import { jsonObject } from '../helpers/json-object.ts';
import type { ViolationFields } from '../helpers/outcomes.ts';
import { isObject } from '../helpers/validation.ts';

/*
 * What is to be sent again for a violation to show again, by itself: a request out of its context mostly shows nothing.
 */

/** A version that is older by more writes than these is shown by the exchanges alone. */
const maxEarlierWrites = 4;

/** So many writes are made again at the most to show where a wrong value comes from. */
const maxWritesSince = 8;

/**
 * The exchanges to send again, in their order: those that show the violation, what it needs to come before, and of each task
 * that they write to, a reading and the writes that made it what it was then and their version what it was.
 * @param exchanges by number
 */
export function sequenceOf(
  { on, after = [], difference }: Pick<ViolationFields, 'on' | 'after' | 'difference'>,
  exchanges: readonly Exchange[],
): number[] {
  const cited = new Set([...after, ...on.map(({ exchange }) => exchange)]);
  const shown = exchanges.filter(({ number }) => cited.has(number));
  const needed = new Set(shown);
  const write = shown.find(isWrite) ?? writeBehind(difference, shown, exchanges);
  if (write !== undefined) needed.add(write);
  const id = write && taskIdOf(write);
  if (write !== undefined && id !== undefined) {
    const own = exchanges.filter((one) => taskIdOf(one) === id);
    const before = shown.includes(write) ? carriedOutBefore(write, own) : [];
    const earlier = neededOf(before.toReversed(), { shown, difference }).reverse();
    for (const one of earlier) needed.add(one);
    const first = earlier[0] ?? write;
    const reading =
      own.findLast((one) => isReading(one) && one.number < first.number) ?? own.find(isReading);
    if (reading !== undefined) needed.add(reading);
  }
  return Array.from(needed, ({ number }) => number).sort((a, b) => a - b);
}

/** Of readings that show a wrong assignment, the write that made it: the run puts back what was there before. */
function writeBehind(
  difference: ViolationFields['difference'],
  [first]: readonly Exchange[],
  exchanges: readonly Exchange[],
): Exchange | undefined {
  const isOfAssignment =
    difference?.kind === 'field' && difference.fields.some((one) => /^assignment\b/.test(one));
  if (!isOfAssignment || first === undefined) return undefined;
  return carriedOutBefore(first, exchanges).findLast((one) => taskIdOf(one) === taskIdOf(first));
}

/**
 * Of the writes before one, the latest first, those that it needs: the last of them, those since the oldest version that is
 * sent, and those since the one that sent the value which is wrong now.
 */
function neededOf(
  before: readonly Exchange[],
  {
    shown,
    difference,
  }: { readonly shown: readonly Exchange[]; readonly difference: ViolationFields['difference'] },
): Exchange[] {
  const last = before.slice(0, maxEarlierWrites);
  const sent = shown.filter(isWrite).map(ifMatchOf);
  const oldest = last.findLastIndex((one) => {
    const version = ifMatchOf(one);
    return version !== '' && sent.some((header) => header.includes(version));
  });
  const wrong = difference?.kind === 'field' ? difference.actual : '';
  const source = /^".{8,}"$/s.test(wrong)
    ? before.findIndex(({ request }) => request.body?.includes(wrong))
    : -1;
  const isNear = source < maxWritesSince;
  const count = Math.max(1, oldest + 1, isNear ? source + 1 : 0);
  // What was assigned to nobody then may be so no more.
  const isFromNobody = before[count] !== undefined && isUnassignment(before[count]);
  return before.slice(0, isFromNobody ? count + 1 : count);
}

function isUnassignment({ request }: Exchange): boolean {
  return isObject(jsonObject(request.body)?.unassign);
}

/** The writes that had their answers, and were carried out, when an exchange began. */
function carriedOutBefore({ startedAt }: Exchange, exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter((one) => isWrite(one) && hasSucceeded(one) && endOf(one) <= startedAt);
}

function endOf({ startedAt, durationMs }: Exchange): number {
  return startedAt + durationMs;
}

function ifMatchOf({ request }: Exchange): string {
  return headerOf(request, 'if-match') ?? '';
}
