import { describe, expect, it } from 'vitest';
import { wallTimeIn } from '../dates/time-zones.ts';
import { dateForms, findDates } from './printed-dates.ts';
import type { PdfReading } from './read-pdf.ts';

/** A PDF of these lines, one below the other. */
function pdfOf(lines: readonly string[]): PdfReading {
  const texts = lines.map((text, index) => ({
    text,
    x: 40,
    y: 20 * index,
    width: 200,
    height: 10,
  }));
  return { pages: [{ width: 600, height: 20 * lines.length, hasPictures: false, texts }] };
}

/** Every five hours, over ten days. */
const instants = Array.from(
  { length: 48 },
  (_, index) => Date.UTC(2026, 10, 3, 4, 5, 6) + index * (5 * 3_600_000 + 61_000),
);
const hour = 3_600_000;

const inZone = (zone: string) => instants.map((at) => wallTimeIn(zone, at));
const written = (options: Intl.DateTimeFormatOptions, language = 'en', timeZone = 'UTC') => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone });
  return (at: number) => format.format(at);
};

const zone = 'Asia/Kathmandu';
const fullDay = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Events below a heading for each day. */
function belowDays(day: (at: number) => string, clock: (at: number) => string): PdfReading {
  return pdfOf(
    instants.flatMap((at, index) => {
      const before = instants[index - 1];
      const isNew = before === undefined || day(before) !== day(at);
      return [...(isNew ? [day(at)] : []), `${clock(at)} task created`];
    }),
  );
}

describe.for([
  ['en', { timeStyle: 'medium' }],
  ['de', { timeStyle: 'medium' }],
  ['fr', { timeStyle: 'short' }],
  ['ja', { timeStyle: 'medium' }],
] as const)('below headings for days in %s', ([language, clock]) => {
  const plain = belowDays(written(fullDay, language), written(clock, language));
  const forms = dateForms(inZone('UTC'), plain);

  it('local times are right', () => {
    const right = belowDays(written(fullDay, language, zone), written(clock, language, zone));
    expect(findDates(inZone(zone), right, forms)).toEqual({ kind: 'right' });
  });

  it('days of UTC above local times are wrong', () => {
    const wrong = belowDays(written(fullDay, language), written(clock, language, zone));
    expect(findDates(inZone(zone), wrong, forms)).toMatchObject({ kind: 'wrong' });
  });

  it('dates without the timezone are wrong', () => {
    expect(findDates(inZone(zone), plain, forms)).toMatchObject({ kind: 'wrong' });
  });
});

describe('with the day beside the time', () => {
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const pdf = (write: (at: number) => string) => pdfOf(instants.map(write));
  const forms = dateForms(inZone('UTC'), pdf(written(style)));

  it('an hour too much is wrong, as in the other half of the year', () => {
    const late = pdf((at) => written(style, 'en', zone)(at + hour));
    expect(findDates(inZone(zone), late, forms)).toEqual({
      kind: 'wrong',
      expected: expect.objectContaining({ day: 3, hour: 9, minute: 50 }),
      actual: expect.objectContaining({ day: 3, hour: 10, minute: 50 }),
    });
  });

  it('dates that are not there, nor others in their place, are unclear', () => {
    const cut = pdf((at) => written(style, 'en', zone)(at).slice(0, 9));
    expect(findDates(inZone(zone), cut, forms)).toEqual({ kind: 'unclear' });
  });
});

it('text without the dates shows no way of writing them', () => {
  expect(dateForms(inZone('UTC'), pdfOf(instants.map((_, index) => `event ${index}`)))).toEqual([]);
});
