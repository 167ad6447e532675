import fc from 'fast-check';
import '../fuzz-seed.fixture.ts';
import { expect, test } from 'vitest';
import { isTimestamp } from '../../schemas/resources.ts';
import { readDate } from './read-date.ts';
import { utcOf } from './time-zones.ts';

// Whatever instant is written. A failure prints the seed that repeats it.

const instants = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2089-12-31'), noInvalidDate: true })
  .map((date) => date.getTime());

const instantsOf = (text: string): number[] =>
  readDate(text).map((reading) => utcOf(reading) - (reading.offset ?? 0) * 60_000);

test('an instant in ISO 8601 is read as that instant alone, in UTC and with any offset', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), (instant, offset) => {
      const utc = new Date(instant).toISOString();
      expect(isTimestamp(utc)).toBe(true);
      expect(instantsOf(utc)).toEqual([instant]);
      const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
      const sign = offset < 0 ? '-' : '+';
      const zone = `${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
      const wall = new Date(instant + offset * 60_000).toISOString().slice(0, -1);
      expect(instantsOf(`${wall}${zone}`)).toEqual([instant]);
    }),
  );
});

test('an instant in another usual style is among the ways to read it, to the second', () => {
  const styles: readonly ((date: Date) => string)[] = [
    (date) => date.toUTCString(),
    (date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    (date) =>
      new Intl.DateTimeFormat('en-US', {
        dateStyle: 'short',
        timeStyle: 'medium',
        timeZone: 'UTC',
      }).format(date),
    (date) =>
      new Intl.DateTimeFormat('de', {
        dateStyle: 'medium',
        timeStyle: 'medium',
        timeZone: 'UTC',
      }).format(date),
    (date) =>
      new Intl.DateTimeFormat('fr', {
        dateStyle: 'long',
        timeStyle: 'medium',
        timeZone: 'UTC',
      }).format(date),
  ];
  fc.assert(
    fc.property(instants, fc.constantFrom(...styles), (instant, style) => {
      const second = Math.floor(instant / 1000) * 1000;
      const text = style(new Date(second));
      // Two digits of a year are of our time.
      fc.pre(second >= Date.UTC(2000, 0) || !/^\d{1,2}\/\d{1,2}\/\d{2},/.test(text));
      expect(instantsOf(text), text).toContain(second);
    }),
  );
});

test('no text whatever is more than a list of readings', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      for (const reading of readDate(text)) expect(Number.isFinite(utcOf(reading))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
