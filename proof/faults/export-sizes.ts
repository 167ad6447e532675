import { type ExportQuery, hasFilter, hasRange } from '../../reference/export/query.ts';
import type { Rules } from '../../reference/rules.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { rowClauses } from '../clause-groups.ts';
import { bytesOf, type Fault, type FaultDetails, fault, type Wire } from './fault.ts';

const unlimited = 'export.csv-has-no-limit-of-5000';
const split = 'export.ranges-split-without-loss';
const refused = 'limits.pdf-over-5000-events-is-400';
const allowed = 'limits.pdf-of-5000-events-is-allowed';

const amongMany = (id: string, breaks: Fault['breaks'], details: FaultDetails): Fault =>
  fault(id, breaks, {
    mayBreak: [...rowClauses, unlimited, allowed, refused],
    ...details,
    showsAmongMany: true,
  });

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
    fault(`export-csv-is-cut-silently-at-${max}-events`, [split], {
      mayBreak: [...rowClauses, unlimited],
      rules: cutAt(max),
    }),
  ),
  ...[1000, 2000, 2500, 4999, 5001].map((max) =>
    amongMany(`export-csv-is-cut-silently-at-${max}-events`, [max < 5000 ? split : unlimited], {
      rules: cutAt(max),
    }),
  ),
  ...[20, 100].map((max) =>
    fault(`export-csv-is-cut-at-${max}-events-beside-a-filter`, ['export.lists-are-any-of'], {
      mayBreak: [...rowClauses, unlimited],
      rules: cutAt(max, hasFilter),
    }),
  ),
  ...[10, 150].map((max) =>
    fault(
      `export-csv-is-cut-at-${max}-events-without-a-range`,
      ['export.range-bounds-are-independent'],
      {
        mayBreak: [...rowClauses, unlimited],
        rules: cutAt(max, (query) => !hasRange(query)),
      },
    ),
  ),
  amongMany('export-csv-of-1000-events-keeps-the-latest', [split], {
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.slice(-1000) : selected,
    },
  }),
  amongMany('export-csv-loses-each-thousandth-event', [unlimited], {
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv' ? selected.filter((_, index) => index % 1000 !== 999) : selected,
    },
  }),
  amongMany('export-csv-repeats-each-thousandth-event', [unlimited], {
    rules: {
      exportedEvents: (selected, { fileType }) =>
        fileType === 'csv'
          ? selected.flatMap((event, index) => (index % 1000 === 999 ? [event, event] : [event]))
          : selected,
    },
  }),
];

/** A limit of PDFs that is checked for some queries only. */
const limitedWhere = (isMeant: (query: ExportQuery) => boolean, max = pdfEventLimit) => ({
  isWithinLimit: (count: number, query: ExportQuery) =>
    query.fileType === 'csv' || !isMeant(query) || count <= max,
});

const limits: readonly Fault[] = [
  amongMany('export-pdf-has-no-limit-without-a-range', [refused], {
    rules: limitedWhere(hasRange),
  }),
  amongMany('export-pdf-has-no-limit-with-a-range', [refused], {
    rules: limitedWhere((query) => !hasRange(query)),
  }),
  amongMany('export-pdf-has-no-limit-above-10000-events', [refused], {
    rules: {
      isWithinLimit: (count, { fileType }) =>
        fileType === 'csv' || count <= pdfEventLimit || count > 10_000,
    },
  }),
  amongMany('export-pdf-has-no-limit-in-a-timezone', [refused], {
    rules: limitedWhere(({ timezone }) => timezone === 'UTC'),
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
      ['export.lists-are-any-of'],
      {
        mayBreak: rowClauses,
        wire: decodingBlocks(size),
      },
    ),
  ),
  // Which files have a character of several bytes at such an edge is a matter of what is stored.
  ...(
    [
      [4096, 'export.lists-are-any-of'],
      [16_384, 'export.lists-are-any-of'],
      [32_768, 'export.lists-are-any-of'],
    ] as const
  ).map(([size, clause]) =>
    amongMany(`export-csv-loses-characters-at-the-edges-of-blocks-of-${size}-bytes`, [clause], {
      wire: decodingBlocks(size),
    }),
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
  fault('export-pdf-draws-the-first-event-of-each-page-above-its-edge', [complete], {
    rules: drawn(-300, (index) => index === 0),
  }),
  fault('export-pdf-draws-the-last-event-of-each-page-just-below-its-edge', [complete], {
    rules: drawn(640, (index, all) => index === all - 1),
  }),
];

/** How much a file holds: caps, limits, and what is lost where files are made in pieces (Limits, 4. Export audit events). */
export const exportSizeFaults: readonly Fault[] = [...caps, ...limits, ...blocks, ...outside];
