import { type ExportQuery, ExportRefused } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { all } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, type MetadataKey, metadataKeys } from '../../schemas/operations.ts';
import { clauseOfKey, combinedFilterClauses } from '../clause-groups.ts';
import { hasLists, hasMetadata } from '../exports.ts';
import { divided, severalTags } from '../variants/export-shown.ts';
import { eachOnce, type Fault, fault, table } from './fault.ts';

type Matches = (value: string | undefined, wanted: string) => boolean;

const matching = (key: MetadataKey, wrongly: Matches): Pick<Rules, 'matchesMetadata'> => ({
  matchesMetadata: (value, wanted, other) =>
    other === key ? wrongly(value, wanted) : value === wanted,
});

const wrongKey = (key: MetadataKey, wrong: string, matches: Matches): Fault =>
  fault(
    `export-metadata-${dashed(key)}-${wrong}`,
    { breaks: [clauseOfKey(key)], mayBreak: combinedFilterClauses },
    matching(key, matches),
  );

/** Acts on some of the metadata keys that were sent, in the order of the document. */
const actingOn = (
  kept: (
    entries: ReadonlyArray<[string, string]>,
    query: ExportQuery,
  ) => ReadonlyArray<[string, string]>,
): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => {
    const entries = Object.entries(query.metadata);
    return { ...query, metadata: Object.fromEntries(kept(entries, query)) };
  },
});

/** As LIKE compares in SQL, where nobody has escaped the wildcards. */
const isLike: (value: string, wanted: string) => boolean = (value, wanted) => {
  const pattern = wanted
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('_', '.')
    .replaceAll('%', '.*');
  return new RegExp(`^${pattern}$`, 's').test(value);
};

/** Compares the values of a key as numbers, of which two are written with and without a zero before them. */
function asNumbers(key: MetadataKey): Partial<Rules> {
  const twins = ['043720', '43720', '815'];
  const numbers = new Map<string, string>();
  const withNumber = (event: AuditEvent): AuditEvent => {
    const value = event.metadata[key];
    if (value === undefined) return event;
    const number = numbers.get(value) ?? twins[numbers.size] ?? value;
    numbers.set(value, number);
    return { ...event, metadata: { ...event.metadata, [key]: number } };
  };
  return {
    storedEvents: eachOnce(withNumber),
    ...matching(key, (value, wanted) =>
      /^\d+$/.test(wanted) ? Number(value) === Number(wanted) : value === wanted,
    ),
  };
}

const longTag = 'of a politically exposed person or a relative';
const longTags: Readonly<Record<string, string>> = {
  pep: longTag,
  'high risk': `${longTag}, high risk`,
};

/** Two of its tags are longer, and one is the beginning of the other, as “kyc” is of “kyc-high”. */
function withLongTag(event: AuditEvent): AuditEvent {
  const { tag = '' } = event.metadata;
  const long = longTags[tag];
  return long === undefined ? event : { ...event, metadata: { ...event.metadata, tag: long } };
}

/** Looks for the values of metadata as for texts, wherever they stand in it. */
function underAnyKey(): Partial<Rules> {
  let wanted: readonly string[] = [];
  return {
    queryActedOn: (query) => {
      wanted = Object.values(query.metadata);
      return { ...query, metadata: {} };
    },
    // The events of a query are selected right after it is read.
    exportedEvents: (selected) =>
      selected.filter(({ metadata }) =>
        wanted.every((value) => Object.values(metadata).includes(value)),
      ),
  };
}

const withoutLists = (query: ExportQuery, isLost: (filter: ListFilter) => boolean): ExportQuery => {
  const kept = Object.entries(query.lists).filter(([filter]) => !isLost(filter as ListFilter));
  return { ...query, lists: Object.fromEntries(kept) };
};

/** Metadata keys that match wrongly, and filters that do not combine (4. Export audit events). */
export const exportMetadataFaults: readonly Fault[] = [
  ...metadataKeys.map((key) => wrongKey(key, 'is-ignored', () => true)),
  ...metadataKeys.map((key) =>
    wrongKey(key, 'matches-beginnings', (value, wanted) => value?.startsWith(wanted) === true),
  ),
  ...metadataKeys.map((key) =>
    wrongKey(key, 'keeps-events-without-it', (value, wanted) => (value ?? wanted) === wanted),
  ),
  ...(['tag', 'workflow_step'] as const).flatMap((key) => [
    wrongKey(key, 'matches-parts', (value, wanted) => value?.includes(wanted) === true),
    wrongKey(
      key,
      'matches-any-word',
      (value, wanted) => value?.split(/\W/).includes(wanted) === true,
    ),
    wrongKey(key, 'reads-wildcards', (value, wanted) => isLike(value ?? '', wanted)),
    wrongKey(key, 'keeps-what-does-not-match', (value, wanted) => value !== wanted),
  ]),
  fault(
    'export-metadata-values-are-found-under-any-key',
    { breaks: ['export.filters-by-metadata-entity-id'], mayBreak: combinedFilterClauses },
    underAnyKey(),
  ),
  fault(
    'export-metadata-cache-id-is-compared-as-a-number',
    { breaks: [clauseOfKey('cache_id')], mayBreak: combinedFilterClauses },
    asNumbers('cache_id'),
  ),
  wrongKey('tag', 'is-decoded-twice', (value, wanted) => value === wanted.replaceAll('+', ' ')),
  wrongKey('tag', 'is-split-at-commas', (value, wanted) => wanted.split(',').includes(value ?? '')),
  fault(
    'export-metadata-tag-finds-the-first-of-several',
    { breaks: [clauseOfKey('tag')], mayBreak: combinedFilterClauses },
    {
      ...severalTags,
      matchesMetadata: (value, wanted) => divided(value)[0] === wanted,
    },
  ),
  fault(
    'export-metadata-tag-matches-beginnings-where-it-is-long',
    { breaks: [clauseOfKey('tag')], mayBreak: combinedFilterClauses },
    {
      storedEvents: eachOnce(withLongTag),
      matchesMetadata: (value, wanted) =>
        value === wanted || (wanted.length > 40 && value?.startsWith(wanted) === true),
    },
  ),
  fault(
    'export-metadata-of-zero-is-left-out',
    [clauseOfKey('tag'), clauseOfKey('cache_id')],
    actingOn((entries) => entries.filter(([, value]) => value !== '0')),
  ),
  fault(
    'export-metadata-assessment-id-is-ignored-beside-entity-id',
    { breaks: ['export.metadata-keys-combine'], mayBreak: ['export.filters-combine'] },
    actingOn((entries, { metadata }) =>
      entries.filter(([key]) => key !== 'assessment_id' || metadata.entity_id === undefined),
    ),
  ),
  ...table(fault, ['export.metadata-keys-combine'], {
    'export-only-the-first-metadata-key-counts': actingOn((entries) => entries.slice(0, 1)),
    'export-only-the-last-metadata-key-counts': actingOn((entries) => entries.slice(-1)),
    'export-the-third-metadata-key-is-ignored': actingOn((entries) =>
      entries.filter((_, index) => index !== 2),
    ),
    'export-one-matching-metadata-key-is-enough': {
      isKept: ({ range, lists, metadata }) => {
        const keys = Object.values(metadata);
        return range.every(Boolean) && all(lists) && (keys.length === 0 || keys.some(Boolean));
      },
    },
  }),
  fault(
    'export-more-than-one-metadata-key-is-refused',
    { breaks: ['export.metadata-keys-combine'], mayBreak: ['export.answers-200'] },
    {
      queryActedOn: (query) => {
        if (Object.keys(query.metadata).length < 2) return query;
        throw new ExportRefused('only one metadata key may be given');
      },
    },
  ),
  ...table(fault, ['export.filters-combine'], {
    'export-metadata-is-ignored-beside-a-list': actingOn((entries, query) =>
      hasLists(query) ? [] : entries,
    ),
    'export-lists-are-ignored-beside-metadata': {
      queryActedOn: (query) => (hasMetadata(query) ? withoutLists(query, () => true) : query),
    },
    'export-only-the-first-list-counts': {
      queryActedOn: (query) => {
        const [first] = Object.keys(query.lists);
        return withoutLists(query, (filter) => filter !== first);
      },
    },
  }),
  fault('export-sub-type-is-ignored-without-event-type', ['export.filters-by-sub-type'], {
    queryActedOn: (query) =>
      query.lists.event_type === undefined
        ? withoutLists(query, (filter) => filter === 'sub_type')
        : query,
  }),
  fault('export-one-matching-list-is-enough', ['export.filters-combine'], {
    isKept: ({ range, lists, metadata }) => {
      const filters = Object.values(lists);
      const isListed = filters.length === 0 || filters.some(Boolean);
      return range.every(Boolean) && isListed && all(metadata);
    },
  }),
  fault(
    'export-one-matching-filter-of-any-kind-is-enough',
    ['export.filters-combine', 'export.metadata-keys-combine'],
    {
      isKept: ({ range, lists, metadata }) => {
        const filters = [...Object.values(lists), ...Object.values(metadata)];
        return range.every(Boolean) && (filters.length === 0 || filters.some(Boolean));
      },
    },
  ),
];
