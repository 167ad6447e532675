import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound, FilterSet } from '../../helpers/exports/query.ts';
import { dawn } from '../../helpers/exports/window.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { unlikeStatus } from '../expectations.ts';
import { type BoundName, boundOf, findEventInstant, units } from './event-instants.ts';
import { namedLists } from './filter-levels.ts';
import { noEvents, wholeOf } from './relations.ts';
import { judgeSums, type Sum } from './sums.ts';

const optionalClause = 'export.parameters-are-optional';
const independentClause = 'export.range-bounds-are-independent';

/** A bound alone; where it is refused, with another bound too. */
interface Alone {
  readonly bound: BoundName;
  readonly alone: CsvDownload;
  readonly withAnother: CsvDownload | undefined;
}

interface OpenRanges {
  readonly knowledge: Knowledge;
  readonly bounds: readonly [start: Alone, end: Alone];
  readonly sums: readonly Sum[];
  /** The export without any parameter; undefined where range_end alone gave no file that holds events. */
  readonly plain: CsvDownload | undefined;
}

const openRanges = scenario({
  name: 'a range_start without range_end, the other way round, and neither of them',
  async act({ exports, now }): Promise<OpenRanges> {
    const knowledge = await exports.knowledge();
    const { window, base } = knowledge;
    const filters = filterKeepingFew(knowledge);
    const [start, end] = await boundsAtEvent(exports, knowledge);
    const filtered = (range: { start?: Bound; end?: Bound }) =>
      filters && exports.anytime({ filters, ...range });
    const [sinceDawn, startInWindow, endInWindow, startAlone, endAlone, noRange] =
      await Promise.all([
        filtered({ start: dawn }),
        exports.within({ start }),
        exports.within({ end }),
        exports.anytime({ start }),
        exports.anytime({ end }),
        filtered({}),
      ]);
    const count = (one: CsvDownload | undefined): number => one?.table?.count ?? 0;
    const isRefused = ({ answer }: CsvDownload): boolean => answer.status === 400;
    const [startAnd, endAnd, earlier, untilDawn] = await Promise.all([
      isRefused(startAlone) ? exports.anytime({ start, end: now() }) : undefined,
      isRefused(endAlone) ? exports.anytime({ start: dawn, end }) : undefined,
      // What range_end alone, and no range, hold beyond the other ranges, and no more than that.
      count(endAlone) > count(endInWindow) ? exports.anytime({ end: window.start }) : undefined,
      // Events that were imported without a date may be dated long ago, before `dawn`.
      count(noRange) > count(sinceDawn) ? filtered({ end: dawn }) : undefined,
    ]);
    // Asked for after the export with range_end alone: events that are recorded meanwhile can only make it larger.
    const plain = count(endAlone) > 0 ? await exports.csv({}, { like: base.table }) : undefined;
    const whole = wholeOf(knowledge);
    // Where two events look alike, one from outside the window may be like one of the window.
    const areAlike = [...whole.entries.values()].some(({ times }) => times > 1);
    const clauses = [independentClause] as const;
    const inWindow = { clauses, among: whole, is: areAlike ? '≥' : '=' } as const;
    const what = 'an export without a range, compared with one of all times';
    return {
      knowledge,
      plain,
      bounds: [
        { bound: 'range_start', alone: startAlone, withAnother: startAnd },
        { bound: 'range_end', alone: endAlone, withAnother: endAnd },
      ],
      sums: [
        { ...inWindow, what: 'range_start alone', own: served(startAlone), of: [startInWindow] },
        { ...inWindow, what: 'range_end alone', own: served(endAlone), of: [endInWindow] },
        { clauses, what, own: served(noRange), is: '≥', of: [sinceDawn] },
        ...parts('range_end alone', endAlone, earlier, endInWindow),
        ...parts(what, noRange, untilDawn, sinceDawn),
      ],
    };
  },
  judges: {
    [optionalClause]: expectServedAlone,
    [independentClause]: (evidence) => {
      expectServedAlone(evidence);
      judgeSums(independentClause, evidence.sums, evidence.knowledge);
      expectNoFewer(evidence);
      if (evidence.knowledge.base.table.count === 0) throw noEvents();
    },
    ...judgesBy(ofCsv, ({ bounds }: OpenRanges) =>
      bounds.flatMap((one) => (isTooLarge(one) ? [] : [one.alone.answer])),
    ),
  },
  observes: {
    'limits.csv-size': ({ bounds }) =>
      bounds.some(isTooLarge) ? [{ refusesMoreWith: bounds[1].alone.answer.status }] : [],
  },
});

/** That an export holds its earlier part, and nothing that neither part holds; [] where the earlier part was not asked for. */
function parts(
  what: string,
  own: CsvDownload | undefined,
  earlier: CsvDownload | undefined,
  later: CsvDownload | undefined,
): Sum[] {
  if (earlier === undefined) return [];
  const part = { clauses: [independentClause], what, own: served(own) } as const;
  return [
    { ...part, is: '≥', of: [earlier] },
    { ...part, is: '≤', of: [earlier, later] },
  ];
}

/** The export, unless it was refused: then other clauses are broken, or the size of a CSV is limited, which is open. */
function served(download: CsvDownload | undefined): CsvDownload | undefined {
  return download?.table && download;
}

/** Whether the range of one bound is refused with both bounds too: its file is too large. The size of a CSV is open. */
function isTooLarge({ withAnother }: Alone): boolean {
  return withAnother?.answer.status === 400;
}

/** @throws Violation where a bound alone is refused, and the same bound is served with another one */
function expectServedAlone({ bounds }: OpenRanges): void {
  for (const { bound, alone, withAnother } of bounds) {
    if (alone.answer.status === 200 || withAnother?.answer.status !== 200) continue;
    throw unlikeStatus(`${bound} alone`, '200', alone.answer, { on: [withAnother.answer] });
  }
}

/**
 * A range_start and a range_end at the instant of an event late in the window, so that many events come before it. Of a
 * service that excludes the instant of a bound only where both bounds are given, this shows. Where the instant is
 * unclear: the earliest range_start and the latest range_end that leave the event out.
 */
async function boundsAtEvent(exports: Exports, knowledge: Knowledge): Promise<[Bound, Bound]> {
  const { window, base } = knowledge;
  if (base.table.count === 0) return [window.middle, window.middle];
  const { kind, at } = await findEventInstant(exports, knowledge);
  return [boundOf(at), boundOf(kind === 'unclear' ? at - units.millisecond : at)];
}

/**
 * Compares numbers of events only: without parameters, dates may be written in another zone.
 * @throws Violation where the export without any parameter holds fewer events than the one with range_end alone
 */
function expectNoFewer({ bounds: [, { alone: until }], plain }: OpenRanges): void {
  if (!plain?.table || !until.table || nonCsvType(plain.answer.text) !== undefined) return;
  const [expected, actual] = [until.table.count, plain.table.count];
  if (actual >= expected) return;
  const counts = { expected: `${expected}`, actual: `${actual}` };
  throw new Violation(
    { kind: 'other', wrong: 'returns fewer events without parameters', ...counts },
    [plain.answer, until.answer],
  );
}

/** Among this number of events some have no auditee_id or no metadata: a service that loses these is found out. */
const enoughForEmptyValues = 60;

/**
 * A filter by one value that keeps `enoughForEmptyValues` events, those without an auditee_id or metadata too, and as
 * few more as possible; where none keeps so many, the one that keeps most. undefined where no value is known.
 */
function filterKeepingFew({ filters: { known } }: Knowledge): FilterSet | undefined {
  const single = [...known].flatMap(([filter, { values }]) =>
    values.map(({ value, events: { size } }) => ({ filter, value, size })),
  );
  const ofKinds = single.filter(({ filter }) => namedLists.some((list) => list === filter));
  const smallestFirst = (ofKinds.length > 0 ? ofKinds : single).sort((a, b) => a.size - b.size);
  const chosen =
    smallestFirst.find(({ size }) => size >= enoughForEmptyValues) ?? smallestFirst.at(-1);
  return chosen && { [chosen.filter]: [chosen.value] };
}

export const openRangeScenarios = [openRanges];
