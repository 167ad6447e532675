const minute = 60_000;
const day = 24 * 60 * minute;

const timezones = new Set<string>();

/** Whether Intl knows the text as an IANA identifier. Bare offsets, which newer ones know too, are none. */
export function isTimezone(text: string): boolean {
  if (timezones.has(text)) return true;
  const isKnown = !/^[+-]/.test(text) && isKnownToIntl(text);
  if (isKnown) timezones.add(text);
  return isKnown;
}

function isKnownToIntl(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Minutes by which the clocks of a zone are ahead of UTC at an instant in milliseconds since 1970. */
export type ZoneOffset = (at: number) => number;

const zones = new Map<string, ZoneOffset>();

/**
 * The offsets of an IANA zone, daylight saving included. Asking Intl costs microseconds, so what it says is
 * kept: one answer for a day that begins and ends with the same offset, one for each minute of other days.
 */
export function zoneOffset(timezone: string): ZoneOffset {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  const ask = askIntl(timezone);
  const wholeDay = remembered((start) => {
    const offset = ask(start);
    return offset === ask(start + day) ? offset : undefined;
  });
  const singleMinute = remembered(ask);
  const offsetAt: ZoneOffset = (at) =>
    wholeDay(at - mod(at, day)) ?? singleMinute(at - mod(at, minute));
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

function remembered<T>(answer: (at: number) => T): (at: number) => T {
  const answers = new Map<number, T>();
  return (at) => {
    if (!answers.has(at)) answers.set(at, answer(at));
    // The line above has put an answer there.
    return answers.get(at) as T;
  };
}

/** The remainder that is never negative, for instants before 1970. */
function mod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
