import { allColumns } from '../export/columns.ts';
import { type DateStyle, localTime } from '../export/dates.ts';
import { landscape, type PageSize, type PdfLayout, paper } from '../export/pdf-form.ts';
import type { ExportQuery, FileType } from '../export/query.ts';
import { ExportRefused } from '../export/refusal.ts';
import { quoted } from '../rules/export-csv.ts';
import { exportDateVariants } from '../variants/export-dates.ts';
import type { Adaptation, Adaptations, Observed } from './adaptation.ts';
import { columnsCalled, nothing } from './column-names.ts';

const csvColumns: Adaptation = ({ only }) => {
  if (typeof only === 'object') {
    const columns = columnsCalled(only);
    return { csvColumns: () => columns };
  }
  // Which of them are missing where there are fewer, nothing tells.
  return only === `no headings, ${allColumns.length} columns`
    ? { csvHeadings: () => undefined }
    : undefined;
};

/** The part of the one value that stands behind these words. */
function after({ values }: Observed, words: RegExp): string | undefined {
  const found = values.filter((value) => words.test(`${value}`));
  return found.length === 1 ? `${found[0]}`.replace(words, '') : undefined;
}

const csvForm: Adaptation = (seen, rules) => {
  const delimiter = after(seen, /^delimiter /);
  const [lineEnd, lastLine] = after(seen, /^line end /)?.split(', ') ?? [];
  const titles = Number(after(seen, / title lines$/));
  if (delimiter === undefined || lineEnd === undefined || !(titles >= 0)) return undefined;
  return {
    csvDelimiter: () => JSON.parse(delimiter),
    csvLineEnd: () => JSON.parse(lineEnd),
    csvEndsLastLine: () => lastLine === 'also after the last line',
    csvByteOrderMark: () => seen.has('byte order mark'),
    csvTitle: () => Array.from({ length: titles }, (_, line) => [`Audit events ${line + 1}`]),
    csvHeadingsWhenEmpty: () => !seen.has('without events empty'),
    ...(seen.has('quotes around every cell') && { csvCell: () => quoted }),
    ...(seen.has('no headings')
      ? { csvHeadings: () => undefined }
      : { csvHeadings: rules.csvHeadings }),
  };
};

/** Instants whose parts have one digit and two. */
const instants = [Date.UTC(2026, 0, 5, 3, 4, 5, 6), Date.UTC(2026, 10, 25, 13, 44, 55, 666)];

/** How a date is written: one or two digits as 9, more as so many, words as a. */
function patternOf(style: DateStyle): ReadonlySet<string> {
  const written = instants.map((at) => style(localTime(at, 0, 'en')));
  return new Set(
    written.map((text) =>
      text
        .replace(/\d+/g, ({ length }) => '9'.repeat(length === 2 ? 1 : length))
        .replace(/\p{L}[\p{L}\p{M}]*/gu, 'a'),
    ),
  );
}

/** Patterns do not tell days from months; the ids of styles do. */
const otherOrder: Readonly<Record<string, RegExp>> = {
  'day first': /american/,
  'month first': /european/,
};

const query: ExportQuery = {
  lists: {},
  metadata: {},
  fileType: 'csv',
  locale: 'en',
  timezone: 'UTC',
};

const dateStyle: Adaptation = ({ only }) => {
  const [, order = '', pattern = ''] = /^(.+?): (.*)$/s.exec(`${only}`) ?? [];
  const known = exportDateVariants.find(({ id, rules }) => {
    const style = rules?.dateStyle?.(query, instants[0] ?? 0);
    return style && patternOf(style).has(pattern) && !otherOrder[order]?.test(id);
  });
  return known?.rules?.dateStyle && { dateStyle: known.rules.dateStyle };
};

const orderOfEvents: Adaptation = (seen, rules) => {
  if (!seen.has('the same again')) return undefined;
  if (seen.has('oldest first')) return { orderEvents: rules.orderEvents };
  return seen.has('newest first')
    ? { orderEvents: (events) => rules.orderEvents(events).toReversed() }
    : undefined;
};

const layouts: Readonly<Record<string, PdfLayout>> = {
  '4 left edges': 'cards',
  '5 left edges': 'table',
  '6 left edges': 'lines',
};

const pdfForm: Adaptation = (seen, rules) => {
  const size = /^(\d+) × (\d+) points$/.exec(seen.of('page') ?? '');
  const layout = layouts[seen.of('layout') ?? ''];
  const left = seen.values.flatMap((value) => /^leaves out (.+)$/.exec(`${value}`)?.[1] ?? []);
  const leftOut = left.map((name) => rules.csvColumns().find(({ heading }) => heading.en === name));
  const columns = allColumns.filter(({ cell }) => !leftOut.some((one) => one?.cell === cell));
  const isKnown = leftOut.every((column) => column !== undefined && column.cell !== nothing);
  const isCut = seen.values.some((value) => /^cuts off|^puts an ellipsis/.test(`${value}`));
  if (size === null || layout === undefined || !isKnown || isCut) return undefined;
  const page = pageOf(Number(size[1]), Number(size[2]));
  return {
    pdfForm: (locale) => {
      const form = rules.pdfForm(locale);
      return {
        ...form,
        ...{ page, layout },
        runningTitle: seen.has('no running title')
          ? undefined
          : `${form.runningTitle}${seen.has('a running title with numbers') ? ' 1' : ''}`,
        hasPageNumbers: seen.has('page numbers'),
      };
    },
    pdfColumns: () => columns,
  };
};

/** The usual paper of this size, or one of just this size. */
function pageOf(width: number, height: number): PageSize {
  const usual = Object.values(paper).flatMap((size) => [size, landscape(size)]);
  const isAlike = (size: PageSize): boolean =>
    Math.round(size.width) === width && Math.round(size.height) === height;
  return usual.find(isAlike) ?? { width, height };
}

const contentTypeOf =
  (of: FileType): Adaptation =>
  ({ only: type }, rules) =>
    typeof type === 'string' && type !== 'none'
      ? { contentType: (fileType) => (fileType === of ? type : rules.contentType(fileType)) }
      : undefined;

const fileName: Adaptation = (seen) => {
  const names = { csv: seen.of('csv'), pdf: seen.of('pdf') };
  if (names.csv === undefined || names.pdf === undefined) return undefined;
  return {
    contentDisposition: (fileType) => {
      const name = names[fileType];
      if (name === undefined || name === 'none') return undefined;
      return name.replaceAll('<n>', '1').replaceAll('<id>', '00000000-0000-4000-8000-000000000000');
    },
  };
};

/** Milliseconds within what was seen. */
const delays: Readonly<Record<string, number>> = {
  'readable at once': 0,
  'readable within ten seconds': 1000,
  'readable later': 12_000,
};

const auditDelay: Adaptation = ({ only }) => {
  const delay = delays[`${only}`];
  return delay === undefined ? undefined : { auditDelay: () => delay };
};

/** How large a CSV may be was not seen, but that it may not be as large as was tried. */
const fewEnough = 10_000;

const csvSize: Adaptation = (seen, rules) => {
  if (!seen.has('more is refused with 400')) return {};
  return {
    isWithinLimit: (count, query) => {
      if (query.fileType === 'csv' && count > fewEnough) {
        throw new ExportRefused(`a CSV holds at most ${fewEnough} events`);
      }
      return rules.isWithinLimit(count, query);
    },
  };
};

/** What files look like and how they are sent (4. Export audit events). */
export const exportFileAdaptations: Adaptations = {
  'export.csv-columns': csvColumns,
  'export.csv-form': csvForm,
  'export.date-style': dateStyle,
  'export.order-of-events': orderOfEvents,
  'export.pdf-form': pdfForm,
  'export.csv-content-type': contentTypeOf('csv'),
  'export.pdf-content-type': contentTypeOf('pdf'),
  'export.file-name': fileName,
  'audit.delay': auditDelay,
  'limits.csv-size': csvSize,
};
