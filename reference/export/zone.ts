const quarter = 15 * 60_000;

/** Whether Intl knows the text as an IANA identifier. Bare offsets, which newer ones know too, are none. */
export function isTimezone(text: string): boolean {
  try {
    zoneOffset(text);
    return !/^[+-]/.test(text);
  } catch {
    return false;
  }
}

/** Minutes by which the clocks of a zone are ahead of UTC at an instant in milliseconds since 1970. */
export type ZoneOffset = (at: number) => number;

const zones = new Map<string, ZoneOffset>();

/**
 * The offsets of an IANA zone, daylight saving included. Asking Intl costs microseconds, so what it says is kept: one answer
 * for each quarter of an hour, as clocks are changed on these.
 */
export function zoneOffset(timezone: string): ZoneOffset {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  const ask = askIntl(timezone);
  const offsets = new Map<number, number>();
  const offsetAt: ZoneOffset = (at) => {
    const start = Math.floor(at / quarter) * quarter;
    const offset = offsets.get(start) ?? ask(start);
    offsets.set(start, offset);
    return offset;
  };
  zones.set(timezone, offsetAt);
  return offsetAt;
}

function askIntl(timezone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at)) ?? [];
    const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    return sign === '-' ? -ahead : ahead;
  };
}
