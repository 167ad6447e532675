import type { Row } from '../csv/csv-form.ts';
import { type EventText, occurrencesOf } from './find-events.ts';
import type { Piece } from './plain-text.ts';
import { findAll, isShowable, joinPieces } from './plain-text.ts';

/** A value that only one row has, or a part of such a value. */
interface OwnValue {
  readonly column: number;
  readonly value: string;
  /** Whether every font can show it: only then does its absence prove something. */
  readonly isShowable: boolean;
}

/** In characters: shorter values, and shorter parts of a value, can be in a text by accident. */
const longEnough = 20;
const shortest = 6;

/** The two halves of an id, or the parts of 16 characters of a longer value: a page can end anywhere in it. */
function partsOf(value: string): string[] {
  if (value.length < 16) return [];
  const half = Math.ceil(value.length / 2);
  if (half <= 16) return [value.slice(0, half), value.slice(-half)];
  return value.match(/.{16}/gsu) ?? [];
}

/** Whether a long value begins in one text and ends in another. */
function isDivided(value: string, before: string, behind: string): boolean {
  if (value.length < longEnough) return false;
  const divisions = Array.from(value, (_, index) => index).slice(shortest, 1 - shortest);
  return divisions.some(
    (at) => before.includes(value.slice(0, at)) && behind.includes(value.slice(at)),
  );
}

/** The text about the end of a page: behind its last key, and before the first key of the next page. */
interface Break {
  readonly tail: string;
  readonly head: string;
}

function breaksOf({ text: { text, pages }, keys }: EventText): Break[] {
  let next = 0;
  return pages.slice(1).map((start) => {
    while ((keys[next]?.start ?? text.length) < start) next += 1;
    return {
      tail: text.slice(keys[next - 1]?.end ?? 0, start),
      head: text.slice(start, keys[next]?.start ?? text.length),
    };
  });
}

/** Looks for what rows leave in a PDF besides their keys: values that no other row has, anywhere, whole or in part. */
export class Traces {
  readonly #found: EventText;
  readonly #body: readonly Piece[];
  readonly #others: readonly Row[];
  #breaks: readonly Break[] | undefined;

  /** @param others rows that the query excludes: a value that one of them has is no row's own */
  constructor(found: EventText, body: readonly Piece[], others: readonly Row[]) {
    this.#found = found;
    this.#body = body;
    this.#others = others;
  }

  /**
   * For each of these rows, by index, whether the PDF shows something that is its alone.
   * @returns undefined for a row that has nothing of its own that every font can show
   */
  of(rows: readonly number[]): ReadonlyMap<number, boolean | undefined> {
    if (rows.length === 0) return new Map();
    const own = this.#ownOf(rows);
    const values = new Set([...own.values()].flatMap((some) => some.map(({ value }) => value)));
    const inOrder = findAll(this.#found.text.text, values);
    const inFile = findAll(joinPieces(this.#body).text, values);
    const isAmongEvents = this.#amongEvents();
    const keys = this.#keysWherever(rows);
    const hasTrace = (row: number): boolean | undefined => {
      const values = own.get(row) ?? [];
      const isAmong = values.some(({ value }) => inOrder.get(value)?.some(isAmongEvents));
      if (isAmong || keys.has(this.#found.key?.values[row] ?? '')) return true;
      // Outside of the events two columns must agree: a title names a time, or the id asked for, but not both.
      const anywhere = values.filter(({ value }) => inOrder.has(value) || inFile.has(value));
      if (new Set(anywhere.map(({ column }) => column)).size > 1) return true;
      return values.some((value) => value.isShowable) ? false : undefined;
    };
    return new Map(rows.map((row) => [row, hasTrace(row)]));
  }

  /** Whether a value stands in the text in two parts and not whole, as where a page ends within a cell. */
  showInParts(value: string): boolean {
    const { text } = this.#found.text;
    return !text.includes(value) && isDivided(value, text, text);
  }

  /** At how many page ends a value stands in two parts, behind the last key and before the next; 0 if it is short. */
  timesDivided(value: string): number {
    this.#breaks ??= breaksOf(this.#found);
    return this.#breaks.filter(({ tail, head }) => isDivided(value, tail, head)).length;
  }

  /** The keys of these rows that stand among the events at a place that was taken for no event. */
  #keysWherever(rows: readonly number[]): ReadonlySet<string> {
    const { key, keys, text } = this.#found;
    const wanted = rows.flatMap((row) => key?.values[row] ?? []);
    const taken = new Set(keys.map(({ start }) => start));
    const isAmongEvents = this.#amongEvents();
    const others = occurrencesOf(text, wanted).filter(
      ({ start }) => isAmongEvents(start) && !taken.has(start),
    );
    return new Set(others.map(({ value }) => value));
  }

  /** Tells whether an offset of the text lies between the first and the last key at a usual place. */
  #amongEvents(): (offset: number) => boolean {
    const usual = this.#found.keys.filter(({ isAtUsualPlace }) => isAtUsualPlace);
    const [first, last] = [usual[0]?.start ?? 0, usual.at(-1)?.end ?? 0];
    return (offset) => offset >= first && offset < last;
  }

  /** For each row, those of its values and parts that stand only once in the CSV and nowhere in the excluded rows. */
  #ownOf(rows: readonly number[]): ReadonlyMap<number, readonly OwnValue[]> {
    const candidates = new Map(rows.map((row) => [row, this.#valuesOf(row)]));
    const values = [...candidates.values()].flatMap((some) => some.map(({ value }) => value));
    const inCsv = findAll(this.#csvText(), new Set(values));
    return new Map(
      [...candidates].map(([row, some]) => [
        row,
        some.filter(({ value }) => inCsv.get(value)?.length === 1),
      ]),
    );
  }

  #valuesOf(row: number): OwnValue[] {
    return this.#found.columns.flatMap(({ column, values }) => {
      const value = values[row] ?? '';
      // A short value without digits is a word, which can stand anywhere.
      if (value.length < (/\d/.test(value) ? 6 : 12)) return [];
      return [value, ...partsOf(value)].map((part) => ({
        column,
        value: part,
        isShowable: isShowable(part),
      }));
    });
  }

  /** The values of all printed columns in one text, in the form of the PDF, with those of the excluded rows. */
  #csvText(): string {
    const texts = this.#found.columns.flatMap(({ column, values, write }) => [
      ...values,
      ...write(this.#others.map((row) => row[column] ?? '')),
    ]);
    return texts.join(' ');
  }
}
