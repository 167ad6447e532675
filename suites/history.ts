import type { Violation } from '../helpers/outcomes.ts';
import { inGeneral, judgeEach } from './expectations.ts';

/*
 * When something goes wrong, told from what was sent anyway: what the wrong ones of many requests have in common, and no
 * other has. No further request is sent for it.
 */

/** What distinguishes a request from others of its kind, each as a phrase: "right after a read of an unknown task". */
export interface WithFacts {
  readonly facts: readonly string[];
}

/**
 * Judges each of these, as `judgeEach` does. The first violation is thrown, with what all wrong ones have in common.
 * @param general what all of them are, as a noun: said where all are wrong
 */
export function judgeHistory<One extends WithFacts>(
  all: readonly One[],
  judge: (one: One) => void,
  general?: string | undefined,
): void {
  judgeEach(all, judge, (first, wrong) => {
    if (new Set(wrong.map(({ violation: { on } }) => on[0]?.sends)).size > 1)
      first.on = first.on.map(({ sends: _, ...shown }) => shown);
    const isGeneral = wrong.length === all.length && wrong.length > 1;
    if (isGeneral && general) return inGeneral(first, general);
    const pieces = wrong.map(({ piece }) => piece);
    return isGeneral ? first : happening(first, commonTo(all, pieces));
  });
}

/** One fact, or two, that all wrong ones have, and no other; '' where nothing tells them apart. */
function commonTo(all: readonly WithFacts[], wrong: readonly WithFacts[]): string {
  const [first] = wrong;
  const { facts = [] } = first ?? {};
  const pairs = facts.flatMap((fact, at) => facts.slice(at + 1).map((other) => [fact, other]));
  const telling = [...facts.map((fact) => [fact]), ...pairs].find((some) => {
    const hasAll = (one: WithFacts): boolean => some.every((fact) => one.facts.includes(fact));
    return wrong.every(hasAll) && all.filter(hasAll).length === wrong.length;
  });
  return telling?.join(', ') ?? '';
}

/** The violation, with when it happens; as it is where it says so. */
function happening(violation: Violation, when: string): Violation {
  const { difference } = violation;
  const { kind } = difference;
  if (kind !== 'field' && kind !== 'status' && kind !== 'events') return violation;
  const write = kind === 'field' ? difference.write : undefined;
  const said = write ? `a write ${write.how}` : difference.when;
  // Nothing is said twice.
  if (when === '' || said?.includes(when)) return violation;
  violation.difference =
    write && kind === 'field'
      ? { ...difference, write: { ...write, how: `${write.how} (${when})` } }
      : { ...difference, when: `${said ?? 'after a write'} (${when})` };
  return violation;
}
