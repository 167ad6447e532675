import { ExportRefused } from '../export/refusal.ts';
import { type BoundName, exportQueryRules } from '../rules/export-query.ts';
import { ofRanges, ofTheTrail } from './export-clauses.ts';
import type { Fault } from './fault.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const down = (at: number, unit: number) => Math.floor(at / unit) * unit;
const up = (at: number, unit: number) => Math.ceil(at / unit) * unit;

/** Refuses bounds by how they are written. */
const refusing = (isRefused: (text: string, name: BoundName) => boolean) => ({
  readBound: (value: string | undefined, name: BoundName) => {
    if (value !== undefined && isRefused(value, name)) {
      throw new ExportRefused(`${name} is not written as it should be`);
    }
    return exportQueryRules.readBound(value, name);
  },
});

const start = 'export.range-start-includes-its-instant';
const end = 'export.range-end-includes-its-instant';

/** A bound that is off shows in every range, and the trail is looked for in one. */
const mayBreak = [...ofRanges, ...ofTheTrail];

const compared: readonly Fault[] = [
  {
    id: 'export-range-start-is-exclusive',
    breaks: [start],
    mayBreak,
    rules: { isFromStart: (at, from) => at > from },
  },
  {
    id: 'export-range-end-is-exclusive',
    breaks: [end],
    mayBreak,
    rules: { isToEnd: (at, to) => at < to },
  },
  {
    id: 'export-both-bounds-are-exclusive',
    breaks: [start, end, 'export.ranges-split-without-loss'],
    mayBreak,
    rules: { isFromStart: (at, from) => at > from, isToEnd: (at, to) => at < to },
  },
  ...(
    [
      ['seconds', second],
      ['minutes', minute],
      ['days', day],
    ] as const
  ).flatMap(([units, unit]): readonly Fault[] => [
    {
      id: `export-range-start-is-cut-to-${units}`,
      breaks: [start],
      mayBreak,
      rules: { isFromStart: (at, from) => at >= down(from, unit) },
    },
    {
      id: `export-range-end-is-cut-to-${units}`,
      breaks: [end],
      mayBreak,
      rules: { isToEnd: (at, to) => at <= down(to, unit) },
    },
    {
      id: `export-range-start-is-rounded-up-to-${units}`,
      breaks: [start],
      mayBreak,
      rules: { isFromStart: (at, from) => at >= up(from, unit) },
    },
    {
      id: `export-range-end-reaches-to-the-end-of-its-${units.slice(0, -1)}`,
      breaks: [end],
      mayBreak,
      rules: { isToEnd: (at, to) => at < down(to, unit) + unit },
    },
  ]),
  {
    id: 'export-range-start-is-a-millisecond-early',
    breaks: [start],
    mayBreak,
    rules: { isFromStart: (at, from) => at >= from - 1 },
  },
  {
    id: 'export-range-end-is-a-millisecond-late',
    breaks: [end],
    mayBreak,
    rules: { isToEnd: (at, to) => at <= to + 1 },
  },
  {
    id: 'export-range-start-is-ignored',
    breaks: [start],
    mayBreak,
    rules: { isFromStart: () => true },
  },
  {
    id: 'export-range-end-is-ignored',
    breaks: [end],
    mayBreak,
    rules: { isToEnd: () => true },
  },
  {
    id: 'export-range-is-read-in-the-time-of-the-server',
    breaks: [start, end],
    mayBreak,
    rules: {
      isFromStart: (at, from) => at >= from - 2 * hour,
      isToEnd: (at, to) => at <= to - 2 * hour,
    },
  },
];

const written: readonly Fault[] = [
  {
    id: 'export-bounds-without-fractional-digits-are-refused',
    breaks: ['export.range-bounds-are-instants'],
    mayBreak: ['export.answers-200'],
    rules: refusing((text) => !text.includes('.')),
  },
  {
    id: 'export-bounds-with-fractional-digits-are-refused',
    breaks: ['export.range-bounds-are-instants', 'export.answers-200'],
    rules: refusing((text) => text.includes('.')),
  },
  {
    id: 'export-a-bound-without-fractional-digits-is-a-whole-second',
    breaks: ['export.range-bounds-are-instants'],
    rules: {
      readBound: (value, name) => {
        const at = exportQueryRules.readBound(value, name);
        const isWhole = value?.includes('.') === false;
        return at !== undefined && name === 'range_end' && isWhole ? at + 999 : at;
      },
    },
  },
  {
    id: 'export-a-bound-without-fractional-digits-is-ignored',
    breaks: ['export.range-bounds-are-instants'],
    rules: {
      readBound: (value, name) =>
        exportQueryRules.readBound(value?.includes('.') ? value : undefined, name),
    },
  },
];

/** Bounds that are compared or read wrongly (4. Export audit events). */
export const exportBoundFaults: readonly Fault[] = [...compared, ...written];
