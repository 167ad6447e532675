import type { ListFilter } from '../../schemas/operations.ts';
import { isTimestamp } from '../../schemas/timestamp.ts';
import { readListIn } from '../export/list-encodings.ts';
import { isLocale } from '../export/locale.ts';
import type { ExportQuery, FileType, Parameters } from '../export/query.ts';
import { ExportRefused } from '../export/refusal.ts';
import { isTimezone } from '../export/zone.ts';

export type BoundName = 'range_start' | 'range_end';

/** How the parameters of an export are read. A rule that refuses a value throws ExportRefused. */
export interface ExportQueryRules {
  /** Refuses parameters that are unknown; the document does not say what they get. */
  checkParameters(parameters: Parameters): void;
  /** The values of a list parameter, in whatever encoding they were sent. */
  readList(parameters: Parameters, name: ListFilter): readonly string[];
  /** Refuses a metadata key outside the allowed ones, or lets it pass unheeded. */
  unknownMetadataKey(key: string): void;
  /** A bound in milliseconds since 1970 UTC, with a fraction where it is finer; undefined: unbounded. */
  readBound(value: string | undefined, name: BoundName): number | undefined;
  rangeIsInOrder(query: ExportQuery): boolean;
  readFileType(value: string | undefined): FileType;
  readLocale(value: string | undefined): string;
  readTimezone(value: string | undefined): string;
  /** What the service goes by, given what it was asked. */
  queryActedOn(query: ExportQuery): ExportQuery;
}

export const exportQueryRules: ExportQueryRules = {
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
};

/** Whether a parameter is left out, empty or `null`: the document lets it be null, not how that is written. */
export function isNull(value: string | undefined): value is '' | 'null' | undefined {
  return value === undefined || value === '' || value === 'null';
}

/** Milliseconds since 1970 of an ISO 8601 UTC datetime, digits beyond the third kept as a fraction. */
export function instantOf(timestamp: string): number {
  const finer = /\.\d{3}(\d+)/.exec(timestamp)?.[1];
  return Date.parse(timestamp) + (finer === undefined ? 0 : Number(`0.${finer}`));
}
