import type { Faker } from '@faker-js/faker';

/** A key that is not the configured one, and how it differs. */
export interface WrongKey {
  readonly what: string;
  readonly key: string;
}

/** Keys that are near the valid one, and one that is not; none of them is it. */
export function wrongKeys(valid: string, chance: Faker): WrongKey[] {
  const keys = [
    { what: 'another key altogether', key: chance.string.alphanumeric({ length: 32 }) },
    { what: 'the key with a character more', key: `${valid}${other(valid.at(-1))}` },
    { what: 'the key with a character less', key: valid.slice(0, -1) },
    {
      what: 'the key with its last character changed',
      key: valid.slice(0, -1) + other(valid.at(-1)),
    },
    { what: 'the key with its first character changed', key: other(valid[0]) + valid.slice(1) },
    { what: 'the key in other case', key: otherCase(valid) },
  ];
  return keys.filter(({ key }) => key !== valid && key !== '');
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
