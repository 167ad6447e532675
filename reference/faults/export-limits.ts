import { pdfEventLimit } from '../../schemas/operations.ts';
import type { ExportQuery } from '../export/query.ts';
import { selectEvents } from '../export/selection.ts';
import type { ExportRules } from '../rules/export.ts';
import { exportSelectionRules } from '../rules/export-selection.ts';
import type { Fault } from './fault.ts';

const allowed = 'limits.pdf-of-5000-events-is-allowed';
const refused = 'limits.pdf-over-5000-events-is-400';
const filtered = 'limits.pdf-limit-counts-what-filters-leave';
const unlimited = 'export.csv-has-no-limit-of-5000';

const limitedTo = (most: number): Pick<ExportRules, 'isWithinLimit'> => ({
  isWithinLimit: (count, { fileType }) => fileType === 'csv' || count <= most,
});

/** Counts what a query with fewer filters would export. */
const counting = (
  wider: (query: ExportQuery) => ExportQuery,
): Pick<ExportRules, 'countForLimit'> => ({
  countForLimit: (_selected, stored, query) =>
    selectEvents(stored, wider(query), exportSelectionRules).length,
});

/** The limit of 5,000 events, off, miscounted, or where it does not belong (Limits). */
export const exportLimitFaults: readonly Fault[] = [
  {
    id: 'export-limit-of-a-pdf-is-4999',
    breaks: [allowed],
    rules: limitedTo(pdfEventLimit - 1),
  },
  {
    id: 'export-limit-of-a-pdf-is-5001',
    breaks: [refused],
    rules: limitedTo(pdfEventLimit + 1),
  },
  {
    id: 'export-limit-of-a-pdf-is-4900',
    breaks: [allowed],
    rules: limitedTo(4900),
  },
  {
    id: 'export-limit-of-a-pdf-is-5100',
    breaks: [refused],
    rules: limitedTo(5100),
  },
  {
    id: 'export-pdf-has-no-limit',
    breaks: [refused],
    rules: limitedTo(Number.POSITIVE_INFINITY),
  },
  {
    id: 'export-pdf-over-its-limit-is-refused-as-too-large',
    breaks: [refused],
    mayBreak: ['errors.reversed-range-is-400'],
    rules: { refusedExportStatus: () => 413 },
  },
  {
    id: 'export-pdf-is-cut-silently-at-its-limit',
    breaks: [refused],
    rules: {
      ...limitedTo(Number.POSITIVE_INFINITY),
      exportedEvents: (selected, { fileType }) =>
        fileType === 'pdf' ? selected.slice(0, pdfEventLimit) : selected,
    },
  },
  {
    id: 'export-pdf-over-its-limit-is-empty',
    breaks: [refused],
    rules: {
      ...limitedTo(Number.POSITIVE_INFINITY),
      exportedEvents: (selected, { fileType }) =>
        fileType === 'pdf' && selected.length > pdfEventLimit ? [] : selected,
    },
  },
  {
    id: 'export-limit-counts-before-lists-filter',
    breaks: [filtered],
    mayBreak: ['export.answers-200'],
    rules: counting((query) => ({ ...query, lists: {} })),
  },
  {
    id: 'export-limit-counts-before-metadata-filters',
    breaks: [filtered],
    mayBreak: ['export.answers-200'],
    rules: counting((query) => ({ ...query, metadata: {} })),
  },
  {
    id: 'export-limit-counts-before-any-filter-but-the-range',
    breaks: [filtered],
    mayBreak: ['export.answers-200'],
    rules: counting((query) => ({ ...query, lists: {}, metadata: {} })),
  },
  {
    id: 'export-limit-counts-everything-stored',
    breaks: [allowed, filtered],
    mayBreak: ['export.answers-200'],
    rules: { countForLimit: (_selected, stored) => stored.length },
  },
  {
    id: 'export-limit-of-a-pdf-is-the-limit-of-a-csv',
    breaks: [unlimited],
    rules: { isWithinLimit: (count) => count <= pdfEventLimit },
  },
  {
    id: 'export-csv-is-cut-silently-at-5000-events',
    breaks: [unlimited],
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(0, pdfEventLimit) : selected,
    },
  },
  {
    id: 'export-csv-is-cut-silently-at-10000-events',
    breaks: ['export.range-bounds-are-independent'],
    showsAmongMany: true,
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(0, 10_000) : selected,
    },
  },
  {
    id: 'export-csv-keeps-the-latest-10000-events',
    breaks: ['export.range-bounds-are-independent'],
    showsAmongMany: true,
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(-10_000) : selected,
    },
  },
  {
    id: 'export-csv-keeps-the-latest-5000-events',
    breaks: [unlimited],
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(-pdfEventLimit) : selected,
    },
  },
];
