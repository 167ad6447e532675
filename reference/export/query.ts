import type { ListEncoding, ListFilter, MetadataKey } from '../../schemas/operations.ts';
import type { AuditEvent } from '../records.ts';

/*
 * The query of an export, before it is read and afterwards (4. Export audit events). How its parameters are read is
 * a matter of rules.
 */

/** Parameters as they were sent, decoded, in their order; a name may come several times. */
export type Parameters = ReadonlyArray<readonly [name: string, value: string]>;

export type BoundName = 'range_start' | 'range_end';

export type FileType = 'csv' | 'pdf';

/** What an export asks for, once the rules have read its parameters. */
export interface ExportQuery {
  /** Lists without values are left out: they filter nothing. */
  readonly lists: Readonly<Partial<Record<ListFilter, readonly string[]>>>;
  readonly metadata: Readonly<Partial<Record<MetadataKey, string>>>;
  /** Nanoseconds since 1970 UTC; missing where unbounded. */
  readonly start?: bigint;
  readonly end?: bigint;
  readonly fileType: FileType;
  readonly locale: string;
  /** An IANA identifier that Intl knows. */
  readonly timezone: string;
}

/** Thrown where an export is refused with 400 (Errors); the message says why, for the person who asked. */
export class ExportRefused extends Error {
  override name = 'ExportRefused';
}

/** The query of a request target, decoded as forms are: `+` is a space. */
export function parametersOf(target: string): Parameters {
  const mark = target.indexOf('?');
  return mark === -1 ? [] : [...new URLSearchParams(target.slice(mark + 1))];
}

/** What divides values that are sent as one; a comma reads the same, percent-encoded or not. */
const dividers: { readonly [E in ListEncoding]?: string } = {
  comma: ',',
  'bare-comma': ',',
  pipe: '|',
  semicolon: ';',
};

/** Reads a list parameter in the given encodings: values in the order in which they were sent. */
export function readListIn(
  encodings: readonly ListEncoding[],
): (parameters: Parameters, name: string) => readonly string[] {
  return (parameters, name) =>
    parameters.flatMap(([sent, value]) => {
      if (sent === name) {
        const divider = encodings.flatMap((encoding) => dividers[encoding] ?? [])[0];
        if (divider !== undefined) return value.split(divider);
        if (encodings.includes('json')) return listInJson(value);
        if (encodings.includes('repeat')) return [value];
      }
      if (sent === `${name}[]` && encodings.includes('brackets')) return [value];
      if (isIndexed(sent, name) && encodings.includes('indices')) return [value];
      return [];
    });
}

/** Empty where the text is no JSON list of texts. */
function listInJson(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

function isIndexed(sent: string, name: string): boolean {
  return sent.startsWith(`${name}[`) && /^\[\d+\]$/.test(sent.slice(name.length));
}

/** Whether a parameter is left out, empty or `null`: the document lets it be null, not how that is written. */
export function isNull(value: string | undefined): value is '' | 'null' | undefined {
  return value === undefined || value === '' || value === 'null';
}

/** Nanoseconds since 1970 of an ISO 8601 datetime; digits beyond the ninth are cut off. */
export function instantOf(timestamp: string): bigint {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  const isLeapSecond = /:60(?=[.Z+])/.test(timestamp);
  const whole = timestamp.replace(/\.\d+/, '').replace(/:60(?=[.Z+])/, ':59');
  const seconds = BigInt(Date.parse(whole) / 1000 + (isLeapSecond ? 1 : 0));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** When an event happened, in nanoseconds since 1970 UTC. */
export function instantOfEvent({ at, beyondMs = 0 }: Pick<AuditEvent, 'at' | 'beyondMs'>): bigint {
  return BigInt(Math.floor(at)) * 1_000_000n + BigInt(beyondMs);
}
