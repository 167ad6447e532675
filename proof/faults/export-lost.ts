import type { ExportQuery } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { auditRules } from '../../reference/rules/audit.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import {
  auditTrailClauses,
  clauseOfKey,
  clauseOfList,
  combinedFilterClauses,
  rowClauses,
} from '../clause-groups.ts';
import { hasLists, hasMetadata, hasRange } from '../exports.ts';
import { type Broken, type Fault, fault, table } from './fault.ts';

/** Loses events from the exports of some queries, as where a table is joined that has no row for them. */
const losing = (
  isLost: (event: AuditEvent) => boolean,
  isMeant: (query: ExportQuery) => boolean,
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, query) =>
    isMeant(query) ? selected.filter((event) => !isLost(event)) : selected,
});

const kinds: Readonly<Record<string, (event: AuditEvent) => boolean>> = {
  metadata: ({ metadata }) => Object.keys(metadata).length === 0,
  'a-comment': ({ comment }) => comment === null,
  'a-tag': ({ metadata }) => metadata.tag === undefined,
  'an-entity': ({ metadata }) => metadata.entity_id === undefined,
  'a-step': ({ metadata }) => metadata.workflow_step === undefined,
};

const isOfTwoLists = ({ lists }: ExportQuery) => Object.keys(lists).length > 1;

const independent = {
  breaks: ['export.range-bounds-are-independent'],
  mayBreak: rowClauses,
} as const;

const besideLists: readonly Fault[] = Object.entries(kinds).flatMap(([what, isLost]) => {
  const without = (where: string, broken: Broken, isMeant: (query: ExportQuery) => boolean) =>
    fault(`export-${where}-loses-events-without-${what}`, broken, losing(isLost, isMeant));
  const mayBreak = [...combinedFilterClauses, ...auditTrailClauses];
  return [
    ...listFilters.map((filter) =>
      without(
        `by-${dashed(filter)}`,
        { breaks: [clauseOfList(filter)], mayBreak },
        ({ lists }) => lists[filter] !== undefined,
      ),
    ),
    // Lists are judged together beside a metadata key, which no event without metadata has.
    ...(what === 'metadata'
      ? []
      : [without('by-two-lists', { breaks: ['export.filters-combine'], mayBreak }, isOfTwoLists)]),
    without('by-several-values', { breaks: ['export.lists-are-any-of'], mayBreak }, ({ lists }) =>
      Object.values(lists).some((values) => new Set(values).size > 1),
    ),
    ...table(without, independent, {
      'of-one-bound': ({ start, end }) => (start === undefined) !== (end === undefined),
      'without-a-range': (query) => !hasRange(query),
    }),
  ];
});

/** Those that a list loses have nothing in common but what its column does not show. */
const byOneList: readonly Fault[] = [
  fault(
    'export-by-event-type-loses-events-of-sundays',
    { breaks: [clauseOfList('event_type')], mayBreak: rowClauses },
    {
      csvHeadings: (columns, locale) =>
        columns.map(({ heading }) => (heading.en === 'Type' ? 'Event type' : heading[locale])),
      ...losing(
        ({ at }) => new Date(at).getUTCDay() === 0,
        ({ lists }) => lists.event_type !== undefined,
      ),
    },
  ),
  fault(
    'export-by-sub-type-loses-events-with-several-metadata-keys',
    { breaks: [clauseOfList('sub_type')], mayBreak: rowClauses },
    losing(
      ({ metadata }) => Object.keys(metadata).length > 3,
      ({ lists }) => lists.sub_type !== undefined,
    ),
  ),
];

/** As a default that is worked out when a service is started, and not when it is asked. */
const sinceTheStart: readonly Fault[] = [
  fault(
    'export-without-a-range-end-ends-when-the-service-was-started',
    ['export.range-bounds-are-independent'],
    {
      auditEvent: (...given) => {
        const event = auditRules.auditEvent(...given);
        return event && { ...event, description: newer };
      },
      ...losing(
        ({ description }) => description === newer,
        ({ end }) => end === undefined,
      ),
    },
  ),
];

const newer = 'Task changed since the start';

const besideMetadata: readonly Fault[] = [
  fault(
    'export-by-metadata-loses-events-without-a-comment',
    {
      breaks: [clauseOfKey('entity_id')],
      mayBreak: [...combinedFilterClauses, ...auditTrailClauses, ...rowClauses],
    },
    losing(({ comment }) => comment === null, hasMetadata),
  ),
  fault(
    'export-by-a-tag-loses-events-without-a-step',
    { breaks: [clauseOfKey('tag')], mayBreak: rowClauses },
    losing(
      ({ metadata }) => metadata.workflow_step === undefined,
      ({ metadata }) => metadata.tag !== undefined,
    ),
  ),
  fault(
    'export-by-a-tag-with-a-blank-loses-events-without-a-step',
    { breaks: [clauseOfKey('tag')], mayBreak: rowClauses },
    losing(
      ({ metadata }) => metadata.workflow_step === undefined,
      ({ metadata }) => metadata.tag?.includes(' ') === true,
    ),
  ),
  fault(
    'export-by-a-tag-loses-events-whose-comments-have-accents',
    { breaks: [clauseOfKey('tag')], mayBreak: rowClauses },
    losing(
      ({ comment }) => comment !== null && /\P{ASCII}/u.test(comment),
      ({ metadata }) => metadata.tag !== undefined,
    ),
  ),
  fault(
    'export-by-a-match-loses-events-without-an-inquiry',
    { breaks: [clauseOfKey('match_id')], mayBreak: rowClauses },
    losing(
      ({ metadata }) => metadata.inquiry_id === undefined,
      ({ metadata }) => metadata.match_id !== undefined,
    ),
  ),
];

const inPdf = { breaks: ['export.pdf-holds-the-events-of-the-csv'], mayBreak: rowClauses } as const;
const inZone = { breaks: ['export.timezone-keeps-the-events'], mayBreak: rowClauses } as const;
const inLocale = { breaks: ['export.locale-keeps-the-events'], mayBreak: rowClauses } as const;

/** Beside these queries events are lost in the zone, the locale or the PDF only. */
const besideForms: readonly Fault[] = Object.entries(kinds).flatMap(([what, isLost]) => [
  ...table(fault, inZone, {
    [`export-in-a-timezone-loses-events-without-${what}`]: losing(
      isLost,
      ({ timezone }) => timezone !== 'UTC',
    ),
  }),
  ...table(fault, inLocale, {
    [`export-in-a-locale-loses-events-without-${what}`]: losing(
      isLost,
      ({ locale }) => locale !== 'en',
    ),
  }),
  ...table(fault, inPdf, {
    [`export-pdf-loses-events-without-${what}`]: losing(
      isLost,
      ({ fileType }) => fileType === 'pdf',
    ),
    [`export-pdf-by-a-list-loses-events-without-${what}`]: losing(
      isLost,
      (q) => q.fileType === 'pdf' && hasLists(q),
    ),
  }),
]);

/** Several values of a list bind looser than what stands beside them: "a or b and c". */
const loose = (
  id: string,
  clause: Fault['breaks'],
  isBeside: (query: ExportQuery) => boolean,
  which: 'first' | 'last',
): Fault => {
  let wanted: string | undefined;
  let filterOf: ListFilter | undefined;
  let isWanted = false;
  return fault(
    id,
    { breaks: clause, mayBreak: [...combinedFilterClauses, ...rowClauses] },
    {
      queryActedOn: (query) => {
        const [filter, values = []] =
          Object.entries(query.lists).find(([, some]) => some.length > 1) ?? [];
        const isMeant = filter !== undefined && isBeside(query);
        filterOf = isMeant ? (filter as ListFilter) : undefined;
        wanted = isMeant ? (which === 'last' ? values.at(-1) : values[0]) : undefined;
        return query;
      },
      matchesList: (value, some, other) => {
        if (other === filterOf) isWanted = value === wanted;
        return exportRules.matchesList(value, some, other);
      },
      isKept: (met) =>
        exportRules.isKept(met) || (filterOf !== undefined && wanted !== undefined && isWanted),
    },
  );
};

const looseValues: readonly Fault[] = (['last', 'first'] as const).flatMap((which) => {
  const enough = (
    where: string,
    breaks: Fault['breaks'],
    isBeside: (query: ExportQuery) => boolean,
  ) => loose(`export-the-${which}-of-several-values-is-enough-${where}`, breaks, isBeside, which);
  return [
    enough('whatever-the-range', ['export.range-combines-with-filters'], hasRange),
    enough('beside-metadata', ['export.filters-combine'], hasMetadata),
    enough('beside-another-list', ['export.filters-combine'], isOfTwoLists),
  ];
});

/** Events of exports that are lost beside a filter, or kept in spite of one (4. Export audit events). */
export const exportLostFaults: readonly Fault[] = [
  ...besideLists,
  ...byOneList,
  ...besideMetadata,
  ...sinceTheStart,
  ...besideForms,
  ...looseValues,
];
