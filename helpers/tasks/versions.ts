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

/** The same instant in other words: the ways of writing it that differ from the given one. */
export function rewritten(version: string): string[] {
  const parts = partsOf(version);
  if (parts === undefined) return [];
  const { seconds, fraction, zone } = parts;
  const point = fraction === '' ? '' : `.${fraction}`;
  const otherZone = zone === 'Z' ? '+00:00' : 'Z';
  return [`${seconds}${point}${otherZone}`, `${seconds}.${fraction.padEnd(3, '0')}000${zone}`];
}

function partsOf(version: string): { seconds: string; fraction: string; zone: string } | undefined {
  if (!isTimestamp(version)) return undefined;
  const [, seconds, fraction = '', zone] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(version) ?? [];
  return seconds === undefined || zone === undefined ? undefined : { seconds, fraction, zone };
}
