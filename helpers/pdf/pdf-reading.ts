/** A piece of text as the file places it; a line, a word or a part of a word. */
export interface PdfText {
  readonly text: string;
  /** Left end of the base line, in points from the left edge of the page. */
  readonly x: number;
  /** Of the base line, in points from the top of the page. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PdfPage {
  /** In points. */
  readonly width: number;
  readonly height: number;
  /** In the order in which the file writes them. */
  readonly texts: readonly PdfText[];
}

/** A PDF as text with places. */
export interface PdfReading {
  readonly pages: readonly PdfPage[];
}

/** What the reading process answers: pages, or the error of the parser. */
export type PdfAnswer =
  | PdfReading
  | { readonly failure: { readonly name: string; readonly message: string } };

/** Why a file cannot be read as a PDF. */
export type PdfFlaw = 'not a PDF' | 'broken' | 'encrypted' | 'too big' | 'too slow';

/** Thrown where a file cannot be read as a PDF; the message is a sentence for people. */
export class PdfUnreadable extends Error {
  override readonly name = 'PdfUnreadable';
  readonly flaw: PdfFlaw;

  constructor(flaw: PdfFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}
