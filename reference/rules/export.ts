import { type ListFilter, type MetadataKey, pdfEventLimit } from '../../schemas/operations.ts';
import { isTimestamp } from '../../schemas/resources.ts';
import {
  allColumns,
  type Column,
  isLocale,
  type Locale,
  type Translations,
} from '../export/columns.ts';
import { localDate, type WriteDate } from '../export/dates.ts';
import { pdfSheets } from '../export/pdf-draw.ts';
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

type Events = readonly AuditEvent[];

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

/**
 * What the document says of exports, one small function a sentence, and what it leaves open, with a default
 * (4. Export audit events, Errors, Limits).
 */
export const exportRules = {
  // How its parameters are read. A rule that refuses a value throws ExportRefused.

  /** Refuses parameters that are unknown; the document does not say what they get. */
  checkParameters: (_parameters: Parameters): void => {},
  /** The values of a list parameter, in whatever encoding they were sent. */
  readList: readListIn(['repeat', 'brackets']),
  /** Refuses a metadata key outside the allowed ones, or ignores it. */
  unknownMetadataKey: (key: string): void => {
    throw new ExportRefused(`metadata[${key}] is not an allowed key`);
  },
  /** A bound in nanoseconds since 1970 UTC; undefined: unbounded. */
  readBound: (value: string | undefined, name: BoundName): bigint | undefined => {
    if (isNull(value)) return undefined;
    if (!isTimestamp(value)) throw new ExportRefused(`${name} is not an ISO 8601 UTC datetime`);
    return instantOf(value);
  },
  rangeIsInOrder: ({ start, end }: ExportQuery): boolean =>
    start === undefined || end === undefined || start <= end,
  readFileType: (value = 'csv'): FileType => {
    if (value === 'csv' || value === 'pdf') return value;
    throw new ExportRefused('file_type is neither csv nor pdf');
  },
  readLocale: (value = 'en'): string => {
    if (isLocale(value)) return value;
    throw new ExportRefused(`locale ${value} is not supported`);
  },
  readTimezone: (value: string | undefined): string => {
    if (isNull(value)) return 'UTC';
    if (isTimezone(value)) return value;
    throw new ExportRefused(`timezone ${value} is not an IANA time zone`);
  },
  /** The query that is carried out, given the one that was sent. */
  queryActedOn: (query: ExportQuery): ExportQuery => query,

  // Which of the stored events it holds.

  /** The stored events that exports can hold at all. */
  storedEvents: (events: Events): Events => events,
  /** The value of an event that a list filter is compared with. */
  listedValue: (event: AuditEvent, filter: ListFilter): string => event[listedFields[filter]],
  /** The value of an event that a metadata key is compared with. */
  metadataValue: ({ metadata }: AuditEvent, key: MetadataKey): string | undefined => metadata[key],
  /** Whether an event's value is among those wanted: exactly, and in the same case. */
  matchesList: (value: string, wanted: readonly string[], _filter: ListFilter): boolean =>
    wanted.includes(value),
  matchesMetadata: (value: string | undefined, wanted: string, _key: MetadataKey): boolean =>
    value === wanted,
  isKept: ({ range, lists, metadata }: ConditionsMet): boolean =>
    range.every(Boolean) && all(lists) && all(metadata),
  /** Both in nanoseconds since 1970 UTC. */
  isFromStart: (at: bigint, start: bigint): boolean => at >= start,
  isToEnd: (at: bigint, end: bigint): boolean => at <= end,
  /** The exported events, given the selected ones in the order in which they were stored. */
  exportedEvents: (selected: Events, _query: ExportQuery): Events => selected,
  orderEvents: (events: Events): Events => events,
  /** The limit counts the events that the query selects of those stored. */
  isWithinLimit: (selected: Events, { fileType }: ExportQuery, _stored: Events): boolean =>
    fileType === 'csv' || selected.length <= pdfEventLimit,

  // How dates are written and files are sent, whatever their type; `now`: when the export is made, in milliseconds since
  // 1970 UTC.

  zoneOffset: (timezone: string, _of: ExportMoment): ZoneOffset => zoneOffset(timezone),
  dateStyle: (_query: ExportQuery, _now: number): WriteDate => localDate,
  contentType: (fileType: FileType): string =>
    fileType === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf',
  contentDisposition: (fileType: FileType, _now: number): string | undefined =>
    `attachment; filename="audit-events.${fileType}"`,
  /** Whether the file is made whole before it is sent, so that its length is known. */
  hasContentLength: (fileType: FileType): boolean => fileType === 'pdf',
  /** The document does not say whether exports are recorded as events; undefined records nothing. */
  exportEvent: (_query: ExportQuery, _now: number): Omit<AuditEvent, 'id'> | undefined => undefined,

  // The form of a CSV, which the document leaves open altogether.

  csvColumns: (): readonly Column[] => allColumns,
  csvDelimiter: (): string => ',',
  csvLineEnd: (): string => '\r\n',
  /** Whether the last line ends like the others. */
  csvEndsLastLine: (): boolean => true,
  csvByteOrderMark: (): boolean => false,
  /** Lines before the headings, as cells. */
  csvTitle: (_locale: Locale): ReadonlyArray<readonly string[]> => [],
  /** The line of headings; undefined: none. */
  csvHeadings: (columns: readonly Column[], locale: Locale): readonly string[] | undefined =>
    columns.map(({ heading }) => heading[locale]),
  /** How a cell is written in a file with this delimiter: quoted where it must be. */
  csvCell: (delimiter: string) => quotedWhere(needsQuotes(delimiter)),
  /** Whether an export without events still has its title and headings. */
  csvHeadingsWhenEmpty: (): boolean => true,

  // The form of a PDF, which the document leaves open altogether.

  pdfForm: (locale: Locale): PdfForm => ({
    page: landscape(a4),
    layout: tableLayout,
    fontSize: 6.5,
    tableWidths: [142, 138, 70, 150, 270],
    runningTitle: title[locale],
    hasPageNumbers: true,
    hasCover: false,
  }),
  /** What is printed of each event; empty cells are left out. */
  pdfColumns: (): readonly Column[] => allColumns,
  /** A cell as it is printed. */
  pdfText: (text: string): string => text,
  /** The pages that the file holds, given those that the events take. */
  pdfPages: (pages: readonly Page[]): readonly Page[] => pages,
  /** What they are written on. */
  pdfSheets,
};

export type ExportRules = typeof exportRules;

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
