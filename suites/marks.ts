import type { World } from '../runner/world.ts';

/** A comment like no other, of which whoever gets it by email sees what it is from. */
export function newComment({ faker, mark }: Pick<World, 'faker' | 'mark'>): string {
  return `Contract test ${mark()}: ${faker.company.catchPhrase().toLowerCase()}.`;
}
