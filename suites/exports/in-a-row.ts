import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import type { Combination } from './covering-array.ts';
import { withADefault } from './levels.ts';
import { type Asked, ask, type Model, requestPhrase } from './prediction.ts';

/*
 * What a request is answered with must not depend on what was asked for right before it: a setting or a list that is not
 * its own, a page that was read half. No request shows that alone, so requests are sent one right after the other.
 */

/**
 * Sends requests of each kind right after one of each, those that take turns right after each other too; one after the
 * other and each anew.
 * @returns those that differ only right after another one; and all others, as they are answered by themselves
 */
export async function askInARow(
  kinds: readonly (readonly Combination[])[],
  model: Model,
): Promise<readonly Asked[]> {
  const anew: Model = { ...model, isAnew: true };
  const asked: Asked[] = [];
  let before: Combination | undefined;
  const sent = new Map<unknown, number>();
  for (const kind of eachAfterEach(kinds, ({ length }) => length)) {
    const turn = sent.get(kind) ?? 0;
    sent.set(kind, turn + 1);
    const levels = kind[turn % kind.length] ?? [];
    const first = await ask(levels, anew);
    // The same request is answered rightly, or in other words, where a wrong copy is kept of these: not what is exported by
    // now differs. The other order of parameters will not do, as a service may heed only the first value of a list.
    const isOnce =
      first.wrong !== undefined &&
      ((await ask(levels, anew)).wrong === undefined ||
        (await ask(withADefault(levels), anew)).wrong === undefined);
    // Whether a request must be served or refused is judged elsewhere.
    const isOfStatus = first.wrong?.difference.kind === 'status';
    if (isOnce && before !== undefined) asked.push(await askAfter(before, levels, anew));
    else if (levels.some(({ caller }) => caller)) asked.push(first);
    else if (!isOfStatus && !levels.some(({ mayBeRefused }) => mayBeRefused))
      asked.push(first.wrong === undefined ? first : await ask(levels, model));
    before = levels;
  }
  return asked;
}

/** Sends a request that differed right after another one alone right after it again. */
async function askAfter(before: Combination, levels: Combination, anew: Model): Promise<Asked> {
  const earlier = await ask(before, anew);
  const { wrong, ...asked } = await ask(levels, anew);
  const [own, others] = [levels, before].map(requestPhrase);
  const after = { ...asked, after: before };
  if (wrong === undefined) {
    const why = `An export with ${own} was another one right after one with ${others}, and not when both were sent again.`;
    return { ...after, undecided: new Inconclusive(why, [asked.answer, earlier.answer]) };
  }
  const { difference } = wrong;
  const when = `${own}, only right after ${own === others ? 'the same' : others}`;
  const said =
    difference.kind === 'events'
      ? { ...difference, when }
      : difference.kind === 'status'
        ? { ...difference, when: `an export with ${when}` }
        : difference;
  return { ...after, wrong: new Violation(said, [asked.answer], [earlier.answer]) };
}

/**
 * The items in an order in which each comes right after each, itself included: of a and b the order a, a, b, b, a.
 * @param timesOf how often at least an item comes right after itself
 */
export function eachAfterEach<T>(all: readonly T[], timesOf: (one: T) => number): readonly T[] {
  const inOrder = all.flatMap((one, index) => [
    ...Array.from({ length: timesOf(one) }, () => one),
    ...all.slice(index + 1).flatMap((other) => [one, other]),
  ]);
  return [...inOrder, ...all.slice(0, 1)];
}
