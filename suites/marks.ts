import type { World } from '../runner/world.ts';

/**
 * A mark for a comment, by which what follows on a write is known: digits that stand in no other comment, of this run of
 * the scenario or another, though the same seed may be used again. Digits survive being written in capitals.
 */
export function newMark({ faker, now }: World): string {
  return `${faker.string.numeric(4)}${Math.round(now())}`;
}

/** A comment like no other, of which whoever gets it by email sees what it is from. */
export function newComment({ faker }: Pick<World, 'faker'>): string {
  return `Contract test: ${faker.company.catchPhrase().toLowerCase()}.`;
}
