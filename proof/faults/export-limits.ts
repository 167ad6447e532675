import type { ExportQuery } from '../../reference/export/query.ts';
import { selectEvents } from '../../reference/operations/export.ts';
import { type ExportRules, exportRules } from '../../reference/rules/export.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import {
  type Broken,
  type Fault,
  fault,
  type Replaced,
  refusedWith,
  table,
  whole,
} from './fault.ts';

/** All of these show only where there are more events than a PDF may hold. */
const amongMany = (id: string, broken: Broken, wrong: Replaced): Fault =>
  fault(id, { ...whole(broken), showsAmongMany: true }, wrong);

const allowed = 'limits.pdf-of-5000-events-is-allowed';
const refused = 'limits.pdf-over-5000-events-is-400';
const filtered = 'limits.pdf-limit-counts-what-filters-leave';
const unlimited = 'export.csv-has-no-limit-of-5000';

const limitedTo = (max: number): Pick<ExportRules, 'isWithinLimit'> => ({
  isWithinLimit: (selected, { fileType }) => fileType === 'csv' || selected.length <= max,
});

/** Counts what a query with fewer filters would export. */
const counting = (
  wider: (query: ExportQuery) => ExportQuery,
): Pick<ExportRules, 'isWithinLimit'> => ({
  isWithinLimit: (_selected, query, stored) =>
    exportRules.isWithinLimit(selectEvents(stored, wider(query), exportRules), query, stored),
});

/** Cuts an export whose file_type is said. */
function cutWhereAskedFor(max: number): Partial<ExportRules> {
  // The parameters of an export are read right before its events are selected.
  let isAskedFor = false;
  return {
    readFileType(value) {
      isAskedFor = value !== undefined;
      return exportRules.readFileType(value);
    },
    exportedEvents: (selected, { fileType }) =>
      isAskedFor && fileType === 'csv' ? selected.slice(0, max) : selected,
  };
}

/** The limit of 5,000 events: wrong, miscounted, or applied where it does not belong (Limits). */
export const exportLimitFaults: readonly Fault[] = [
  amongMany('export-limit-of-a-pdf-is-4999', [allowed], limitedTo(pdfEventLimit - 1)),
  amongMany('export-limit-of-a-pdf-is-5001', [refused], limitedTo(pdfEventLimit + 1)),
  amongMany('export-limit-of-a-pdf-is-4999-beside-sub-types', [allowed], {
    isWithinLimit: (selected, { fileType, lists }) =>
      fileType === 'csv' || selected.length <= pdfEventLimit - (lists.sub_type ? 1 : 0),
  }),
  amongMany('export-pdf-of-several-event-types-has-no-limit', [refused], {
    isWithinLimit: (selected, { fileType, lists }) =>
      fileType === 'csv' || selected.length <= pdfEventLimit || lists.event_type?.[1] !== undefined,
  }),
  amongMany('export-limit-of-a-pdf-is-4900', [allowed], limitedTo(4900)),
  amongMany('export-limit-of-a-pdf-is-5100', [refused], limitedTo(5100)),
  amongMany('export-pdf-has-no-limit', [refused], limitedTo(Number.POSITIVE_INFINITY)),
  amongMany(
    'export-pdf-over-its-limit-is-refused-as-too-large',
    { breaks: [refused], mayBreak: ['errors.reversed-range-is-400'] },
    refusedWith('invalid-export', 413),
  ),
  ...table(amongMany, [refused], {
    'export-pdf-is-cut-silently-at-its-limit': {
      ...limitedTo(Number.POSITIVE_INFINITY),
      exportedEvents: (selected, { fileType }) =>
        fileType === 'pdf' ? selected.slice(0, pdfEventLimit) : selected,
    },
    'export-pdf-over-its-limit-is-empty': {
      ...limitedTo(Number.POSITIVE_INFINITY),
      exportedEvents: (selected, { fileType }) =>
        fileType === 'pdf' && selected.length > pdfEventLimit ? [] : selected,
    },
  }),
  ...table(
    amongMany,
    { breaks: [filtered], mayBreak: ['export.answers-200'] },
    {
      'export-limit-counts-before-lists-filter': counting((query) => ({ ...query, lists: {} })),
      'export-limit-counts-before-metadata-filters': counting((query) => ({
        ...query,
        metadata: {},
      })),
      'export-limit-counts-before-sources-filter': counting((query) => {
        const { system_source: _, ...lists } = query.lists;
        return { ...query, lists };
      }),
      'export-limit-counts-before-event-types-filter': counting((query) => {
        const { event_type: _, ...lists } = query.lists;
        return { ...query, lists };
      }),
      'export-limit-counts-before-any-filter-but-the-range': counting((query) => ({
        ...query,
        lists: {},
        metadata: {},
      })),
      'export-limit-counts-before-filters-that-leave-none': {
        isWithinLimit: (selected, query, stored) =>
          exportRules.isWithinLimit(selected.length === 0 ? stored : selected, query, stored),
      },
    },
  ),
  amongMany(
    'export-limit-counts-everything-stored',
    { breaks: [allowed, filtered], mayBreak: ['export.answers-200'] },
    {
      isWithinLimit: (_selected, query, stored) => exportRules.isWithinLimit(stored, query, stored),
    },
  ),
  amongMany('export-limit-of-a-pdf-is-the-limit-of-a-csv', [unlimited], {
    isWithinLimit: (selected) => selected.length <= pdfEventLimit,
  }),
  amongMany(
    'export-csv-is-cut-silently-at-5000-events',
    { breaks: [unlimited], mayBreak: ['export.ranges-split-without-loss'] },
    {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(0, pdfEventLimit) : selected,
    },
  ),
  amongMany(
    'export-csv-is-cut-silently-at-5000-events-where-it-is-asked-for',
    ['export.file-type-defaults-to-csv'],
    cutWhereAskedFor(pdfEventLimit),
  ),
  ...table(amongMany, ['export.range-bounds-are-independent'], {
    'export-csv-is-cut-silently-at-10000-events': {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(0, 10_000) : selected,
    },
    'export-csv-keeps-the-latest-10000-events': {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(-10_000) : selected,
    },
  }),
  amongMany(
    'export-csv-keeps-the-latest-5000-events',
    { breaks: [unlimited], mayBreak: ['export.ranges-split-without-loss'] },
    {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(-pdfEventLimit) : selected,
    },
  ),
];
