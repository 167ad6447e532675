import { type ListFilter, type MetadataKey, metadataKeys } from '../../schemas/operations.ts';
import type { ExportQuery } from '../export/query.ts';
import { ExportRefused } from '../export/refusal.ts';
import { all } from '../rules/export-selection.ts';
import type { Rules } from '../rules.ts';
import { metadataClauses, ofFiltersTogether } from './export-clauses.ts';
import type { Fault } from './fault.ts';

type Matches = (value: string | undefined, wanted: string) => boolean;

const matching = (key: MetadataKey, wrongly: Matches): Pick<Rules, 'matchesMetadata'> => ({
  matchesMetadata: (value, wanted, other) =>
    other === key ? wrongly(value, wanted) : value === wanted,
});

const wrongKey = (key: MetadataKey, wrong: string, matches: Matches): Fault => ({
  id: `export-metadata-${key.replaceAll('_', '-')}-${wrong}`,
  breaks: [metadataClauses[key]],
  mayBreak: ofFiltersTogether,
  rules: matching(key, matches),
});

/** Goes by some of the metadata keys that were sent, in the order of the document. */
const goingBy = (
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

const hasLists = ({ lists }: ExportQuery) => Object.keys(lists).length > 0;

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
    wrongKey(
      key,
      'matches-in-any-case',
      (value, wanted) => value?.toLowerCase() === wanted.toLowerCase(),
    ),
    wrongKey(key, 'matches-parts', (value, wanted) => value?.includes(wanted) === true),
    wrongKey(
      key,
      'matches-any-word',
      (value, wanted) => value?.split(/\W/).includes(wanted) === true,
    ),
    wrongKey(key, 'keeps-what-does-not-match', (value, wanted) => value !== wanted),
  ]),
  {
    id: 'export-only-the-first-metadata-key-counts',
    breaks: ['export.metadata-keys-combine'],
    rules: goingBy((entries) => entries.slice(0, 1)),
  },
  {
    id: 'export-only-the-last-metadata-key-counts',
    breaks: ['export.metadata-keys-combine'],
    rules: goingBy((entries) => entries.slice(-1)),
  },
  {
    id: 'export-the-third-metadata-key-is-ignored',
    breaks: ['export.metadata-keys-combine'],
    rules: goingBy((entries) => entries.filter((_, index) => index !== 2)),
  },
  {
    id: 'export-one-matching-metadata-key-is-enough',
    breaks: ['export.metadata-keys-combine'],
    rules: {
      isKept: ({ range, lists, metadata }) => {
        const keys = Object.values(metadata);
        return range.every(Boolean) && all(lists) && (keys.length === 0 || keys.some(Boolean));
      },
    },
  },
  {
    id: 'export-more-than-one-metadata-key-is-refused',
    breaks: ['export.metadata-keys-combine'],
    mayBreak: ['export.answers-200'],
    rules: {
      queryActedOn: (query) => {
        if (Object.keys(query.metadata).length < 2) return query;
        throw new ExportRefused('only one metadata key may be given');
      },
    },
  },
  {
    id: 'export-metadata-is-ignored-beside-a-list',
    breaks: ['export.filters-combine'],
    rules: goingBy((entries, query) => (hasLists(query) ? [] : entries)),
  },
  {
    id: 'export-lists-are-ignored-beside-metadata',
    breaks: ['export.filters-combine'],
    rules: {
      queryActedOn: (query) =>
        Object.keys(query.metadata).length > 0 ? withoutLists(query, () => true) : query,
    },
  },
  {
    id: 'export-only-the-first-list-counts',
    breaks: ['export.filters-combine'],
    rules: {
      queryActedOn: (query) => {
        const [first] = Object.keys(query.lists);
        return withoutLists(query, (filter) => filter !== first);
      },
    },
  },
  {
    id: 'export-sub-type-is-ignored-without-event-type',
    breaks: ['export.filters-by-sub-type'],
    rules: {
      queryActedOn: (query) =>
        query.lists.event_type === undefined
          ? withoutLists(query, (filter) => filter === 'sub_type')
          : query,
    },
  },
  {
    id: 'export-one-matching-list-is-enough',
    breaks: ['export.filters-combine'],
    rules: {
      isKept: ({ range, lists, metadata }) => {
        const filters = Object.values(lists);
        const isListed = filters.length === 0 || filters.some(Boolean);
        return range.every(Boolean) && isListed && all(metadata);
      },
    },
  },
  {
    id: 'export-one-matching-filter-of-any-kind-is-enough',
    breaks: ['export.filters-combine', 'export.metadata-keys-combine'],
    rules: {
      isKept: ({ range, lists, metadata }) => {
        const filters = [...Object.values(lists), ...Object.values(metadata)];
        return range.every(Boolean) && (filters.length === 0 || filters.some(Boolean));
      },
    },
  },
];
