import { describe, expect, it } from 'vitest';
import { wallTimeIn } from '../dates/time-zones.ts';
import { dateForms, findDates } from './printed-dates.ts';
import type { PdfReading } from './read-pdf.ts';

/** A PDF of these lines, one below the other. */
function pdfOf(lines: readonly string[]): PdfReading {
  const texts = lines.map((text, index) => ({ text, x: 40, y: 20 * index }));
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
  const plain = () => belowDays(written(fullDay, language), written(clock, language));
  const forms = () => dateForms(inZone('UTC'), plain());

  it('local times are right', () => {
    const right = belowDays(written(fullDay, language, zone), written(clock, language, zone));
    expect(findDates(inZone(zone), right, forms())).toEqual({ kind: 'right' });
  });

  it('days of UTC above local times are wrong', () => {
    const wrong = belowDays(written(fullDay, language), written(clock, language, zone));
    expect(findDates(inZone(zone), wrong, forms())).toMatchObject({ kind: 'wrong' });
  });

  it('dates without the timezone are wrong', () => {
    expect(findDates(inZone(zone), plain(), forms())).toMatchObject({ kind: 'wrong' });
  });
});

describe('with the day beside the time', () => {
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const pdf = (write: (at: number) => string) => pdfOf(instants.map(write));
  const forms = () => dateForms(inZone('UTC'), pdf(written(style)));

  it('an hour too much is wrong, as in the other half of the year', () => {
    const late = pdf((at) => written(style, 'en', zone)(at + hour));
    expect(findDates(inZone(zone), late, forms())).toEqual({
      kind: 'wrong',
      expected: expect.objectContaining({ day: 3, hour: 9, minute: 50 }),
      actual: expect.objectContaining({ day: 3, hour: 10, minute: 50 }),
    });
  });

  it('an hour too much in every file is wrong', () => {
    const byAnHour = (inAnyZone?: string) =>
      pdf((at) => written(style, 'en', inAnyZone)(at + hour));
    const learned = dateForms(inZone('UTC'), byAnHour());
    expect(findDates(inZone(zone), byAnHour(zone), learned)).toMatchObject({ kind: 'wrong' });
  });

  it('dates that are not there, nor others in their place, are unclear', () => {
    const cut = pdf((at) => written(style, 'en', zone)(at).slice(0, 9));
    expect(findDates(inZone(zone), cut, forms())).toEqual({ kind: 'unclear' });
  });
});

describe('wrong dates', () => {
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const local = written(style, 'en', zone);
  const pdf = (write: (at: number, index: number) => string) => pdfOf(instants.map(write));
  const found = (write: (at: number, index: number) => string) => {
    const forms = dateForms(inZone('UTC'), pdf(written(style)));
    return findDates(inZone(zone), pdf(write), forms).kind;
  };
  /** So many are an hour late, and the others are not there. */
  const late = (count: number, others: number) => (at: number, index: number) => {
    if (index < count) return local(at + hour);
    return index < count + others ? 'no date' : local(at);
  };

  it('are three at least, and eight in ten of those that are not there', () => {
    expect(found(late(2, 0))).toBe('unclear');
    expect(found(late(3, 0))).toBe('wrong');
    expect(found(late(12, 3))).toBe('wrong');
    expect(found(late(12, 4))).toBe('unclear');
    expect(found(late(0, 0))).toBe('right');
    expect(found(late(0, 5))).toBe('unclear');
  });

  it('are one of the first three', () => {
    const cut = (...indexes: readonly number[]) =>
      found((at, index) => (indexes.includes(index) ? 'no date' : local(at + hour)));
    expect(cut(0, 1)).toBe('wrong');
    expect(cut(1, 2)).toBe('wrong');
    expect(cut(0, 1, 2)).toBe('unclear');
  });

  it('may be early too, by a quarter of an hour, by a day and by more', () => {
    for (const away of [-27, -24, -1, -0.25, 0.25, 1, 24, 27]) {
      expect(found((at) => local(at + away * hour))).toBe('wrong');
    }
    for (const away of [-27.25, 27.25]) {
      expect(found((at) => local(at + away * hour))).toBe('unclear');
    }
  });

  it('are told by what explains most of them', () => {
    const forms = dateForms(inZone('UTC'), pdf(written(style)));
    const [first = 0] = instants;
    const others = [first - 2 * hour, first + 2 * hour].map(local);
    const late = [...others, ...instants.map((at) => local(at + hour))];
    expect(findDates(inZone(zone), pdfOf(late), forms)).toMatchObject({
      kind: 'wrong',
      expected: { day: 3, hour: 9 },
      actual: { day: 3, hour: 10 },
    });
  });

  it.each(['en-US', 'en-GB'])(
    'are so in the form that shows most of them: 11/11 is one in %s too',
    (language) => {
      const write = (timeZone: string) =>
        written({ dateStyle: 'short', timeStyle: 'short' }, language, timeZone);
      // In the zone, the last six of them are on the next day.
      const oneDay = Array.from({ length: 20 }, (_, index) =>
        Date.UTC(2026, 10, 11, 10, 37 * index),
      );
      const forms = dateForms(
        oneDay.map((at) => wallTimeIn('UTC', at)),
        pdfOf(oneDay.map(write('UTC'))),
      );
      expect(forms.length).toBeGreaterThan(1);
      const kindOf = (some: readonly number[], lateBy: number) =>
        findDates(
          some.map((at) => wallTimeIn(zone, at)),
          pdfOf(some.map((at) => write(zone)(at + lateBy))),
          forms,
        ).kind;
      expect(kindOf(oneDay, 0)).toBe('right');
      expect(kindOf(oneDay.slice(0, 11), hour)).toBe('wrong');
      expect(kindOf(oneDay, hour)).toBe('wrong');
    },
  );

  it('are told where the forms were learned in days of two digits, and some have one', () => {
    const numeric = (timeZone: string) => {
      const format = new Intl.DateTimeFormat('sv', {
        dateStyle: 'short',
        timeStyle: 'medium',
        timeZone,
      });
      return (at: number) => format.format(at);
    };
    const about = (first: number) =>
      Array.from({ length: 40 }, (_, index) => first + index * (hour + 61_000));
    const learned = about(Date.UTC(2026, 10, 12));
    const forms = dateForms(
      learned.map((at) => wallTimeIn('UTC', at)),
      pdfOf(learned.map(numeric('UTC'))),
    );
    expect(forms.length).toBeGreaterThan(1);
    // Clocks in New York were set back on 1 November; the file has the offset of winter for all.
    const acrossChange = about(Date.UTC(2026, 9, 31, 10));
    const newYork = acrossChange.map((at) => wallTimeIn('America/New_York', at));
    const inWinter = numeric('America/Panama');
    expect(findDates(newYork, pdfOf(acrossChange.map(inWinter)), forms)).toMatchObject({
      kind: 'wrong',
      expected: { month: 10, day: 31, hour: 6 },
      actual: { month: 10, day: 31, hour: 5 },
    });
  });

  it('are unclear where another form shows as many dates, and one error does not explain the others', () => {
    /** A form in which the hours of dates are printed as they are given, of four dates at one, two, three and four. */
    const printing = (hours: readonly number[]) => () => (date: { readonly hour: number }) =>
      hours.includes(date.hour);
    const dates = [1, 2, 3, 4].map((at) => wallTimeIn('UTC', at * hour));
    const late = printing([11, 12, 13, 14]);
    expect(findDates(dates, pdfOf([]), [late, printing([1])]).kind).toBe('wrong');
    expect(findDates(dates, pdfOf([]), [late, printing([1, 2, 3])]).kind).toBe('unclear');
  });

  it('are none where there is no date, or no form', () => {
    const forms = dateForms(inZone('UTC'), pdf(written(style)));
    expect(forms.length).toBeGreaterThan(0);
    expect(findDates([], pdf(local), forms)).toEqual({ kind: 'unclear' });
    expect(findDates(inZone(zone), pdf(local), [])).toEqual({ kind: 'unclear' });
  });
});

describe('dates of another year', () => {
  const style = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const clock = { timeStyle: 'medium' } as const;
  const newYear = Date.UTC(2026, 0, 1);
  const about = Array.from({ length: 20 }, (_, index) => newYear + (index - 9.5) * hour);
  const dates = about.map((at) => wallTimeIn('UTC', at));
  const yearLater = ({ year, month, day, ...rest }: (typeof dates)[number]) =>
    Date.UTC(year + (month === 12 ? 1 : 0), month - 1, day, rest.hour, rest.minute, rest.second);

  it.for(['one text', 'a day beside its time'])('are found in %s', (shape) => {
    const join = shape === 'one text' ? ', ' : ' ';
    const write = (at: number) => written(style)(at) + join + written(clock)(at);
    const forms = dateForms(inZone('UTC'), pdfOf(instants.map(write)));
    const other = pdfOf(dates.map((date) => write(yearLater(date))));
    expect(findDates(dates, other, forms)).toMatchObject({
      kind: 'wrong',
      expected: { year: 2025, month: 12 },
      actual: { year: 2026, month: 12 },
    });
    expect(findDates(dates, pdfOf(about.map(write)), forms)).toEqual({ kind: 'right' });
    expect(findDates(dates, pdfOf(['no date']), forms)).toEqual({ kind: 'unclear' });
  });
});

describe('a form of dates', () => {
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const write = written(style);

  it('is that of nearly all of them', () => {
    const without = (count: number) =>
      pdfOf(
        instants.map((at, index) => (index % 10 === 5 && index / 10 < count ? 'cut' : write(at))),
      );
    expect(dateForms(inZone('UTC'), without(2)).length).toBeGreaterThan(0);
    expect(dateForms(inZone('UTC'), without(5))).toEqual([]);
  });

  it('is one of the first three', () => {
    // So many that most of them are there without these.
    const many = [...instants, ...instants.map((at) => at + 480 * hour)];
    const dates = many.map((at) => wallTimeIn('UTC', at));
    const lines = many.map((at, index) => (index < 2 ? 'cut' : write(at)));
    expect(dateForms(dates, pdfOf(lines)).length).toBeGreaterThan(0);
    expect(dateForms(dates, pdfOf(lines.with(2, 'cut')))).toEqual([]);
  });

  const [day, clock] = [written(fullDay), written({ timeStyle: 'medium' })];
  const localDay = written(fullDay, 'en', zone);
  const localClock = written({ timeStyle: 'medium' }, 'en', zone);
  const belowHeadings = () => dateForms(inZone('UTC'), belowDays(day, clock));

  it('has headings that pages repeat, and times that are whole words below them', () => {
    const kindOf = (lines: readonly string[]) =>
      findDates(inZone(zone), pdfOf(lines), belowHeadings()).kind;
    const repeated = instants.flatMap((at) => [localDay(at), `${localClock(at)} task created`]);
    expect(kindOf(repeated)).toBe('right');
    expect(kindOf(instants.flatMap((at) => [localDay(at), `${localClock(at)}th task`]))).toBe(
      'unclear',
    );
    expect(kindOf(instants.flatMap((at) => [localDay(at), `no${localClock(at)} task`]))).toBe(
      'unclear',
    );
    expect(kindOf(instants.map((at) => `${localClock(at)} task created`))).toBe('unclear');
  });

  it('has times below their own day, and below no other', () => {
    const hourLate = belowDays(
      (at) => localDay(at + hour),
      (at) => localClock(at + hour),
    );
    expect(findDates(inZone(zone), hourLate, belowHeadings())).toMatchObject({
      kind: 'wrong',
      expected: { day: 3, hour: 9, minute: 50 },
      actual: { day: 3, hour: 10, minute: 50 },
    });
    // All times stand below the last heading: those of the other days are not there.
    const days = [...new Set(instants.map(localDay))];
    const below = [...days, ...instants.map((at) => `${localClock(at)} task created`)];
    expect(findDates(inZone(zone), pdfOf(below), belowHeadings()).kind).not.toBe('right');
  });

  it('has headings that come again, as where events are grouped by their user', () => {
    const group = (rest: number) => {
      const own = instants.filter((_, index) => index % 2 === rest);
      return own.flatMap((at) => [localDay(at), `task created ${localClock(at)}`]);
    };
    const kindOf = (lines: readonly string[]) =>
      findDates(inZone(zone), pdfOf(lines), belowHeadings()).kind;
    expect(kindOf([...group(0), ...group(1)])).toBe('right');
    expect(kindOf([...group(1), ...group(0)])).toBe('right');
  });

  it('has headings that are whole: 3 November is none in 13 November', () => {
    const third = instants[0] ?? 0;
    const dates = [third, third + 240 * hour].flatMap((at) => [at, at + hour, at + 2 * hour]);
    const lines = (timeZone: string) => {
      const day = written({ dateStyle: 'long' }, 'en-GB', timeZone);
      const clock = written({ timeStyle: 'medium' }, 'en-GB', timeZone);
      return dates.flatMap((at) => [day(at), `task created ${clock(at)}`]);
    };
    const forms = dateForms(
      dates.map((at) => wallTimeIn('UTC', at)),
      pdfOf(lines('UTC')),
    );
    const local = dates.map((at) => wallTimeIn(zone, at));
    expect(findDates(local, pdfOf(lines(zone)), forms)).toEqual({ kind: 'right' });
  });

  it.each([-24, 24])(
    'has headings of days before and after those of the events: %i hours',
    (away) => {
      const third = Date.UTC(2026, 10, 3);
      const onOneDay = [1, 2, 3, 4, 5].map((at) => third + at * (hour + 61_000));
      const dates = [...onOneDay, third - (away - 12) * hour].toSorted((a, b) => a - b);
      const lines = (by: number) => dates.flatMap((at) => [day(at + by), `${clock(at + by)} task`]);
      const wallTimes = dates.map((at) => wallTimeIn('UTC', at));
      const forms = dateForms(wallTimes, pdfOf(lines(0)));
      expect(forms.length).toBeGreaterThan(0);
      const found = findDates(wallTimes, pdfOf(lines(away * hour)), forms);
      expect(found).toMatchObject({
        kind: 'wrong',
        expected: { day: 3, hour: 1 },
        actual: { day: away < 0 ? 2 : 4, hour: 1 },
      });
    },
  );

  it('is none where there is a single day, below which everything stands', () => {
    const morning = [4, 5, 6].map((at) => Date.UTC(2026, 10, 3, at, 5, 6));
    const lines = [day(morning[0] ?? 0), ...morning.map((at) => `${clock(at)} task`)];
    const dates = morning.map((at) => wallTimeIn('UTC', at));
    expect(dateForms(dates, pdfOf(lines))).toEqual([]);
  });
});

it('text without the dates shows no way of writing them', () => {
  expect(dateForms(inZone('UTC'), pdfOf(instants.map((_, index) => `event ${index}`)))).toEqual([]);
});
