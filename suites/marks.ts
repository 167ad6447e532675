import type { World } from '../runner/world.ts';

/** A comment that no other write has. Whoever gets it by email sees that a contract test wrote it. */
export function newComment({ faker, mark }: Pick<World, 'faker' | 'mark'>): string {
  return `Contract test ${mark()}: ${faker.company.catchPhrase().toLowerCase()}.`;
}
