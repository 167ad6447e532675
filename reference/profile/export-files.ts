import type { Observation } from '../../schemas/observations.ts';
import { allColumns } from '../export/columns.ts';
import { dateStyles, patternOf } from '../export/dates.ts';
import { landscape, type PageSize, type PdfLayout, paper } from '../export/pdf-layout.ts';
import { ExportRefused, type FileType } from '../export/query.ts';
import { quoted } from '../rules/export.ts';
import type { Rules } from '../rules.ts';
import { type Adaptations, aspectOf, common, ifKnown } from './adaptation.ts';
import { columnsCalled, nothing } from './column-names.ts';

const contentTypeOf =
  (of: FileType) =>
  (types: readonly (string | null)[], rules: Rules): Partial<Rules> | undefined =>
    ifKnown(common(types) ?? undefined, (type) => ({
      contentType: (fileType) => (fileType === of ? type : rules.contentType(fileType)),
    }));

/** The layouts by the number of places where lines of a page begin. */
const layouts: Readonly<Record<number, PdfLayout>> = { 4: 'cards', 5: 'table', 6: 'lines' };

/** The usual paper of this size, or one of just this size. */
function pageOf(width: number, height: number): PageSize {
  const usual = Object.values(paper).flatMap((size) => [size, landscape(size)]);
  const isAlike = (size: PageSize): boolean =>
    Math.round(size.width) === width && Math.round(size.height) === height;
  return usual.find(isAlike) ?? { width, height };
}

/** The running title like the one that was observed; undefined where there is none. */
function titleLike(
  observed: Observation<'export.pdf-form'>['runningTitle'],
  title: string | undefined,
): string | undefined {
  if (observed === 'none') return undefined;
  return observed === 'with numbers' ? `${title} 1` : title;
}

/** Milliseconds that are observed so. */
const delays = { 'at once': 0, 'within ten seconds': 1000, later: 12_000 } as const;

/** How large a CSV may be was not observed, but that it may not be as large as was tried. */
const maxCsvEvents = 10_000;

/** What files look like and how they are sent (4. Export audit events). */
export const exportFileAdaptations: Adaptations = {
  'export.csv-columns': (facts) => {
    const headings = aspectOf(facts, 'headings');
    if (headings !== undefined) {
      const columns = columnsCalled(headings);
      return { csvColumns: () => columns };
    }
    // Where there are fewer columns than here, it is not known which ones are missing.
    return aspectOf(facts, 'columnsWithoutHeadings') === allColumns.length
      ? { csvHeadings: () => undefined }
      : undefined;
  },

  'export.csv-form': (facts, rules) => {
    const delimiter = aspectOf(facts, 'delimiter');
    const lineEnd = aspectOf(facts, 'lineEnd');
    const titleLines = aspectOf(facts, 'titleLines');
    if (delimiter === undefined || lineEnd === undefined || titleLines === undefined) {
      return undefined;
    }
    const isPlain =
      !aspectOf(facts, 'footerLines') &&
      !aspectOf(facts, 'separatorLine') &&
      (aspectOf(facts, 'encoding') ?? 'utf-8') === 'utf-8' &&
      (aspectOf(facts, 'formulaGuard') ?? 'none') === 'none';
    if (!isPlain) return undefined;
    const title = Array.from({ length: titleLines }, (_, line) => [`Audit events ${line + 1}`]);
    return {
      csvDelimiter: () => delimiter,
      csvLineEnd: () => lineEnd,
      csvEndsLastLine: () => aspectOf(facts, 'endsLastLine') ?? true,
      csvByteOrderMark: () => aspectOf(facts, 'byteOrderMark') ?? false,
      csvTitle: () => title,
      csvHeadingsWhenEmpty: () => !aspectOf(facts, 'emptyWithoutEvents'),
      ...(aspectOf(facts, 'quotes') === 'around every cell' && { csvCell: () => quoted }),
      csvHeadings: aspectOf(facts, 'headings') === false ? () => undefined : rules.csvHeadings,
    };
  },

  'export.date-style': (facts) => {
    const written = common(facts);
    if (written === undefined || written === 'not readable') return undefined;
    const isAlike = ({ order, write }: (typeof dateStyles)[keyof typeof dateStyles]): boolean =>
      order === written.order && patternOf(write) === written.pattern;
    return ifKnown(Object.values(dateStyles).find(isAlike), ({ write }) => ({
      dateStyle: () => write,
    }));
  },

  'export.order-of-events': (facts, rules) => {
    const byTime = aspectOf(facts, 'byTime');
    if (aspectOf(facts, 'again') !== 'the same') return undefined;
    if (byTime === 'oldest first') return { orderEvents: rules.orderEvents };
    return byTime === 'newest first'
      ? { orderEvents: (events) => rules.orderEvents(events).toReversed() }
      : undefined;
  },

  'export.pdf-form': (facts, rules) => {
    const width = aspectOf(facts, 'width');
    const height = aspectOf(facts, 'height');
    const layout = layouts[aspectOf(facts, 'leftEdges') ?? 0];
    const omitted = facts
      .flatMap(({ leavesOut }) => leavesOut ?? [])
      .map((name) => rules.csvColumns().find(({ heading }) => heading.en === name));
    const isPossible =
      omitted.every((column) => column !== undefined && column.cell !== nothing) &&
      !facts.some(({ cutsOff, ellipses }) => cutsOff !== undefined || ellipses);
    if (width === undefined || height === undefined || layout === undefined || !isPossible) {
      return undefined;
    }
    const columns = allColumns.filter(({ cell }) => !omitted.some((one) => one?.cell === cell));
    return {
      pdfForm: (locale) => {
        const form = rules.pdfForm(locale);
        return {
          ...form,
          page: pageOf(width, height),
          layout,
          runningTitle: titleLike(aspectOf(facts, 'runningTitle'), form.runningTitle),
          hasPageNumbers: aspectOf(facts, 'pageNumbers') ?? form.hasPageNumbers,
        };
      },
      pdfColumns: () => columns,
    };
  },

  'export.csv-content-type': contentTypeOf('csv'),
  'export.pdf-content-type': contentTypeOf('pdf'),

  'export.file-name': (facts) => {
    const headerOf = (fileType: FileType) =>
      common(facts.filter(({ of }) => of === fileType).map((fact) => fact.contentDisposition));
    const headers = { csv: headerOf('csv'), pdf: headerOf('pdf') };
    if (headers.csv === undefined || headers.pdf === undefined) return undefined;
    return {
      // What differs from export to export stands there as <n> and <id>.
      contentDisposition: (fileType) =>
        headers[fileType]
          ?.replaceAll('<n>', '1')
          .replaceAll('<id>', '00000000-0000-4000-8000-000000000000'),
    };
  },

  'audit.delay': (facts) =>
    ifKnown(common(facts), (delay) => ({ auditDelay: () => delays[delay] })),

  'limits.csv-size': (facts, rules) => {
    const refusals = facts.flatMap(({ refusesMoreWith }) => refusesMoreWith ?? []);
    if (refusals.length === 0) return {};
    if (refusals.some((status) => status !== rules.refusalStatus('invalid-export')))
      return undefined;
    return {
      isWithinLimit: (count, query) => {
        if (query.fileType === 'csv' && count > maxCsvEvents) {
          throw new ExportRefused(`a CSV holds at most ${maxCsvEvents} events`);
        }
        return rules.isWithinLimit(count, query);
      },
    };
  },
};
