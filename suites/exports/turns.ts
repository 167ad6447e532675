import { clockChanges, day, minute } from '../../helpers/dates/time-zones.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { NothingSeen, NotJudged } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { judgeEach } from '../expectations.ts';
import { expectNoOtherDatesInPdf, expectSameEventsInForm } from './pdf-dates.ts';
import { asBothFiles, DoubtfulEvents, type FilesInForm } from './pdf-events.ts';
import { expectSameEvents, expectServed } from './relations.ts';
import { changesAmong, changingZone, expectDatesInZone, withYearsOf, years } from './timezone.ts';

/*
 * Dates before and after a turn: where clocks are changed, each has the offset of its own time of year; at New Year,
 * each has the year of its day.
 */

/** A turn: events on both sides of it show whether dates are written by what holds for each of them. */
interface Turn {
  readonly name: string;
  readonly zone: string;
  /** undefined where no such events are known. */
  readonly rangeAbout: (world: World, known: Knowledge) => Promise<TimeRange | undefined>;
  /** What is not seen without such events. */
  readonly unseen: () => NotJudged;
}

const turns: readonly Turn[] = [
  {
    name: 'dates before and after clocks are changed have offsets of their own',
    zone: changingZone,
    rangeAbout: rangeAboutChange,
    unseen: () =>
      new NotJudged(
        `No events are known on both sides of a clock change in ${changingZone}: it is not seen whether each date has the offset of its own time of year.`,
      ),
  },
  {
    name: 'dates about a New Year have the year of their day',
    zone: 'UTC',
    rangeAbout: rangeAboutNewYear,
    unseen: () => new NothingSeen(),
  },
];

interface AboutTurn {
  readonly knowledge: Knowledge;
  /** The sample, which shows how a PDF writes dates. */
  readonly plain: FilesInForm;
  readonly zoned: FilesInForm | undefined;
}

/** A scenario of its own for each turn, so that a run says whether dates were judged on both sides of it. */
function turnScenario({ name, zone, rangeAbout, unseen }: Turn): AnyScenario {
  const judging =
    (judge: (zoned: FilesInForm, evidence: AboutTurn) => void) => (about: AboutTurn) => {
      if (about.zoned === undefined) throw unseen();
      judge(about.zoned, about);
    };
  return scenario({
    name,
    async act(world): Promise<AboutTurn> {
      const { exports } = world;
      const knowledge = await exports.knowledge();
      const range = await rangeAbout(world, knowledge);
      const [plain, zoned] = await Promise.all([
        asBothFiles(exports, knowledge.window.sample),
        range && asBothFiles(exports, { ...range, timezone: zone }),
      ]);
      return { knowledge, plain, zoned };
    },
    judges: {
      'export.timezone-keeps-the-events': judging(({ utc, csv }, { knowledge }) =>
        expectSameEvents(`timezone=${zone}`, utc, csv, knowledge.columns),
      ),
      'export.timezone-formats-the-dates': judging((zoned, { plain, knowledge }) => {
        const { utc, csv } = zoned;
        expectServed(`an export with timezone=${zone}`, csv);
        const inCsv = () => expectDatesInZone({ zone, utc, csv }, knowledge);
        const inPdf = () => expectNoOtherDatesInPdf(plain, zoned, knowledge);
        judgeEach([inCsv, inPdf], (judge) => judge());
      }),
      // The range begins and ends at instants of events: a PDF that excludes its bounds lacks events.
      'export.pdf-holds-the-events-of-the-csv': judging((zoned, { plain, knowledge }) => {
        try {
          expectSameEventsInForm(plain, zoned, knowledge);
        } catch (error) {
          throw error instanceof DoubtfulEvents ? new NotJudged(error.message) : error;
        }
      }),
      ...judgesBy(ofCsv, ({ zoned }: AboutTurn) => (zoned ? [zoned.csv.answer] : [])),
    },
  });
}

/**
 * A range with events before and after a clock change, in the window or else about the last changes before it. A change
 * that sets clocks back is preferred. There a service that writes all dates with the offset of today is found out.
 * @returns undefined where there are no such events, or their dates are not known
 */
async function rangeAboutChange(
  { exports }: World,
  known: Knowledge,
): Promise<TimeRange | undefined> {
  const { window, columns } = known.asLearned ?? known;
  const { dates } = columns;
  if (dates === undefined || dates.unit > minute) return undefined;
  const inWindow = aboutChangeAmong(dates.instants);
  if (inWindow !== undefined || window.start <= dawn) return inWindow;
  const changes = clockChanges(changingZone, window.start - years, window.start).reverse();
  for (const { at } of changes) {
    for (const span of [2 * day, 30 * day]) {
      const { table } = await exports.anytime({ start: at - span, end: at + span });
      const range = table && aboutChangeAmong(datesOf(table, dates)?.instants ?? []);
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** The range about a clock change between these events; undefined where there is none. */
function aboutChangeAmong(instants: readonly number[]): TimeRange | undefined {
  const changes = changesAmong(instants, changingZone);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  return at === undefined ? undefined : rangeNextTo(at, instants);
}

/** How many events are taken on either side of a turn: more of them show nothing else. */
const oneSide = 40;

/** From the first to the last of the events next to a turn; undefined where there are no events. */
function rangeNextTo(turn: number, instants: readonly number[]): TimeRange | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  const before = sorted.filter((at) => at < turn).slice(-oneSide);
  const near = [...before, ...sorted.filter((at) => at >= turn).slice(0, oneSide)];
  const [start, end] = [near[0], near.at(-1)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** How far from a New Year a week can belong to the other year, in milliseconds; it begins on a Sunday or a Monday. */
const days = 4 * day;

/**
 * A range about the latest New Year whose following days are over. Formats of dates have one letter for the year and one
 * for the year of the week: with the latter, 30 December 2024 is written as 30 December 2025.
 * @returns undefined where there are no events, or dates are not asked for in UTC
 */
async function rangeAboutNewYear(
  { exports, now }: World,
  { base, columns: { times } }: Knowledge,
): Promise<TimeRange | undefined> {
  const newYear = Date.UTC(new Date(now() - days).getUTCFullYear(), 0, 1);
  const { query, table } = await exports.anytime({
    start: newYear - days,
    end: newYear + days - 1,
  });
  const dates = times && table && datesOf(table, times);
  if (dates === undefined || base.utc.timezone !== 'UTC') return undefined;
  return rangeNextTo(newYear, withYearsOf(query, dates.instants));
}

export const turnScenarios = turns.map(turnScenario);
