import {
  type ListFilter,
  listFilters,
  type MetadataKey,
  metadataKeys,
} from '../../schemas/operations.ts';
import type { ExportQueryRules } from '../rules/export-query.ts';
import { ExportRefused } from './refusal.ts';

export type FileType = 'csv' | 'pdf';

/** Parameters as they were sent, decoded, in their order; a name may come several times. */
export type Parameters = ReadonlyArray<readonly [name: string, value: string]>;

/** What an export asks for, once the rules have read its parameters. */
export interface ExportQuery {
  /** Lists without values are left out: they filter nothing. */
  readonly lists: Readonly<Partial<Record<ListFilter, readonly string[]>>>;
  readonly metadata: Readonly<Partial<Record<MetadataKey, string>>>;
  /** Milliseconds since 1970 UTC, with a fraction where the bound was finer; missing where unbounded. */
  readonly start?: number;
  readonly end?: number;
  readonly fileType: FileType;
  readonly locale: string;
  /** An IANA identifier that Intl knows. */
  readonly timezone: string;
}

/** The query of a request target, decoded as forms are: `+` is a space. */
export function parametersOf(target: string): Parameters {
  const mark = target.indexOf('?');
  return mark === -1 ? [] : [...new URLSearchParams(target.slice(mark + 1))];
}

const known =
  /^(auditee_id|event_type|sub_type|system_source)(\[\d*\])?$|^metadata\[|^(range_(start|end)|file_type|locale|timezone)$/;

/** @throws ExportRefused where one is none of the table's, in whatever encoding lists are sent */
export function refuseOthers(parameters: Parameters): void {
  const unknown = parameters.find(([name]) => !known.test(name));
  if (unknown !== undefined) throw new ExportRefused(`${unknown[0]} is not a parameter`);
}

/**
 * Reads the parameters of an export (4. Export audit events).
 *
 * @throws ExportRefused where a rule refuses a value, or the range is reversed.
 */
export function readQuery(parameters: Parameters, rules: ExportQueryRules): ExportQuery {
  rules.checkParameters(parameters);
  const last = new Map(parameters);
  const start = rules.readBound(last.get('range_start'), 'range_start');
  const end = rules.readBound(last.get('range_end'), 'range_end');
  const query: ExportQuery = {
    lists: readLists(parameters, rules),
    metadata: readMetadata(parameters, rules),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    fileType: rules.readFileType(last.get('file_type')),
    locale: rules.readLocale(last.get('locale')),
    timezone: rules.readTimezone(last.get('timezone')),
  };
  if (!rules.rangeIsInOrder(query)) {
    throw new ExportRefused('range_start is later than range_end');
  }
  return query;
}

function readLists(parameters: Parameters, rules: ExportQueryRules): ExportQuery['lists'] {
  const lists: Partial<Record<ListFilter, readonly string[]>> = {};
  for (const filter of listFilters) {
    const values = rules.readList(parameters, filter).filter((value) => value !== '');
    if (values.length > 0) lists[filter] = values;
  }
  return lists;
}

function readMetadata(parameters: Parameters, rules: ExportQueryRules): ExportQuery['metadata'] {
  const metadata: Partial<Record<MetadataKey, string>> = {};
  for (const [name, value] of parameters) {
    const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
    if (key === undefined) continue;
    if (isMetadataKey(key)) metadata[key] = value;
    else rules.unknownMetadataKey(key);
  }
  return metadata;
}

function isMetadataKey(key: string): key is MetadataKey {
  return metadataKeys.some((known) => known === key);
}
