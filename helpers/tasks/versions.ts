import { isTimestamp } from '../../schemas/resources.ts';

/**
 * The version right before or after a given one, in the same form: it differs by one in the last digit, as `…33.124Z`
 * from `…33.123Z`. Final zeros beyond milliseconds do not count: a service may add them and keep milliseconds. After
 * whole seconds it is a day later: somebody else's change may make the version of the next second meanwhile.
 * @returns undefined where the text is no ISO 8601 UTC datetime since 1970
 */
export function neighbour(version: string, side: 'earlier' | 'later'): string | undefined {
  const parts = partsOf(version);
  if (parts === undefined) return undefined;
  const { seconds, fraction, zone } = parts;
  const digits = Math.max(fraction.replace(/0+$/, '').length, Math.min(fraction.length, 3));
  const inASecond = 10n ** BigInt(digits);
  const given =
    BigInt(Date.parse(`${seconds}Z`) / 1000) * inASecond + BigInt(fraction.slice(0, digits));
  const later = digits === 0 ? secondsInADay : 1n;
  const next = side === 'later' ? given + later : given - 1n;
  if (next < 0n) return undefined;
  const moment = new Date(Number(next / inASecond) * 1000).toISOString().slice(0, 19);
  if (digits === 0) return `${moment}${zone}`;
  const last = String(next % inASecond).padStart(digits, '0');
  return `${moment}.${last}${fraction.slice(digits)}${zone}`;
}

const secondsInADay = 86_400n;

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

/** The instant of a version, in nanoseconds since 1970; undefined where it is no timestamp. */
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
