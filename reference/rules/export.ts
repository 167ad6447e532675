import { type ListFilter, type MetadataKey, pdfEventLimit } from '../../schemas/operations.ts';
import { isTimestamp } from '../../schemas/timestamp.ts';
import {
  allColumns,
  type Column,
  isLocale,
  type Locale,
  type Translations,
} from '../export/columns.ts';
import { localDate, type WriteDate } from '../export/dates.ts';
import { pdfSheets, type Sheets } from '../export/pdf-draw.ts';
import { a4, landscape, type Page, type PdfForm, tableLayout } from '../export/pdf-layout.ts';
import {
  type BoundName,
  type ExportQuery,
  ExportRefused,
  type FileType,
  instantOf,
  isNull,
  type Parameters,
  readListIn,
} from '../export/query.ts';
import { isTimezone, type ZoneOffset, zoneOffset } from '../export/zone.ts';
import type { AuditEvent } from '../records.ts';

/** For one event, whether it meets each condition of the query; parameters not sent have no entry. */
export interface ConditionsMet {
  readonly range: readonly boolean[];
  readonly lists: Readonly<Partial<Record<ListFilter, boolean>>>;
  readonly metadata: Readonly<Partial<Record<MetadataKey, boolean>>>;
}

/** What an offset from UTC must not depend on, but for the event that it is asked for. */
export interface ExportMoment {
  readonly query: ExportQuery;
  /** When the export is made, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** When its first event happened, likewise; undefined where it holds none. */
  readonly first: number | undefined;
  /** The same of its last event. */
  readonly last: number | undefined;
}

/**
 * What the document says of exports, one small function a sentence, and what it leaves open, with a default
 * (4. Export audit events, Errors, Limits).
 */
export interface ExportRules {
  // How its parameters are read. A rule that refuses a value throws ExportRefused.

  /** Refuses parameters that are unknown; the document does not say what they get. */
  checkParameters(parameters: Parameters): void;
  /** The values of a list parameter, in whatever encoding they were sent. */
  readList(parameters: Parameters, name: ListFilter): readonly string[];
  /** Refuses a metadata key outside the allowed ones, or ignores it. */
  unknownMetadataKey(key: string): void;
  /** A bound in nanoseconds since 1970 UTC; undefined: unbounded. */
  readBound(value: string | undefined, name: BoundName): bigint | undefined;
  rangeIsInOrder(query: ExportQuery): boolean;
  readFileType(value: string | undefined): FileType;
  readLocale(value: string | undefined): string;
  readTimezone(value: string | undefined): string;
  /** The query that is carried out, given the one that was sent. */
  queryActedOn(query: ExportQuery): ExportQuery;

  // Which of the stored events it holds.

  /** The stored events that exports can hold at all. */
  storedEvents(events: readonly AuditEvent[]): readonly AuditEvent[];
  /** The value of an event that a list filter is compared with. */
  listedValue(event: AuditEvent, filter: ListFilter): string;
  /** The value of an event that a metadata key is compared with. */
  metadataValue(event: AuditEvent, key: MetadataKey): string | undefined;
  /** Whether an event's value is among those wanted: exactly, and in the same case. */
  matchesList(value: string, wanted: readonly string[], filter: ListFilter): boolean;
  matchesMetadata(value: string | undefined, wanted: string, key: MetadataKey): boolean;
  isKept(met: ConditionsMet): boolean;
  /** Both in nanoseconds since 1970 UTC. */
  isFromStart(at: bigint, start: bigint): boolean;
  isToEnd(at: bigint, end: bigint): boolean;
  /** The exported events, given the selected ones in the order in which they were stored. */
  exportedEvents(selected: readonly AuditEvent[], query: ExportQuery): readonly AuditEvent[];
  orderEvents(events: readonly AuditEvent[]): readonly AuditEvent[];
  /** The limit counts the events that the query selects of those stored. */
  isWithinLimit(
    selected: readonly AuditEvent[],
    query: ExportQuery,
    stored: readonly AuditEvent[],
  ): boolean;

  // How dates are written and files are sent, whatever their type.

  zoneOffset(timezone: string, of: ExportMoment): ZoneOffset;
  /** @param now when the export is made, in milliseconds since 1970 UTC */
  dateStyle(query: ExportQuery, now: number): WriteDate;
  contentType(fileType: FileType): string;
  /** @param now when the export is made, in milliseconds since 1970 UTC */
  contentDisposition(fileType: FileType, now: number): string | undefined;
  /** Whether the file is made whole before it is sent, so that its length is known. */
  hasContentLength(fileType: FileType): boolean;
  /** The document does not say whether exports are recorded as events; undefined records nothing. */
  exportEvent(query: ExportQuery, now: number): Omit<AuditEvent, 'id'> | undefined;

  // The form of a CSV, which the document leaves open altogether.

  csvColumns(): readonly Column[];
  csvDelimiter(): string;
  csvLineEnd(): string;
  /** Whether the last line ends like the others. */
  csvEndsLastLine(): boolean;
  csvByteOrderMark(): boolean;
  /** Lines before the headings, as cells. */
  csvTitle(locale: Locale): ReadonlyArray<readonly string[]>;
  /** The line of headings; undefined: none. */
  csvHeadings(columns: readonly Column[], locale: Locale): readonly string[] | undefined;
  /** How a cell is written in a file with this delimiter: quoted where it must be. */
  csvCell(delimiter: string): (text: string) => string;
  /** Whether an export without events still has its title and headings. */
  csvHeadingsWhenEmpty(): boolean;

  // The form of a PDF, which the document leaves open altogether.

  pdfForm(locale: Locale): PdfForm;
  /** What is printed of each event; empty cells are left out. */
  pdfColumns(): readonly Column[];
  /** A cell as it is printed. */
  pdfText(text: string): string;
  /** The pages that the file holds, given those that the events take. */
  pdfPages(pages: readonly Page[]): readonly Page[];
  /** What they are written on. */
  pdfSheets(form: PdfForm): Sheets;
}

const listedFields = {
  auditee_id: 'auditeeId',
  event_type: 'eventType',
  sub_type: 'subType',
  system_source: 'systemSource',
} as const satisfies Record<ListFilter, keyof AuditEvent>;

const title: Translations = {
  en: 'Audit events',
  de: 'Prüfereignisse',
  fr: 'Événements d’audit',
};

export const exportRules: ExportRules = {
  checkParameters: () => {},
  readList: readListIn(['repeat', 'brackets']),
  unknownMetadataKey: (key) => {
    throw new ExportRefused(`metadata[${key}] is not an allowed key`);
  },
  readBound: (value, name) => {
    if (isNull(value)) return undefined;
    if (!isTimestamp(value)) throw new ExportRefused(`${name} is not an ISO 8601 UTC datetime`);
    return instantOf(value);
  },
  rangeIsInOrder: ({ start, end }) => start === undefined || end === undefined || start <= end,
  readFileType: (value = 'csv') => {
    if (value === 'csv' || value === 'pdf') return value;
    throw new ExportRefused('file_type is neither csv nor pdf');
  },
  readLocale: (value = 'en') => {
    if (isLocale(value)) return value;
    throw new ExportRefused(`locale ${value} is not supported`);
  },
  readTimezone: (value) => {
    if (isNull(value)) return 'UTC';
    if (isTimezone(value)) return value;
    throw new ExportRefused(`timezone ${value} is not an IANA time zone`);
  },
  queryActedOn: (query) => query,

  storedEvents: (events) => events,
  listedValue: (event, filter) => event[listedFields[filter]],
  metadataValue: ({ metadata }, key) => metadata[key],
  matchesList: (value, wanted) => wanted.includes(value),
  matchesMetadata: (value, wanted) => value === wanted,
  isKept: ({ range, lists, metadata }) => range.every(Boolean) && all(lists) && all(metadata),
  isFromStart: (at, start) => at >= start,
  isToEnd: (at, end) => at <= end,
  exportedEvents: (selected) => selected,
  orderEvents: (events) => events,
  isWithinLimit: (selected, { fileType }) => fileType === 'csv' || selected.length <= pdfEventLimit,

  zoneOffset: (timezone) => zoneOffset(timezone),
  dateStyle: () => localDate,
  contentType: (fileType) => (fileType === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf'),
  contentDisposition: (fileType) => `attachment; filename="audit-events.${fileType}"`,
  hasContentLength: (fileType) => fileType === 'pdf',
  exportEvent: () => undefined,

  csvColumns: () => allColumns,
  csvDelimiter: () => ',',
  csvLineEnd: () => '\r\n',
  csvEndsLastLine: () => true,
  csvByteOrderMark: () => false,
  csvTitle: () => [],
  csvHeadings: (columns, locale) => columns.map(({ heading }) => heading[locale]),
  csvCell: (delimiter) => quotedWhere(needsQuotes(delimiter)),
  csvHeadingsWhenEmpty: () => true,

  pdfForm: (locale) => ({
    page: landscape(a4),
    layout: tableLayout,
    fontSize: 6.5,
    tableWidths: [142, 138, 70, 150, 270],
    runningTitle: title[locale],
    hasPageNumbers: true,
    hasCover: false,
  }),
  pdfColumns: () => allColumns,
  pdfText: (text) => text,
  pdfPages: (pages) => pages,
  pdfSheets,
};

/** Whether every condition of one kind is met. */
export function all(met: Readonly<Record<string, boolean>>): boolean {
  for (const name in met) if (met[name] !== true) return false;
  return true;
}

/** Matches text that, unquoted, would not read back as the one cell that it is (RFC 4180). */
export function needsQuotes(delimiter: string): RegExp {
  return new RegExp(`[${delimiter}"\\r\\n]|^\\s|\\s$`);
}

/** Writes cells in quotes where their text matches. */
export function quotedWhere(
  pattern: RegExp,
  quote: (text: string) => string = quoted,
): (text: string) => string {
  return (text) => (text !== '' && pattern.test(text) ? quote(text) : text);
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
