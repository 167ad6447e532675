import type { ExportQuery } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import type { Rules } from '../../reference/rules.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { rowClauses } from '../clause-groups.ts';
import { hasFilter, hasRange } from '../exports.ts';
import {
  type Broken,
  bytesOf,
  type Fault,
  fault,
  type Replaced,
  table,
  type Wire,
  whole,
} from './fault.ts';

const unlimited = 'export.csv-has-no-limit-of-5000';
const split = 'export.ranges-split-without-loss';
const refused = 'limits.pdf-over-5000-events-is-400';
const allowed = 'limits.pdf-of-5000-events-is-allowed';

const mayBreak = [...rowClauses, unlimited, allowed, refused] as const;

const amongMany = (id: string, broken: Broken, wrong: Replaced): Fault =>
  fault(id, { mayBreak, ...whole(broken), showsAmongMany: true }, wrong);

/** Ends a CSV after so many events, without a word. */
const cutAt = (
  max: number,
  isMeant: (query: ExportQuery) => boolean = () => true,
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, query) =>
    query.fileType === 'csv' && isMeant(query) ? selected.slice(0, max) : selected,
});

const caps: readonly Fault[] = [
  ...[10, 50, 100, 500].map((max) =>
    fault(
      `export-csv-is-cut-silently-at-${max}-events`,
      { breaks: [split], mayBreak: [...rowClauses, unlimited] },
      cutAt(max),
    ),
  ),
  ...[1000, 2000, 2500, 4999, 5001].map((max) =>
    amongMany(
      `export-csv-is-cut-silently-at-${max}-events`,
      [max < 5000 ? split : unlimited],
      cutAt(max),
    ),
  ),
  ...[20, 100].map((max) =>
    fault(
      `export-csv-is-cut-at-${max}-events-beside-a-filter`,
      { breaks: ['export.lists-are-any-of'], mayBreak: [...rowClauses, unlimited] },
      cutAt(max, hasFilter),
    ),
  ),
  ...[10, 150].map((max) =>
    fault(
      `export-csv-is-cut-at-${max}-events-without-a-range`,
      { breaks: ['export.range-bounds-are-independent'], mayBreak: [...rowClauses, unlimited] },
      cutAt(max, (query) => !hasRange(query)),
    ),
  ),
  amongMany(
    'export-csv-from-a-range-start-alone-is-cut-at-5000-events',
    ['export.range-bounds-are-independent'],
    cutAt(5000, ({ start, end }) => start !== undefined && end === undefined),
  ),
  amongMany(
    'export-csv-is-cut-at-500-events-where-a-list-names-what-nothing-has',
    ['export.lists-are-any-of'],
    {
      exportedEvents: (selected, { lists, fileType }) => {
        const has = (field: 'eventType' | 'subType', value: string): boolean =>
          selected.some((event) => event[field] === value);
        const isUnknown =
          lists.event_type?.some((value) => !has('eventType', value)) ||
          lists.sub_type?.some((value) => !has('subType', value));
        return isUnknown && fileType === 'csv' ? selected.slice(0, 500) : selected;
      },
    },
  ),
  amongMany('export-csv-of-1000-events-keeps-the-latest', [split], {
    exportedEvents: (selected, { fileType }) =>
      fileType === 'csv' ? selected.slice(-1000) : selected,
  }),
  ...table(amongMany, [unlimited], {
    'export-csv-loses-each-thousandth-event': {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.filter((_, index) => index % 1000 !== 999) : selected,
    },
    'export-csv-repeats-each-thousandth-event': {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv'
          ? selected.flatMap((event, index) => (index % 1000 === 999 ? [event, event] : [event]))
          : selected,
    },
  }),
];

/** A limit of PDFs that is checked for some queries only. */
const limitedWhere = (isMeant: (query: ExportQuery) => boolean, max = pdfEventLimit) => ({
  isWithinLimit: (selected: readonly AuditEvent[], query: ExportQuery) =>
    query.fileType === 'csv' || !isMeant(query) || selected.length <= max,
});

const limits: readonly Fault[] = [
  ...table(amongMany, [refused], {
    'export-pdf-has-no-limit-without-a-range': limitedWhere(hasRange),
    'export-pdf-has-no-limit-with-a-range': limitedWhere((query) => !hasRange(query)),
    'export-pdf-has-no-limit-above-10000-events': {
      isWithinLimit: ({ length: count }, { fileType }) =>
        fileType === 'csv' || count <= pdfEventLimit || count > 10_000,
    },
    'export-pdf-has-no-limit-in-a-timezone': limitedWhere(({ timezone }) => timezone === 'UTC'),
  }),
];

/** Makes text of each block of bytes by itself: a character of several bytes at its edge is lost. */
const decodingBlocks =
  (size: number): Wire =>
  (handle) =>
  async (request) => {
    const response = await handle(request);
    if (!response.headers['content-type']?.startsWith('text/csv')) return response;
    const bytes = await bytesOf(response);
    const blocks: string[] = [];
    for (let start = 0; start < bytes.length; start += size) {
      blocks.push(new TextDecoder().decode(bytes.subarray(start, start + size)));
    }
    return { ...response, body: blocks.join('') };
  };

const blocks: readonly Fault[] = [
  ...[512, 1024, 8192].map((size) =>
    fault(
      `export-csv-loses-characters-at-the-edges-of-blocks-of-${size}-bytes`,
      { breaks: ['export.lists-are-any-of'], mayBreak: rowClauses },
      decodingBlocks(size),
    ),
  ),
  // Which files have a character of several bytes at such an edge is a matter of what is stored.
  ...(
    [
      [4096, 'export.lists-are-any-of'],
      [16_384, 'export.range-bounds-are-independent'],
      [32_768, 'export.range-bounds-are-independent'],
    ] as const
  ).map(([size, clause]) =>
    amongMany(
      `export-csv-loses-characters-at-the-edges-of-blocks-of-${size}-bytes`,
      [clause],
      decodingBlocks(size),
    ),
  ),
];

const complete = 'export.pdf-holds-the-events-of-the-csv';

/** Draws some events where nobody can read them. */
const drawn = (top: number, isMeant: (index: number, all: number) => boolean) => ({
  pdfPages: ((pages) =>
    pages.map((page) =>
      page.map((block, index) => (isMeant(index, page.length) ? { ...block, top } : block)),
    )) satisfies Rules['pdfPages'],
});

const outside: readonly Fault[] = [
  ...table(fault, [complete], {
    'export-pdf-draws-the-first-event-of-each-page-above-its-edge': drawn(
      -300,
      (index) => index === 0,
    ),
    'export-pdf-draws-the-last-event-of-each-page-just-below-its-edge': drawn(
      640,
      (index, all) => index === all - 1,
    ),
  }),
];

/** How much a file holds: caps, limits, and what is lost where files are made in pieces (Limits, 4. Export audit events). */
export const exportSizeFaults: readonly Fault[] = [...caps, ...limits, ...blocks, ...outside];
