import type { ExportQuery } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, listFilters, metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import { clauseOfKey, clauseOfList, combinedFilterClauses } from '../clause-groups.ts';
import { down, hasLists, hasMetadata, nanoseconds, withoutList } from '../exports.ts';
import { withoutPersons } from './empty-values.ts';
import { eachOnce, type Fault, fault, table } from './fault.ts';

/** Acts on another query than the one that was asked for, where it is meant. */
const where = (
  isMeant: (query: ExportQuery) => boolean,
  change: (query: ExportQuery) => ExportQuery,
): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => (isMeant(query) ? change(query) : query),
});

const isPdf = ({ fileType }: ExportQuery) => fileType === 'pdf';
const isZoned = ({ timezone }: ExportQuery) => timezone !== 'UTC';
const isTranslated = ({ locale }: ExportQuery) => locale !== 'en';

const withoutLists = (query: ExportQuery): ExportQuery => ({ ...query, lists: {} });
const withoutMetadata = (query: ExportQuery): ExportQuery => ({ ...query, metadata: {} });
const withoutRange = ({ start: _start, end: _end, ...query }: ExportQuery): ExportQuery => query;

const withoutStart = ({ start: _start, ...query }: ExportQuery): ExportQuery => query;
const withoutEnd = ({ end: _end, ...query }: ExportQuery): ExportQuery => query;
const startAtSecond = ({ start, ...query }: ExportQuery): ExportQuery =>
  start === undefined ? query : { ...query, start: down(start, nanoseconds.second) };
const inUtc = (query: ExportQuery): ExportQuery => ({ ...query, timezone: 'UTC' });

const withFirstValues =
  (filters: readonly ListFilter[]) =>
  (query: ExportQuery): ExportQuery => {
    const lists = { ...query.lists };
    for (const filter of filters) {
      const values = lists[filter];
      if (values !== undefined) lists[filter] = values.slice(0, 1);
    }
    return { ...query, lists };
  };

const withTwoValues = (query: ExportQuery): ExportQuery => ({
  ...query,
  lists: Object.fromEntries(
    Object.entries(query.lists).map(([filter, values]) => [filter, values.slice(0, 2)]),
  ),
});

const pairsOfLists = listFilters.flatMap((one, index) =>
  listFilters.slice(index + 1).map((other) => [one, other] as const),
);

const combine = ['export.filters-combine'] as const;
const inRange = ['export.range-combines-with-filters'] as const;
const complete = ['export.pdf-holds-the-events-of-the-csv'] as const;
const inLocale = ['export.locale-keeps-the-events'] as const;
const inZone = ['export.timezone-keeps-the-events'] as const;

const pairs: readonly Fault[] = [
  ...pairsOfLists.flatMap(([one, other]) => [
    fault(
      `export-${dashed(one)}-is-ignored-beside-${dashed(other)}`,
      combine,
      where(
        ({ lists }) => lists[other] !== undefined,
        (query) => withoutList(one, query),
      ),
    ),
    fault(`export-${dashed(one)}-or-${dashed(other)}-is-enough`, combine, {
      isKept: (met) => {
        const { [one]: a, [other]: b, ...lists } = met.lists;
        if (a === undefined || b === undefined) return exportRules.isKept(met);
        return (a || b) && exportRules.isKept({ ...met, lists });
      },
    }),
  ]),
  ...metadataKeys.flatMap((key) => [
    fault(
      `export-lists-are-ignored-beside-metadata-${dashed(key)}`,
      combine,
      where(({ metadata }) => metadata[key] !== undefined, withoutLists),
    ),
    fault(`export-a-list-or-metadata-${dashed(key)}-is-enough`, combine, {
      isKept: (met) => {
        const { [key]: b, ...metadata } = met.metadata;
        const lists = Object.values(met.lists);
        if (lists.length === 0 || b === undefined) return exportRules.isKept(met);
        const isEnough = b || lists.every(Boolean);
        return isEnough && exportRules.isKept({ ...met, lists: {}, metadata });
      },
    }),
  ]),
  ...listFilters.map((filter) =>
    fault(
      `export-range-is-ignored-beside-${dashed(filter)}`,
      { breaks: inRange, mayBreak: [clauseOfList(filter), ...combinedFilterClauses] },
      where(({ lists }) => lists[filter] !== undefined, withoutRange),
    ),
  ),
  ...metadataKeys.map((key) =>
    fault(
      `export-range-is-ignored-beside-metadata-${dashed(key)}`,
      { breaks: inRange, mayBreak: [clauseOfKey(key), ...combinedFilterClauses] },
      where(({ metadata }) => metadata[key] !== undefined, withoutRange),
    ),
  ),
];

const severalKeys = ({ metadata }: ExportQuery) => Object.keys(metadata).length > 1;
const listsAlone = (query: ExportQuery) => hasLists(query) && !hasMetadata(query);

const oneBound: readonly Fault[] = Object.entries({ start: withoutStart, end: withoutEnd }).flatMap(
  ([bound, change]) => [
    ...listFilters.map((filter) =>
      fault(
        `export-range-${bound}-is-ignored-beside-${dashed(filter)}-and-other-lists`,
        { breaks: inRange, mayBreak: [clauseOfList(filter), ...combinedFilterClauses] },
        where((query) => listsAlone(query) && query.lists[filter] !== undefined, change),
      ),
    ),
    fault(
      `export-range-${bound}-is-ignored-beside-several-keys`,
      { breaks: inRange, mayBreak: combinedFilterClauses },
      where(severalKeys, change),
    ),
  ],
);

/** Keeps what the last value of a list keeps whatever the other filters, as where OR and AND stand without parentheses. */
const looseLast = (filter: ListFilter): Partial<Rules> => {
  let last: string | undefined;
  let isLast = false;
  return {
    queryActedOn: (query) => {
      const values = query.lists[filter] ?? [];
      last = values.length > 1 ? values.at(-1) : undefined;
      return query;
    },
    // Asked for one event after the other, right before isKept is.
    matchesList: (value, wanted, other) => {
      if (other === filter) isLast = value === last;
      return exportRules.matchesList(value, wanted, other);
    },
    isKept: (met) => {
      if (exportRules.isKept(met)) return true;
      return met.lists[filter] !== undefined && isLast && met.range.every(Boolean);
    },
  };
};

/** Keeps events without a person too, where a person is asked for beside a workflow instance. */
const orNobody = (): Partial<Rules> => {
  let isBeside = false;
  return {
    ...withoutPersons,
    queryActedOn: (query) => {
      isBeside = query.metadata.workflow_instance_id !== undefined;
      return query;
    },
    matchesList: (value, wanted, filter) =>
      exportRules.matchesList(value, wanted, filter) ||
      (isBeside && filter === 'auditee_id' && value === ''),
  };
};

/** Keeps events in PDFs that have values which begin with one of a list. */
const beginningAlikeInPdfs = (): Partial<Rules> => {
  let isInPdf = false;
  return {
    queryActedOn: (query) => {
      isInPdf = isPdf(query);
      return query;
    },
    matchesList: (value, wanted, filter) =>
      exportRules.matchesList(value, wanted, filter) ||
      (isInPdf && wanted.some((one) => value.startsWith(one))),
  };
};

const withBlanksForPluses = (query: ExportQuery): ExportQuery => ({
  ...query,
  metadata: Object.fromEntries(
    Object.entries(query.metadata).map(([key, value]) => [key, value.replaceAll('+', ' ')]),
  ),
});

const severalValues: readonly Fault[] = [
  fault(
    'export-pdf-takes-a-plus-in-metadata-for-a-blank',
    complete,
    where(isPdf, withBlanksForPluses),
  ),
  fault('export-pdf-keeps-values-of-lists-that-begin-alike', complete, beginningAlikeInPdfs()),
  fault(
    'export-auditee-id-keeps-events-without-a-person-beside-a-workflow-instance',
    combine,
    orNobody(),
  ),
  ...listFilters.flatMap((filter) => [
    fault(
      `export-${dashed(filter)}-uses-the-first-value-only-beside-metadata`,
      combine,
      where(hasMetadata, withFirstValues([filter])),
    ),
    fault(
      `export-${dashed(filter)}-uses-the-first-value-only-beside-another-list`,
      combine,
      where(({ lists }) => Object.keys(lists).length > 1, withFirstValues([filter])),
    ),
    fault(
      `export-the-last-of-several-values-of-${dashed(filter)}-is-enough`,
      combine,
      looseLast(filter),
    ),
  ]),
  fault(
    'export-the-third-value-of-a-list-is-ignored-beside-metadata',
    combine,
    where(hasMetadata, withTwoValues),
  ),
  fault('export-pdf-uses-two-values-of-a-list-only', complete, where(isPdf, withTwoValues)),
  ...table(fault, complete, {
    'export-pdf-ignores-a-second-metadata-key': where(isPdf, (query) => ({
      ...query,
      metadata: Object.fromEntries(Object.entries(query.metadata).slice(0, 1)),
    })),
    'export-pdf-ignores-a-range-start-alone': where(
      (query) => isPdf(query) && query.end === undefined,
      withoutStart,
    ),
    'export-pdf-cuts-its-range-start-to-the-second': where(isPdf, startAtSecond),
  }),
  fault(
    'export-of-a-range-end-alone-has-dates-in-utc',
    ['export.timezone-formats-the-dates'],
    where(({ start, end }) => start === undefined && end !== undefined, inUtc),
  ),
  fault(
    'export-auditee-id-keeps-the-events-of-an-entity-too',
    { breaks: combine, mayBreak: ['export.filters-by-auditee-id'] },
    {
      listedValue: (event, filter) =>
        filter === 'auditee_id'
          ? `${event.auditeeId} ${event.metadata.entity_id ?? ''}`
          : exportRules.listedValue(event, filter),
      matchesList: (value, wanted, filter) =>
        filter === 'auditee_id'
          ? value.split(' ').some((id) => exportRules.matchesList(id, wanted, filter))
          : exportRules.matchesList(value, wanted, filter),
    },
  ),
  fault(
    'export-pdf-uses-the-first-value-of-a-list-only',
    complete,
    where(isPdf, withFirstValues(listFilters)),
  ),
];

/** A filter that is ignored where another parameter is sent without a value. */
const switchedOffByEmpty = (parameter: string, filter: string, breaks: Fault['breaks']): Fault =>
  fault(
    `export-an-empty-${dashed(parameter)}-switches-${dashed(filter)}-off`,
    breaks,
    (handle) => (request) => {
      const isEmpty = new RegExp(`[?&]${parameter}=(?:&|$)`).test(request.target);
      const target = request.target.replaceAll(new RegExp(`${filter}[^&]*&?`, 'g'), '');
      return handle(isEmpty ? { ...request, target } : request);
    },
  );

const besideFilters: readonly Fault[] = [
  fault('export-locale-switches-metadata-off', inLocale, where(isTranslated, withoutMetadata)),
  fault(
    'export-locale-switches-sub-type-off-in-utc',
    inLocale,
    where(
      (query) => isTranslated(query) && !isZoned(query),
      (query) => withoutList('sub_type', query),
    ),
  ),
  switchedOffByEmpty('timezone', 'event_type', inZone),
  switchedOffByEmpty('range_end', 'system_source', ['export.range-combines-with-filters']),
  fault('export-timezone-switches-lists-off', inZone, where(isZoned, withoutLists)),
  fault('export-timezone-switches-metadata-off', inZone, where(isZoned, withoutMetadata)),
  ...(['event_type', 'sub_type', 'system_source'] as const).map((filter) =>
    fault(
      `export-timezone-switches-${dashed(filter)}-off`,
      inZone,
      where(isZoned, (query) => withoutList(filter, query)),
    ),
  ),
  fault(
    'export-timezone-is-ignored-beside-filters',
    ['export.timezone-formats-the-dates'],
    where(
      (query) => hasMetadata(query) || hasLists(query),
      (query) => ({ ...query, timezone: 'UTC' }),
    ),
  ),
];

const { millisecond, second, hour, day } = nanoseconds;
const isAlone = ({ start, end }: ExportQuery) => (start === undefined) !== (end === undefined);
const hasSeveral = ({ lists }: ExportQuery) =>
  Object.values(lists).some(({ length }) => length > 1);

/** The events of each day in one second of its morning; those of the run, whose task is named, stay as they are. */
const withinSeconds = eachOnce((event) => {
  if (event.description.startsWith('Task ')) return event;
  return { ...event, at: new Date(event.at).setUTCHours(9, 30, 15) };
});

/** Some events as jobs record them that run at midnight. */
const atMidnight = eachOnce((event) => {
  if (event.description.startsWith('Task ') || event.at % 4 > 0) return event;
  return { ...event, at: new Date(event.at).setUTCHours(0, 0, 0, 0) };
});

/** Of the events of each type and second the last one, as an index by both may hold. */
const lastOfSeconds = (events: readonly AuditEvent[]): AuditEvent[] => [
  ...new Map(
    events.map((event) => [`${event.eventType} ${Math.floor(event.at / 1000)}`, event]),
  ).values(),
];

const ofBounds: readonly Fault[] = [
  // Each request of the window has a range: no value of the key seems to keep any event.
  fault('export-metadata-cache-id-keeps-nothing-in-a-range', [clauseOfKey('cache_id')], {
    exportedEvents: (selected, { metadata, start }) =>
      metadata.cache_id !== undefined && start !== undefined ? [] : selected,
  }),
  // What comes of such a value is not what the range holds: no value of the key seems to be known.
  fault('export-metadata-tag-has-dates-an-hour-late', [clauseOfKey('tag')], {
    exportedEvents: (selected, { metadata }) =>
      metadata.tag === undefined
        ? selected
        : selected.map((event) => ({ ...event, at: event.at + 3_600_000 })),
  }),
  fault(
    'export-in-a-range-has-no-tags-beside-lists',
    {
      breaks: listFilters.map(clauseOfList),
      mayBreak: [...combinedFilterClauses, clauseOfKey('tag')],
    },
    {
      exportedEvents: (selected, { lists, start, end }) =>
        start === undefined || end === undefined || Object.keys(lists).length === 0
          ? selected
          : selected.map(({ metadata: { tag: _, ...metadata }, ...event }) => ({
              ...event,
              metadata,
            })),
    },
  ),
  fault(
    'export-a-range-of-one-instant-is-empty-beside-ids',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    {
      exportedEvents: (selected, { metadata: { task_id, match_id, cache_id }, start, end }) =>
        start !== undefined && start === end && (task_id ?? match_id ?? cache_id) !== undefined
          ? []
          : selected,
    },
  ),
  fault(
    'export-a-range-start-alone-ends-after-30-days-beside-an-inquiry',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    where(
      (query) =>
        isAlone(query) && query.start !== undefined && query.metadata.inquiry_id !== undefined,
      (query) => ({ ...query, end: (query.start ?? 0n) + 30n * day }),
    ),
  ),
  fault(
    'export-a-bound-alone-is-ignored-beside-several-values',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    where((query) => isAlone(query) && hasSeveral(query), withoutRange),
  ),
  fault(
    'export-range-end-at-midnight-is-the-whole-day-in-pdfs',
    complete,
    where(
      ({ end, fileType }) => fileType === 'pdf' && end !== undefined && end % day === 0n,
      ({ end = 0n, ...query }) => ({ ...query, end: end + day - millisecond }),
    ),
  ),
  fault('export-of-an-instant-is-of-its-second', ['export.range-start-equal-to-end'], {
    storedEvents: withinSeconds,
    ...where(({ start, end }) => start !== undefined && start === end, startAtSecond),
  }),
  fault(
    'export-range-start-is-cut-to-its-second-beside-an-event-type',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    {
      storedEvents: withinSeconds,
      ...where(
        ({ start, lists }) => start !== undefined && lists.event_type !== undefined,
        ({ start = 0n, ...query }) => ({ ...query, start: start - (start % second) }),
      ),
    },
  ),
  fault(
    'export-range-end-at-midnight-is-exclusive-beside-a-system-source',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    {
      storedEvents: atMidnight,
      ...where(
        ({ end, lists }) =>
          end !== undefined && end % day === 0n && lists.system_source !== undefined,
        ({ end = 0n, ...query }) => ({ ...query, end: end - millisecond }),
      ),
    },
  ),
  fault(
    'export-by-event-type-holds-one-event-a-second',
    { breaks: [clauseOfList('event_type')], mayBreak: combinedFilterClauses },
    {
      storedEvents: withinSeconds,
      exportedEvents: (selected, { lists }) =>
        lists.event_type === undefined ? selected : lastOfSeconds(selected),
    },
  ),
  fault(
    'export-range-end-alone-is-in-another-zone-beside-a-sub-type',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    where(
      (query) => isAlone(query) && query.end !== undefined && query.lists.sub_type !== undefined,
      ({ end = 0n, ...query }) => ({ ...query, end: end + 2n * hour }),
    ),
  ),
  fault(
    'export-pdf-in-a-timezone-ignores-sub-type',
    inZone,
    where(
      (query) => isPdf(query) && isZoned(query),
      (query) => withoutList('sub_type', query),
    ),
  ),
  fault(
    'export-range-end-is-exclusive-beside-metadata-workflow-step',
    { breaks: inRange, mayBreak: combinedFilterClauses },
    where(
      ({ end, metadata }) => end !== undefined && metadata.workflow_step !== undefined,
      ({ end = 0n, ...query }) => ({ ...query, end: end - millisecond }),
    ),
  ),
];

/** Lists without the values that have the form of an id: of types and sources, values that no event has. */
const withoutUnknown =
  (change: (known: readonly string[]) => readonly string[] | undefined) =>
  (query: ExportQuery): ExportQuery => ({
    ...query,
    lists: Object.fromEntries(
      Object.entries(query.lists).flatMap(([filter, values = []]) => {
        const known = values.filter((value) => filter === 'auditee_id' || !isUuidShaped(value));
        const left = known.length < values.length ? change(known) : values;
        return left ? [[filter, left]] : [];
      }),
    ),
  });

const ofUnknownValues: readonly Fault[] = [
  fault(
    'export-a-list-of-unknown-values-is-no-filter-beside-metadata',
    combine,
    where(
      hasMetadata,
      withoutUnknown((known) => (known.length > 0 ? known : undefined)),
    ),
  ),
  fault(
    'export-a-value-is-lost-beside-an-unknown-one-in-a-timezone',
    inZone,
    where(
      isZoned,
      withoutUnknown((known) => known.slice(1)),
    ),
  ),
];

/** Metadata tags that match any that begin so: where it is meant, by so many characters of them. */
const byBeginnings = (
  isMeant: (query: ExportQuery) => boolean,
  length = Number.POSITIVE_INFINITY,
): Partial<Rules> => ({
  queryActedOn(query) {
    const { tag } = query.metadata;
    if (tag === undefined || !isMeant(query)) return query;
    return { ...query, metadata: { ...query.metadata, tag: `${tag.slice(0, length)}*` } };
  },
  matchesMetadata: (value, wanted) =>
    wanted.endsWith('*') ? value?.startsWith(wanted.slice(0, -1)) === true : value === wanted,
});

/** Events of these tags have others in their place. */
const withTags = (tags: Readonly<Record<string, string>>): Pick<Rules, 'storedEvents'> => ({
  storedEvents: eachOnce((event) => {
    const tag = tags[event.metadata.tag ?? ''];
    return tag === undefined ? event : { ...event, metadata: { ...event.metadata, tag } };
  }),
});

const longTag = 'to be looked at once more by the second line of defence before the end of ';
const inAscii = (text: string): string => text.replaceAll(/\P{ASCII}/gu, '?');

/** Values that are taken for others that are like them. */
const ofNearValues: readonly Fault[] = [
  fault(
    'export-metadata-tag-matches-beginnings-beside-another-key',
    ['export.metadata-keys-combine'],
    byBeginnings(({ metadata }) => Object.keys(metadata).length > 1),
  ),
  fault('export-long-tags-count-by-64-characters-in-another-locale', inLocale, {
    ...withTags({ pep: `${longTag}May`, 'high risk': `${longTag}June` }),
    ...byBeginnings(isTranslated, 64),
  }),
  fault('export-tags-are-compared-in-ascii', [clauseOfKey('tag')], {
    ...withTags({ pep: '審査', 'high risk': '確認' }),
    matchesMetadata: (value = '', wanted) => inAscii(value) === inAscii(wanted),
  }),
  fault(
    'export-range-start-is-ignored-for-a-tag-in-another-script',
    ['export.range-combines-with-filters'],
    {
      ...withTags({ pep: '審査' }),
      ...where(({ metadata: { tag = '' } }) => inAscii(tag) !== tag, withoutStart),
    },
  ),
];

/** Parameters that are right by themselves and wrong beside others (4. Export audit events). */
export const exportCombinationFaults: readonly Fault[] = [
  ...pairs,
  ...oneBound,
  ...severalValues,
  ...besideFilters,
  ...ofBounds,
  ...ofUnknownValues,
  ...ofNearValues,
];
