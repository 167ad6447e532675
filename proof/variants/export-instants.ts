import { createHash } from 'node:crypto';
import { allColumns, type Column, timeColumn } from '../../reference/export/columns.ts';
import type { WriteDate } from '../../reference/export/dates.ts';
import { instantOfEvent } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { auditRules } from '../../reference/rules/audit.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { down, fractional, nanoseconds } from '../exports.ts';
import { eachOnce } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

/*
 * How finely a service keeps the times of its events, and how its exports show them: both are its own affair (4. Export
 * audit events). Every way to keep is combined with every way to show.
 */

const changed = (change: (event: AuditEvent) => AuditEvent): Pick<Rules, 'storedEvents'> => ({
  storedEvents: eachOnce(change),
});

/** A number from 0 on and below `size` that belongs to an instant: events of one instant keep it in common. */
const numberOf = (at: number, size: number): number =>
  createHash('md5').update(String(at)).digest().readUInt32BE() % size;

/** What events are kept to. */
const kept = {
  milliseconds: {},
  microseconds: changed((event) => ({ ...event, beyondMs: numberOf(event.at, 1000) * 1000 })),
  nanoseconds: changed((event) => ({ ...event, beyondMs: numberOf(event.at, 1_000_000) })),
} as const satisfies Readonly<Record<string, Partial<Rules>>>;

const units = {
  nanoseconds: { digits: 9, unit: 1n },
  microseconds: { digits: 6, unit: 1000n },
  milliseconds: { digits: 3, unit: nanoseconds.millisecond },
  seconds: { digits: 0, unit: nanoseconds.second },
} as const;

const withTime = (time: Column): Partial<Rules> => {
  const columns = allColumns.map((column) => (column === timeColumn ? time : column));
  return { csvColumns: () => columns, pdfColumns: () => columns };
};

/** The column of times, each of them changed before it is written. */
const timeOf = (change: (at: bigint, event: AuditEvent) => bigint): Column => ({
  ...timeColumn,
  cell: (event, { date }) => {
    const at = change(instantOfEvent(event), event);
    const whole = down(at, nanoseconds.millisecond);
    return date(Number(whole / nanoseconds.millisecond), Number(at - whole));
  },
});

const written = (digits: number): Pick<Rules, 'dateStyle'> => {
  const write: WriteDate = fractional(digits);
  return { dateStyle: () => write };
};

const cutTo = (name: keyof typeof units) => written(units[name].digits);

const roundedTo = (name: keyof typeof units): Partial<Rules> => {
  const { digits, unit } = units[name];
  return { ...written(digits), ...withTime(timeOf((at) => down(at + unit / 2n, unit))) };
};

/** Some events are recorded at once, others hours later. */
const recordedAt = (at: bigint, { id }: AuditEvent): bigint => {
  const number = Number.parseInt(id.slice(0, 4), 16);
  const lateByMs = number % 3 === 0 ? 1 + (number % 900) : 1 + ((number * 997) % 9_000_000);
  return at + BigInt(lateByMs) * nanoseconds.millisecond;
};

/** How exports show these times. */
const shown = {
  nanoseconds: { rules: cutTo('nanoseconds') },
  microseconds: { rules: cutTo('microseconds') },
  milliseconds: { rules: cutTo('milliseconds') },
  seconds: { rules: cutTo('seconds') },
  'rounded-microseconds': { rules: roundedTo('microseconds') },
  'rounded-milliseconds': { rules: roundedTo('milliseconds') },
  'rounded-seconds': { rules: roundedTo('seconds') },
  'another-time': {
    rules: { ...cutTo('milliseconds'), ...withTime(timeOf(recordedAt)) },
    follows: ['export.order-of-events', 'audit.event-fields'],
  },
  'no-time': {
    rules: withTime({ ...timeColumn, cell: () => '' }),
    follows: ['export.order-of-events', 'audit.event-fields'],
    hides: ['export.timezone-formats-the-dates'],
  },
} as const satisfies Readonly<
  Record<string, Pick<Variant, 'follows' | 'hides'> & { readonly rules: Partial<Rules> }>
>;

/** Some events are recorded more finely than others. */
const finerWhere = (isFine: (event: AuditEvent) => boolean) =>
  changed((event) =>
    isFine(event) ? { ...event, beyondMs: numberOf(event.at, 1000) * 1000 } : event,
  );

const finerSources = finerWhere(({ systemSource }) => systemSource.length % 2 === 0);

/** What is recorded from now on is recorded more finely than what was before. */
const finerFromNowOn: Partial<Rules> = {
  auditEvent(...given) {
    const event = auditRules.auditEvent(...given);
    return event && { ...event, beyondMs: numberOf(event.at, 1000) * 1000 };
  },
};

const finerAtMonthsEnds = finerWhere(
  ({ at }) => new Date(at + Number(nanoseconds.day / nanoseconds.millisecond)).getUTCDate() === 1,
);

/** To this service “.123Z” as range_end is all of that millisecond, and “.123000Z” its beginning. */
const wholeMilliseconds: Variant = variant(
  'export-instants-in-microseconds-and-range-end-is-its-whole-millisecond',
  { opens: 'export.date-style' },
  {
    ...kept.microseconds,
    ...shown.milliseconds.rules,
    readBound: (value, name) => {
      const at = exportRules.readBound(value, name);
      const isFine = /\.\d{4}/.test(value ?? '');
      return at && name === 'range_end' && !isFine ? at + nanoseconds.millisecond - 1n : at;
    },
  },
);

/** Services that differ in how finely they keep the times of events, and in how they show them. */
export const exportInstantVariants: readonly Variant[] = [
  ...Object.entries(kept).flatMap(([keptTo, ofKeeping]) =>
    Object.entries(shown).map(([shownAs, { rules, ...rest }]) =>
      variant(
        `export-instants-in-${keptTo}-shown-as-${shownAs}`,
        { opens: 'export.date-style', ...rest },
        { ...ofKeeping, ...rules },
      ),
    ),
  ),
  ...(['milliseconds', 'rounded-milliseconds'] as const).map((shownAs) =>
    variant(
      `export-instants-in-microseconds-of-some-sources-shown-as-${shownAs}`,
      {
        opens: 'export.date-style',
        // Of two events of one millisecond, the finer one is shown as the next.
        ...(shownAs === 'rounded-milliseconds' && { follows: ['export.order-of-events'] }),
      },
      { ...finerSources, ...shown[shownAs].rules },
    ),
  ),
  ...(['milliseconds', 'rounded-milliseconds', 'seconds'] as const).map((shownAs) =>
    variant(
      `export-instants-in-microseconds-from-now-on-shown-as-${shownAs}`,
      { opens: 'export.date-style' },
      { ...finerFromNowOn, ...shown[shownAs].rules },
    ),
  ),
  variant(
    'export-instants-in-microseconds-at-ends-of-months-shown-as-microseconds',
    { opens: 'export.date-style' },
    { ...finerAtMonthsEnds, ...shown.microseconds.rules },
  ),
  wholeMilliseconds,
];
