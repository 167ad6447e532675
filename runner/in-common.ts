import type { Case, ViolationFields } from '../helpers/outcomes.ts';
import type { Difference } from '../schemas/difference.ts';

/*
 * When a violation shows: what all requests that showed it have in common, and no other of them has. Scenarios that judge
 * a clause by the same request are one experiment: what is so by chance in one of them, others refute.
 */

/**
 * The difference, said of all that was wrong.
 * @param all what all scenarios have judged by the same clause
 */
export function inCommon(
  { difference, cases = [], common }: ViolationFields,
  all: readonly Case[] = [],
): Difference {
  const own = cases.find(isWrong);
  if (own === undefined) return difference;
  const alike = all.filter(({ request }) => request === own.request);
  const judged = alike.filter(({ is }) => is !== 'not judged');
  const areAllWrong = judged.length > 1 && judged.every(isWrong);
  // What is said of writes of one kind is judged of no others.
  const telling = areAllWrong && common ? [] : tellingOf(own, areAllWrong ? alike : judged);
  if (telling === undefined) return difference;
  const wrong = judged.filter(isWrong);
  const kinds = new Set(wrong.map(({ facts: [kind] }) => kind));
  const isOfAll = wrong.every(({ facts }) => telling.every((fact) => facts.includes(fact)));
  // By two facts anything is soon told from all else.
  const isGeneral = common !== undefined && isOfAll && kinds.size > 1 && telling.length < 2;
  return happening(isGeneral ? inGeneral(difference, common) : difference, telling);
}

const isWrong = ({ is }: Case): boolean => is === 'wrong';

/**
 * One fact of a wrong case, or two, that all wrong ones have, and no other; or else one by which wrong ones of its kind,
 * of which the first fact tells, differ from others.
 */
function tellingOf({ facts }: Case, all: readonly Case[]): readonly string[] | undefined {
  if (all.every(isWrong)) return undefined;
  const [kind] = facts;
  const ofKind = all.filter((one) => one.facts[0] === kind);
  const singly = facts.map((fact) => [fact]);
  const pairs = facts.flatMap((fact, at) => facts.slice(at + 1).map((other) => [fact, other]));
  const tells =
    (some: readonly Case[]) =>
    (those: readonly string[]): boolean =>
      some.every((one) => those.every((fact) => one.facts.includes(fact)) === isWrong(one));
  const telling = [...singly, ...pairs].find(tells(all));
  // A kind of which one is wrong differs by everything from the others.
  const isOften = ofKind.filter(isWrong).length > 1 && !ofKind.every(isWrong);
  return telling ?? (isOften ? singly.find(tells(ofKind)) : undefined);
}

/** The difference, with when it happens, as facts; without those that it says. */
function happening(difference: Difference, facts: readonly string[]): Difference {
  const { kind } = difference;
  if (kind !== 'field' && kind !== 'status' && kind !== 'events') return difference;
  const write = kind === 'field' ? difference.write : undefined;
  const said = write ? `a write ${write.how}` : difference.when;
  const when = facts.filter((fact) => !said?.includes(fact)).join(', ');
  if (when === '') return difference;
  return write && kind === 'field'
    ? { ...difference, write: { ...write, how: `${write.how} (${when})` } }
    : { ...difference, when: `${said ?? 'after a write'} (${when})` };
}

/** The same difference, said of what several requests have in common. */
function inGeneral(difference: Difference, common: string): Difference {
  if (difference.kind === 'status') return { ...difference, when: common, isGeneral: true };
  if (difference.kind === 'field' && difference.write !== undefined)
    return { ...difference, write: { ...difference.write, how: common } };
  return difference;
}
