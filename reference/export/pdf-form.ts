/** How a PDF export looks, which the document leaves open (4. Export audit events). Lengths are in points. */
export interface PdfForm {
  readonly page: PageSize;
  /**
   * - `table`: a row for each event, a column for each part of it.
   * - `lines`: several lines for each event, over the whole width.
   * - `cards`: boxes of labelled fields, in two stacks side by side.
   */
  readonly layout: PdfLayout;
  readonly fontSize: number;
  /** Of the table's columns, one for each part of an event, in proportion to each other. */
  readonly tableWidths: readonly [number, number, number, number, number];
  /** Stands at the head of every page; undefined: nothing does. */
  readonly runningTitle: string | undefined;
  readonly hasPageNumbers: boolean;
}

export type PdfLayout = 'table' | 'lines' | 'cards';

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export const paper = {
  a3: { width: 841.89, height: 1190.55 },
  a4: { width: 595.28, height: 841.89 },
  a5: { width: 419.53, height: 595.28 },
  letter: { width: 612, height: 792 },
  legal: { width: 612, height: 1008 },
} as const satisfies Record<string, PageSize>;

export function landscape({ width, height }: PageSize): PageSize {
  return { width: height, height: width };
}
