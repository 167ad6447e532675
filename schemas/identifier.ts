/** UUID-shaped: 8-4-4-4-12 hexadecimal digits in any case, whatever the version (Resources and their fields). */
export const identifierPattern =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

export const identifier = { type: 'string', pattern: identifierPattern } as const;

const form = new RegExp(identifierPattern);

/** Whether a text is UUID-shaped, as identifiers are (Resources and their fields). */
export function isUuidShaped(text: string): boolean {
  return form.test(text);
}

/** Whether two values are the same id; `AB…` and `ab…` are, as the document leaves open the case of letters. */
export function sameId(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.toLowerCase() === other.toLowerCase();
}
