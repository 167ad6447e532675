import type { ArrayEncoding } from '../config/settings.ts';
import type { Row } from '../csv/csv-form.ts';
import { type Multiset, multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import type { DateStyle } from '../dates/date-reading.ts';
import type { CsvDownload } from './downloads.ts';
import type { ExportQuery, Filter } from './query.ts';

/** Instants in milliseconds since 1970, both included. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** A value that a filter is known to match in the window, and what it leaves. */
export interface KnownValue {
  readonly value: string;
  readonly events: Multiset;
}

/** What is known of one filter. */
export interface KnownFilter {
  /** Values that keep some events of the window and not all; best first. */
  readonly values: readonly KnownValue[];
  /** How a row shows its value of the filter; undefined where no column was found that does. */
  readonly read: ((row: Row) => string | undefined) | undefined;
  /** A value that rows show as one of this filter, and for which the filter left none of them. */
  readonly mute:
    | { readonly value: string; readonly times: number; readonly download: CsvDownload }
    | undefined;
}

/** When the events of the window happened, by row of the base export. */
export interface KnownTimes {
  readonly column: number;
  /** In a small export, day and month may not be told apart: the whole window tells them. */
  readonly style: DateStyle;
  /** The unit that is written, in milliseconds: an instant is known up to this. */
  readonly unit: number;
  /** By row, in milliseconds since 1970; where the unit is coarser than a millisecond, its beginning. */
  readonly instants: readonly number[];
}

/** Dates that fit with ranges only if these are moved by whole quarters of an hour: one of both is not in UTC. */
export interface MovedDates {
  readonly column: number;
  /** By how much ranges reach later than was asked, in milliseconds. */
  readonly byMs: number;
  /** Whether the dates say how far from UTC they are. */
  readonly hasOffsets: boolean;
}

/** What was learned of a target's exports, once a run. Nothing of it was assumed. */
export interface Knowledge {
  readonly window: Window;
  /** A window of more events than the target exports at once, as little larger as was found. */
  readonly refused: { readonly window: Window; readonly download: CsvDownload } | undefined;
  /** Sent with every query that is compared with the base: dates in UTC, where the target takes it. */
  readonly common: Pick<ExportQuery, 'timezone'>;
  /** All events of the window. */
  readonly baseDownload: CsvDownload;
  readonly base: CsvTable;
  /** The same query, asked for a second time. */
  readonly again: CsvDownload;
  /** Columns that belong to the export and not to the event: times of export, row numbers. */
  readonly ignored: ReadonlySet<number>;
  /** undefined where no column of the export could be read as the time of the event. */
  readonly times: KnownTimes | undefined;
  /** Looked for where no column of times was found. */
  readonly moved: MovedDates | undefined;
  /** An instant that cuts the window in two, with events on both sides where there are any. */
  readonly middle: number;
  /** A part of the window with a few hundred events at the most, for checks that need no more. */
  readonly sample: Window;
  /** Under which lists are sent. */
  readonly encoding: ArrayEncoding;
  /** All encodings under which one value of a list filter is heard. */
  readonly heard: readonly ArrayEncoding[];
  /** Those of them under which two values keep what either keeps alone. */
  readonly working: readonly ArrayEncoding[];
  readonly filters: ReadonlyMap<Filter, KnownFilter>;
  /** A filter's export of the window that holds events from outside of it; undefined where none was seen. */
  readonly beyond: CsvDownload | undefined;
  /** A value that no event has, for any filter. */
  readonly impossible: string;
}

const memory = new WeakMap<CsvTable, Map<string, Multiset>>();

/** The events of an export, without what belongs to the export itself. Made once for each table. */
export function eventsOf(table: CsvTable, ignored: ReadonlySet<number>): Multiset {
  const key = [...ignored].join();
  const known = memory.get(table) ?? new Map<string, Multiset>();
  memory.set(table, known);
  const made = known.get(key) ?? multiset(table.rows, ignored);
  known.set(key, made);
  return made;
}
