import { isLocale } from '../../reference/export/columns.ts';
import { ExportRefused, instantOf, isNull, readListIn } from '../../reference/export/query.ts';
import { isTimezone } from '../../reference/export/zone.ts';
import type { Handle } from '../../reference/reference.ts';
import { exportRules } from '../../reference/rules/export.ts';
import { listFilters } from '../../schemas/operations.ts';
import { refuseOthers } from '../exports.ts';
import { table } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

const encodings: readonly Variant[] = (
  [
    ['repeat'],
    ['brackets'],
    ['indices'],
    ['comma'],
    ['repeat', 'brackets', 'indices'],
    ['comma', 'brackets'],
    ['pipe'],
    ['semicolon'],
    ['json'],
  ] as const
).map((read) =>
  variant(`export-lists-are-read-as-${read.join('-and-')}`, 'export.array-encoding', {
    readList: readListIn(read),
  }),
);

/** What reads the query as it was sent, before anything is decoded. */
const onTarget =
  (change: (query: string) => string) =>
  (handle: Handle): Handle =>
  (request) => {
    const [path = '', query] = request.target.split('?');
    const target = query === undefined ? path : `${path}?${change(query)}`;
    return handle({ ...request, target });
  };

const furtherEncodings: readonly Variant[] = [
  variant(
    'export-lists-are-divided-at-bare-commas-only',
    {
      opens: 'export.array-encoding',
      wire: onTarget((query) =>
        query
          .split('&')
          .map((one) => (one.startsWith('metadata') ? one : one.replace(/%2C/gi, '%1F')))
          .join('&'),
      ),
    },
    { readList: readListIn(['comma']) },
  ),
  variant(
    'export-lists-are-divided-at-tildes',
    {
      opens: 'export.array-encoding',
      hides: ['export.lists-are-any-of'],
      wire: onTarget((query) => {
        const parameters = new URLSearchParams(query);
        for (const name of listFilters) {
          const values = parameters.getAll(name);
          if (values.length > 1) parameters.set(name, values.at(-1) ?? '');
        }
        return parameters.toString();
      }),
    },
    {
      readList: (parameters, name) =>
        parameters.flatMap(([sent, value]) => (sent === name ? value.split('~') : [])).slice(0, 2),
    },
  ),
  variant(
    'export-lists-with-a-value-twice-are-refused',
    { opens: 'export.array-encoding', unseen: 'A value is given twice in other requests only.' },
    {
      readList: (parameters, name) => {
        const values = exportRules.readList(parameters, name);
        if (new Set(values).size < values.length) throw new ExportRefused(`${name} repeats itself`);
        return values;
      },
    },
  ),
  ...table(variant, 'export.brackets-of-metadata', {
    'export-metadata-is-read-in-plain-brackets-only': onTarget((query) =>
      query.replace(/metadata%5B/gi, 'other%5B'),
    ),
    'export-metadata-is-read-in-encoded-brackets-only': onTarget((query) =>
      query.replaceAll('metadata[', 'other['),
    ),
  }),
];

const inAnyCase = (value: string | undefined, wanted: string): boolean =>
  value?.toLowerCase() === wanted.toLowerCase();

const cases: readonly Variant[] = [
  variant(
    'export-filters-match-in-any-case',
    { opens: 'export.case-of-filter-values', follows: ['audit.classification-values'] },
    {
      matchesList: (value, wanted) => wanted.some((text) => inAnyCase(value, text)),
      matchesMetadata: inAnyCase,
    },
  ),
  variant('export-event-types-match-in-any-case', 'export.case-of-filter-values', {
    matchesList: (value, wanted, filter) =>
      wanted.some((text) => (filter === 'event_type' ? inAnyCase(value, text) : text === value)),
  }),
];

/** A datetime with an offset as the same instant in UTC. */
const utcOf = (value: string) => instantOf(new Date(value).toISOString());

const bounds: readonly Variant[] = [
  ...table(variant, 'export.range-with-offset', {
    'export-bounds-with-the-offset-00-00-are-refused': {
      readBound: (value, name) => {
        if (value?.endsWith('+00:00')) throw new ExportRefused(`${name} does not end in Z`);
        return exportRules.readBound(value, name);
      },
    },
    'export-bounds-with-any-offset-are-accepted': {
      readBound: (value, name) => {
        const isOffset = value !== undefined && /T.*[+-]\d\d:\d\d$/.test(value);
        return isOffset ? utcOf(value) : exportRules.readBound(value, name);
      },
    },
  }),
  ...table(variant, 'export.malformed-range', {
    'export-bounds-may-be-days': {
      readBound: (value, name) =>
        value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value)
          ? instantOf(`${value}T00:00:00Z`)
          : exportRules.readBound(value, name),
    },
    'export-bounds-may-leave-out-seconds': {
      readBound: (value, name) =>
        exportRules.readBound(value?.replace(/(T\d\d:\d\d)Z$/, '$1:00Z'), name),
    },
  }),
  variant('export-empty-bounds-are-refused', 'export.null-range', {
    readBound: (value, name) => {
      if (value === '') throw new ExportRefused(`${name} is empty`);
      return exportRules.readBound(value, name);
    },
  }),
  variant(
    'export-an-empty-range-end-is-before-all-events',
    {
      opens: 'export.null-range',
      unseen: 'An empty range_end is only sent beside filters, where it may keep no events.',
    },
    {
      readBound: (value, name) =>
        value === '' && name === 'range_end' ? 0n : exportRules.readBound(value, name),
      rangeIsInOrder: (query) => query.end === 0n || exportRules.rangeIsInOrder(query),
    },
  ),
  variant(
    'export-without-timezone-has-that-of-its-region',
    {
      opens: 'export.null-range',
      unseen:
        'Without a timezone, dates are only compared with those of the zone of another request.',
    },
    {
      // Another request asks for this very zone.
      readTimezone: (value) => exportRules.readTimezone(value ?? 'Asia/Kathmandu'),
    },
  ),
  variant('export-bounds-and-zones-that-read-null-are-refused', 'export.null-range', {
    readBound: (value, name) => {
      if (value === 'null') throw new ExportRefused(`${name} is not a datetime`);
      return exportRules.readBound(value, name);
    },
    readTimezone: (value) => {
      if (value === 'null') throw new ExportRefused('timezone is not a time zone');
      return exportRules.readTimezone(value);
    },
  }),
];

/** Every tenth export fails with 500; requested again, it does not. */
const failingOnce = (handle: Handle): Handle => {
  const failed = new Set<string>();
  let count = 0;
  return async (request) => {
    const { target } = request;
    if (!target.includes('/audit-sentinel/events/export')) return handle(request);
    count += 1;
    if (failed.delete(target) || count % 10 > 0) return handle(request);
    failed.add(target);
    return { status: 500, headers: {}, body: '' };
  };
};

const values: readonly Variant[] = [
  variant(
    'every-tenth-export-fails-once-with-500',
    'errors.passing-failure-of-an-export',
    failingOnce,
  ),
  variant('export-unknown-metadata-keys-are-ignored', 'export.unknown-metadata-key', {
    unknownMetadataKey: () => {},
  }),
  variant('export-unknown-event-types-are-refused', 'audit.classification-values', {
    readList: (parameters, name) => {
      const values = exportRules.readList(parameters, name);
      const unknown = values.find(
        (value) => !/^(assess(ment)?|document|screening|task)$/i.test(value),
      );
      if (name === 'event_type' && unknown !== undefined) {
        throw new ExportRefused(`${unknown} is no event type`);
      }
      return values;
    },
  }),
  variant('export-unknown-parameters-are-refused', 'errors.further-statuses', {
    checkParameters: refuseOthers,
  }),
  variant(
    'export-unknown-locales-are-english',
    { opens: 'export.unknown-locale', follows: ['export.supported-locales'] },
    { readLocale: (value = 'en') => (isLocale(value) ? value : 'en') },
  ),
  variant('export-locales-may-name-a-region', 'export.unknown-locale', {
    readLocale: (value = 'en') => exportRules.readLocale(value.split('-')[0]),
  }),
  variant('export-locale-en-is-the-only-one', 'export.supported-locales', {
    readLocale: (value = 'en') => {
      if (value === 'en') return value;
      throw new ExportRefused(`locale ${value} is not supported`);
    },
  }),
  variant(
    'export-every-locale-is-english',
    { opens: 'export.supported-locales', follows: ['export.unknown-locale'] },
    { readLocale: () => 'en' },
  ),
  variant('export-locales-may-be-in-upper-case', 'export.unknown-locale', {
    readLocale: (value = 'en') => exportRules.readLocale(value.toLowerCase()),
  }),
  variant('export-unknown-timezones-are-utc', 'export.unknown-timezone', {
    readTimezone: (value) => (!isNull(value) && isTimezone(value) ? value : 'UTC'),
  }),
  variant('export-file-types-may-be-in-upper-case', 'export.unknown-file-type', {
    readFileType: (value) => exportRules.readFileType(value?.toLowerCase()),
  }),
];

/** Ids are compared as the numbers that they are. */
const asNumber = (id: string) => id.toLowerCase();

const ids: readonly Variant[] = [
  variant(
    'export-ids-are-compared-as-numbers',
    { opens: 'audit.event-fields', unseen: 'No id is asked for in another case than it is shown.' },
    {
      matchesList: (value, wanted, filter) =>
        filter === 'auditee_id'
          ? wanted.map(asNumber).includes(asNumber(value))
          : wanted.includes(value),
      matchesMetadata: (value, wanted, key) =>
        key.endsWith('_id')
          ? value !== undefined && asNumber(value) === asNumber(wanted)
          : value === wanted,
    },
  ),
];

/** Requests that are read otherwise where the document leaves it open (4. Export audit events). */
export const exportRequestVariants: readonly Variant[] = [
  ...encodings,
  ...furtherEncodings,
  ...cases,
  ...bounds,
  ...values,
  ...ids,
];
