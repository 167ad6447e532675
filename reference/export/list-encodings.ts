import type { Parameters } from './query.ts';

/** The usual ways to send several values under one name; the document shows none (4. Export audit events). */
export type ListEncoding = 'repeat' | 'brackets' | 'indices' | 'comma';

/** Reads a list parameter in the given encodings: values in the order in which they were sent. */
export function readListIn(
  encodings: readonly ListEncoding[],
): (parameters: Parameters, name: string) => readonly string[] {
  return (parameters, name) =>
    parameters.flatMap(([sent, value]) => {
      if (sent === name) {
        if (encodings.includes('comma')) return value.split(',');
        if (encodings.includes('repeat')) return [value];
      }
      if (sent === `${name}[]` && encodings.includes('brackets')) return [value];
      if (isIndexed(sent, name) && encodings.includes('indices')) return [value];
      return [];
    });
}

function isIndexed(sent: string, name: string): boolean {
  return sent.startsWith(`${name}[`) && /^\[\d+\]$/.test(sent.slice(name.length));
}
