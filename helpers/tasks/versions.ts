import { isTimestamp } from '../../schemas/timestamp.ts';

/**
 * Another moment, so many milliseconds later (or earlier), written as the given one is: as many fractional
 * digits (at least three), the same mark for UTC.
 * @returns undefined where the text is no ISO 8601 UTC datetime
 */
export function shifted(version: string, milliseconds: number): string | undefined {
  const parts = partsOf(version);
  if (parts === undefined) return undefined;
  const { seconds, fraction, zone } = parts;
  const milli = Number(fraction.padEnd(3, '0').slice(0, 3));
  const moment = new Date(Date.parse(`${seconds}Z`) + milli + milliseconds).toISOString();
  return `${moment.slice(0, 23)}${fraction.slice(3)}${zone}`;
}

/** The same instant with `+00:00` for `Z`, or the other way round; a text that is no timestamp as it is. */
export function withOtherZoneMark(version: string): string {
  return version.endsWith('Z') ? version.replace(/Z$/, '+00:00') : version.replace('+00:00', 'Z');
}

/** The same instant with zeros added to its fractional digits; a text that is no timestamp as it is. */
export function withMoreDigits(version: string): string {
  const parts = partsOf(version);
  if (parts === undefined) return version;
  return `${parts.seconds}.${parts.fraction.padEnd(3, '0')}000${parts.zone}`;
}

/** The instant of a version in nanoseconds since 1970, as finely as it is written; undefined where it is no timestamp. */
export function instantOf(version: string): bigint | undefined {
  const parts = partsOf(version);
  if (parts === undefined) return undefined;
  const fraction = parts.fraction.padEnd(9, '0').slice(0, 9);
  return BigInt(Date.parse(`${parts.seconds}Z`)) * 1_000_000n + BigInt(fraction);
}

function partsOf(version: string): { seconds: string; fraction: string; zone: string } | undefined {
  if (!isTimestamp(version)) return undefined;
  const [, seconds, fraction = '', zone] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(version) ?? [];
  return seconds === undefined || zone === undefined ? undefined : { seconds, fraction, zone };
}
