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

const optionalClause = 'export.parameters-are-optional';
const independentClause = 'export.range-bounds-are-independent';

interface OpenRanges extends RangeTable {
  /** The export without any parameter; undefined where range_end alone gave no file that holds events. */
  readonly plain: CsvDownload | undefined;
}

const openRanges = scenario({
  name: 'a range_start without range_end, the other way round, and neither of them',
  async act({ exports, now }): Promise<OpenRanges> {
    const knowledge = await exports.knowledge();
    const { window, base } = knowledge;
    const filters = filterKeepingFew(knowledge);
    const [start, end] = await bounds(exports, knowledge);
    const clauses = [independentClause] as const;
    const alone = { isAnytime: true, served: 'perhaps', clauses } as const;
    const first = await askRanges(exports, [
      { name: 'since dawn', ask: filters && { filters, start: dawn }, isAnytime: true },
      { file: base.download },
      { name: 'range_start in the window', ask: { start } },
      { name: 'range_end in the window', ask: { end } },
      { ...alone, name: 'range_start', what: 'range_start alone', ask: { start } },
      { ...alone, name: 'range_end', what: 'range_end alone', ask: { end } },
      {
        // A target that refuses it breaks other clauses, or limits the size of a CSV, which is open.
        ...alone,
        name: 'no range',
        what: 'an export without a range, compared with one of all times',
        ask: filters && { filters },
      },
    ]);
    const count = (name: string) => filesOf(first, [name])[0]?.table?.count ?? 0;
    const isRefused = (name: string) => answersOf(first, [name])[0]?.status === 400;
    const all = count('range_end');
    // Events that were imported without a date may be dated long ago, before `dawn`.
    const hasOlder = filters && count('no range') > count('since dawn');
    const hasEarlier = all > count('range_end in the window');
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
      // What range_end alone, and no range, hold beyond the other ranges, and no more than that.
      { ask: hasEarlier ? { end: window.start } : undefined, isAnytime: true },
      { ask: hasOlder ? { filters, end: dawn } : undefined, isAnytime: true },
    ]);
    // Asked for after the export with range_end alone: events that are recorded meanwhile can only make it larger.
    const plain = all ? await exports.csv({}, { like: base.table }) : undefined;
    return { knowledge, rows: [...more, ...first], plain };
  },
  judges: {
    [optionalClause]: expectServedAlone,
    [independentClause]: (evidence) => {
      expectServedAlone(evidence);
      judgeRanges(independentClause, evidence);
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

/** Whether the range of one bound is refused with both bounds too: its file is too large. The size of a CSV is open. */
function isTooLarge(rows: readonly RangeRow[], bound: BoundName): boolean {
  return answersOf(rows, [`${bound} and another`]).some(({ status }) => status === 400);
}

/** @throws Violation where a bound alone is refused, and the same bound is served with another one */
function expectServedAlone({ rows }: OpenRanges): void {
  for (const bound of bothBounds) {
    const [alone, together] = answersOf(rows, [bound, `${bound} and another`]);
    if (alone === undefined || alone.status === 200 || together?.status !== 200) continue;
    throw unlikeStatus(`${bound} alone`, '200', alone, { on: [together] });
  }
}

/**
 * A range_start and a range_end at the instant of an event late in the window, so that many events come before it. Of a
 * service that excludes the instant of a bound only where both bounds are given, this shows. Where the instant is
 * unclear: the earliest range_start and the latest range_end that leave the event out.
 */
async function bounds(exports: Exports, knowledge: Knowledge): Promise<[Bound, Bound]> {
  const { window, base } = knowledge;
  if (base.table.count === 0) return [window.middle, window.middle];
  const { kind, at } = await findEventInstant(exports, knowledge);
  return [boundOf(at), boundOf(kind === 'unclear' ? at - units.millisecond : at)];
}

/**
 * Compares numbers of events only: without parameters, dates may be written in another zone.
 * @throws Violation where the export without any parameter holds fewer events than the one with range_end alone
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

/** Among this number of events some have no auditee_id or no metadata: a service that loses these is found out. */
const enoughForEmptyValues = 60;

/** Filters by values that every event has, so that they keep events without an auditee_id or metadata too. */
const listsOfKinds: readonly string[] = ['event_type', 'sub_type', 'system_source'];

/**
 * A filter by one value that keeps `enoughForEmptyValues` events, and as few more as possible; where none keeps so many,
 * the one that keeps most. undefined where no value is known.
 */
function filterKeepingFew({ filters: { known } }: Knowledge): FilterSet | undefined {
  const single = [...known].flatMap(([filter, { values }]) =>
    values.map(({ value, events: { size } }) => ({ filter, value, size })),
  );
  const ofKinds = single.filter(({ filter }) => listsOfKinds.includes(filter));
  const smallestFirst = (ofKinds.length > 0 ? ofKinds : single).sort((a, b) => a.size - b.size);
  const chosen =
    smallestFirst.find(({ size }) => size >= enoughForEmptyValues) ?? smallestFirst.at(-1);
  return chosen && { [chosen.filter]: [chosen.value] };
}

export const openRangeScenarios = [openRanges];
