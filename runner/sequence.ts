import {
  type Exchange,
  hasSucceeded,
  headerOf,
  isReading,
  isWrite,
  taskIdOf,
} from '../helpers/http/exchange.ts';
import { isObject, jsonObject } from '../helpers/json.ts';
import type { ViolationFields } from '../helpers/outcomes.ts';

/*
 * Which requests to send again, outside a run, to see a violation again: the violating request alone mostly shows
 * nothing, because the task is in another state by then.
 */

/** How many writes back an old version that a request sends is looked for: an older version is not made again. */
const maxEarlierWrites = 4;

/** How many writes at most are made again to show where a wrong value comes from. */
const maxWritesSince = 8;

/**
 * The numbers of the exchanges to send again, in order: those that show the violation, those that must come before,
 * and for a write to a task, a reading of the task and the earlier writes to it that the violation depends on.
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
    const ofTask = exchanges.filter((one) => taskIdOf(one) === id);
    const before = shown.includes(write) ? carriedOutBefore(write, ofTask) : [];
    const earlier = neededOf(before.toReversed(), shown, difference).reverse();
    for (const one of earlier) needed.add(one);
    const first = earlier[0] ?? write;
    const reading =
      ofTask.findLast((one) => isReading(one) && one.number < first.number) ??
      ofTask.find(isReading);
    if (reading !== undefined) needed.add(reading);
  }
  return Array.from(needed, ({ number }) => number).sort((a, b) => a - b);
}

/** The write that made the wrong assignment which a reading shows: by the end of the run the task has been put back. */
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
 * The earlier writes that the violation depends on; like `before`, latest first. They go back to the last write, to the
 * one whose If-Match one of them sends again, or to the one that sent the value which is wrong now, whichever is earliest.
 */
function neededOf(
  before: readonly Exchange[],
  shown: readonly Exchange[],
  difference: ViolationFields['difference'],
): Exchange[] {
  const last = before.slice(0, maxEarlierWrites);
  const sent = shown.filter(isWrite).map(ifMatchOf);
  const oldest = last.findLastIndex((one, index) => {
    const version = ifMatchOf(one);
    const later = [...sent, ...last.slice(0, index).map(ifMatchOf)];
    return version !== '' && later.some((header) => header.includes(version));
  });
  const wrongValue = difference?.kind === 'field' ? difference.actual : '';
  const sourceIndex = /^".{8,}"$/s.test(wrongValue)
    ? before.findIndex(({ request }) => request.body?.includes(wrongValue))
    : -1;
  const isNear = sourceIndex < maxWritesSince;
  const count = Math.max(1, oldest + 1, isNear ? sourceIndex + 1 : 0);
  // A task that was unassigned then may be assigned now: the unassignment is sent again too.
  const isFromNobody = isObject(jsonObject(before[count]?.request.body)?.unassign);
  return before.slice(0, isFromNobody ? count + 1 : count);
}

/** The successful writes whose responses had arrived when the exchange began. */
function carriedOutBefore({ startedAt }: Exchange, exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(
    (one) => isWrite(one) && hasSucceeded(one) && one.startedAt + one.durationMs <= startedAt,
  );
}

function ifMatchOf({ request }: Exchange): string {
  return headerOf(request, 'if-match') ?? '';
}
