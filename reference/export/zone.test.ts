import { expect, test } from 'vitest';
import { isTimezone, zoneOffset } from './zone.ts';

const cases: ReadonlyArray<[zone: string, at: string, minutes: number]> = [
  ['UTC', '2026-07-01T00:00:00.000Z', 0],
  ['Europe/Berlin', '2026-03-29T00:59:59.999Z', 60],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', 120],
  ['Europe/Berlin', '2026-10-25T00:59:59.999Z', 120],
  ['Europe/Berlin', '2026-10-25T01:00:00.000Z', 60],
  ['America/New_York', '2026-03-08T06:59:59.999Z', -300],
  ['America/New_York', '2026-03-08T07:00:00.000Z', -240],
  ['Asia/Kolkata', '2026-01-01T00:00:00.000Z', 330],
  ['Asia/Kathmandu', '2026-07-01T00:00:00.000Z', 345],
  ['America/St_Johns', '2026-01-15T12:00:00.000Z', -210],
  // Half an hour of daylight saving, changed in the middle of an hour of UTC.
  ['Australia/Lord_Howe', '2026-04-04T14:59:59.999Z', 660],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00.000Z', 630],
  ['Australia/Lord_Howe', '2026-10-03T15:29:59.999Z', 630],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', 660],
  ['Pacific/Apia', '1969-12-31T23:59:59.999Z', -660],
];

test.for(cases)('%s at %s is %i minutes ahead', ([zone, at, minutes]) => {
  expect(zoneOffset(zone)(Date.parse(at))).toBe(minutes);
});

test('time zones are those of IANA', () => {
  const known = ['UTC', 'Europe/Paris', 'America/Argentina/Ushuaia', 'EST'];
  const unknown = ['', 'Mars/Olympus', '+01:00', '-05', 'Europe/', 'local time'];
  expect(known.map(isTimezone)).toEqual([true, true, true, true]);
  expect(unknown.map(isTimezone)).toEqual([false, false, false, false, false, false]);
});
