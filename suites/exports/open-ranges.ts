import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import { intersection } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound, ExportQuery, FilterSet } from '../../helpers/exports/query.ts';
import { dawn } from '../../helpers/exports/window.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { type BoundName, bothBounds, boundOf, findEventInstant, units } from './event-instants.ts';
import {
  answersOf,
  askRanges,
  filesOf,
  judgeRanges,
  type RangeRow,
  type RangeTable,
} from './range-rows.ts';
import { noEvents } from './relations.ts';

const isOptional = 'export.parameters-are-optional';
const isIndependent = 'export.range-bounds-are-independent';

interface OpenRanges extends RangeTable {
  /** Without any parameter; undefined where all events but the latest are too many for one file. */
  readonly plain: CsvDownload | undefined;
}

const openRanges = scenario({
  name: 'a range_start without range_end, the other way round, and neither of them',
  async act({ exports, now }): Promise<OpenRanges> {
    const knowledge = await exports.knowledge();
    const { window, base } = knowledge;
    const filters = narrowestFilters(knowledge);
    const [start, end] = await bounds(exports, knowledge);
    const first = await askRanges(exports, [
      { name: 'window', file: base.download },
      ...rowsAlone('range_start', { start }),
      ...rowsAlone('range_end', { end }),
      { name: 'no range', ask: filters && { filters }, isAnytime: true },
      { name: 'since dawn', ask: filters && { filters, start: dawn }, isAnytime: true },
    ]);
    const count = (name: string) => filesOf(first, [name])[0]?.table?.count;
    const [all, inWindow] = [count('range_end'), count('range_end in the window')];
    // What was imported without a date may have one of long ago.
    const isMore = (count('no range') ?? 0) > (count('since dawn') ?? 0);
    const parts = ['since dawn', ...(isMore ? ['before dawn'] : [])];
    const isRefused = (name: string) => answersOf(first, [name])[0]?.status === 400;
    const more = await askRanges(exports, [
      {
        name: 'range_start and another',
        ask: isRefused('range_start') ? { start, end: now() } : undefined,
        isAnytime: true,
      },
      {
        name: 'range_end and another',
        ask: isRefused('range_end') ? { start: dawn, end } : undefined,
        isAnytime: true,
      },
      {
        name: 'earlier',
        ask: all === undefined || all === inWindow ? undefined : { end: window.start },
        isAnytime: true,
      },
      {
        // What lies at the start of the window is in both, and counts once; equal rows of other events count twice.
        together: ['range_end'],
        clauses: [isIndependent],
        what: 'range_end without range_start',
        served: 'perhaps',
        least: ['earlier'],
        most: ['earlier', 'range_end in the window'],
        how: 'at least',
      },
      {
        name: 'before dawn',
        ask: isMore && filters ? { filters, end: dawn - 1 } : undefined,
        isAnytime: true,
      },
      {
        // That a range must be given, or none, breaks clauses of its own; how much a file may hold is open.
        together: ['no range'],
        clauses: [isIndependent],
        what: 'an export without a range, compared with one of all times',
        served: 'perhaps',
        as: parts,
      },
    ]);
    // After the other one: what is recorded meanwhile makes it larger.
    const plain = all ? await exports.csv({}, { like: base.table }) : undefined;
    return { knowledge, rows: [...first, ...more], plain };
  },
  judges: {
    [isOptional]: (evidence) => judgeRanges(isOptional, evidence),
    [isIndependent]: (evidence) => {
      judgeRanges(isIndependent, evidence);
      expectNoFewer(evidence);
      if (evidence.knowledge.base.table.count === 0) throw noEvents();
    },
    ...judgesBy(ofCsv, ({ rows }: OpenRanges) =>
      answersOf(
        rows,
        bothBounds.filter((bound) => !isTooLarge(rows, bound)),
      ),
    ),
  },
  observes: {
    'limits.csv-size': ({ rows }) => {
      const isLimited = bothBounds.some((bound) => isTooLarge(rows, bound));
      const [answer] = answersOf(rows, ['range_end']);
      return isLimited && answer ? [{ refusesMoreWith: answer.status }] : [];
    },
  },
});

/** Refused by both bounds too: the file would be too large. The size of a CSV is open. */
function isTooLarge(rows: readonly RangeRow[], bound: BoundName): boolean {
  return answersOf(rows, [`${bound} and another`]).some(({ status }) => status === 400);
}

/**
 * At the instant of an event in the sample: late in the window, so that as much as possible lies before it. A bound may leave out
 * its own instant only where the other one is given too: where it is not clear whether they include their own, at the instants
 * next to which they begin to include an event.
 */
async function bounds(exports: Exports, knowledge: Knowledge): Promise<[Bound, Bound]> {
  const { window, base } = knowledge;
  if (base.table.count === 0) return [window.middle, window.middle];
  const { kind, at } = await findEventInstant(exports, knowledge);
  return [boundOf(at), boundOf(kind === 'unclear' ? at - units.millisecond : at)];
}

/** The bound alone, and the same within the window, by both bounds. */
function rowsAlone(bound: BoundName, ask: ExportQuery): RangeRow[] {
  const what = `${bound} alone`;
  const inWindow = `${bound} in the window`;
  const clauses = [isOptional, isIndependent] as const;
  return [
    { name: bound, ask, isAnytime: true, clauses, what, twin: `${bound} and another` },
    { name: inWindow, ask },
    {
      together: [bound],
      clauses: [isIndependent],
      what: `${what}, compared with both bounds`,
      served: 'perhaps',
      least: [inWindow],
      noneElseOf: 'window',
      how: 'at least',
    },
  ];
}

/**
 * A whole holds what its part holds. Dates may be written in another zone: events are counted.
 * @throws Violation where an export without any parameter holds fewer events than a part of all
 */
function expectNoFewer({ rows, plain }: OpenRanges): void {
  const [until] = filesOf(rows, ['range_end']);
  if (!plain?.table || !until?.table || nonCsvType(plain.answer.text) !== undefined) return;
  const [expected, actual] = [until.table.count, plain.table.count];
  if (actual >= expected) return;
  const counts = { expected: `${expected}`, actual: `${actual}` };
  throw new Violation(
    { kind: 'other', wrong: 'returns fewer events without parameters', ...counts },
    [plain.answer, until.answer],
  );
}

/** So many events are enough to hold some of which a person or metadata are empty. */
const enoughForEmptyValues = 60;

/** Filters of what every event has: what they keep is not complete where events with empty values are lost. */
const listsOfKinds: readonly string[] = ['event_type', 'sub_type', 'system_source'];

/** Values that keep few events, one of them or two: all there are may be too many for one file. */
function narrowestFilters({ filters: { known } }: Knowledge): FilterSet | undefined {
  const single = [...known].flatMap(([filter, { values }]) =>
    values.map(({ value, events }) => ({ filter, set: { [filter]: [value] }, events })),
  );
  const ofKinds = single.filter(({ filter }) => listsOfKinds.includes(filter));
  const pairs = ofKinds.flatMap((one) =>
    ofKinds
      .filter(({ filter }) => filter > one.filter)
      .map(({ filter, set, events }) => ({
        filter,
        set: { ...one.set, ...set },
        events: intersection(one.events, events),
      })),
  );
  const bySize = (some: typeof single) =>
    some
      .filter(({ events }) => events.size > 0)
      .toSorted((one, other) => one.events.size - other.events.size);
  const narrow = bySize([...ofKinds, ...pairs]);
  const chosen = narrow.find(({ events: { size } }) => size >= enoughForEmptyValues);
  return (chosen ?? narrow.at(-1) ?? bySize(single)[0])?.set;
}

export const openRangeScenarios = [openRanges];
