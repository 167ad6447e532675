import type { Faker } from '@faker-js/faker';

/** Each makes another key from the valid one. */
const changes = {
  'another key altogether': (_valid: string, faker: Faker) =>
    faker.string.alphanumeric({ length: 32 }),
  'the key with a character more': (valid: string) => valid + other(valid.at(-1)),
  'the key with a character less': (valid: string) => valid.slice(0, -1),
  'the key with its last character changed': (valid: string) =>
    valid.slice(0, -1) + other(valid.at(-1)),
  'the key with its first character changed': (valid: string) => other(valid[0]) + valid.slice(1),
  'the key in other case': otherCase,
};

/** A key that is not the configured one, and how it differs. */
export interface WrongKey {
  readonly what: string;
  readonly key: string;
}

/** Keys that are near the valid one, and one that is not; none of them is it. */
export function wrongKeys(valid: string, faker: Faker): WrongKey[] {
  return Object.entries(changes)
    .map(([what, change]) => ({ what, key: change(valid, faker) }))
    .filter(({ key }) => key !== valid && key !== '');
}

function other(character: string | undefined): string {
  return character === 'x' ? 'y' : 'x';
}

/** Upper case for lower, lower for upper; a key without letters comes back as it is. */
function otherCase(key: string): string {
  return key.replace(/[a-zA-Z]/g, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
}
