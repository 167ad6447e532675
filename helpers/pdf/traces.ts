import type { Row } from '../csv/csv-form.ts';
import { type EventText, occurrencesOf } from './find-events.ts';
import type { Piece } from './plain-text.ts';
import { findAll, isShowable, joinPieces } from './plain-text.ts';

/** A value that one row alone has, or a part of it. */
interface OwnValue {
  readonly column: number;
  readonly value: string;
  /** Whether every font can show it, so that it proves something where it is nowhere. */
  readonly isShowable: boolean;
}

/** A shorter value, or a shorter part of one, can be there by accident. */
const longEnough = 20;
const shortest = 6;

/** The halves of an id, and parts of that length of a longer value: a page can end anywhere in it. */
function partsOf(value: string): string[] {
  if (value.length < 16) return [];
  const half = Math.ceil(value.length / 2);
  if (half <= 16) return [value.slice(0, half), value.slice(-half)];
  return value.match(/.{16}/gsu) ?? [];
}

/** What stands about the end of a page: behind its last key, and before the first one of the next. */
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

/** What a row leaves in a PDF besides its key: values that no other row has, wherever they stand and in whatever part. */
export class Traces {
  readonly #found: EventText;
  readonly #body: readonly Piece[];
  readonly #others: readonly Row[];
  #csv: string | undefined;
  #breaks: readonly Break[] | undefined;

  /** @param others rows that the query excludes; where their events are printed all the same, their values are theirs */
  constructor(found: EventText, body: readonly Piece[], others: readonly Row[]) {
    this.#found = found;
    this.#body = body;
    this.#others = others;
  }

  /**
   * Whether anything is found of these rows that is theirs alone.
   *
   * @returns undefined for a row that has nothing of its own, or nothing that fonts are known to show
   */
  of(rows: readonly number[]): ReadonlyMap<number, boolean | undefined> {
    if (rows.length === 0) return new Map();
    const own = this.#ownOf(rows);
    const values = new Set([...own.values()].flatMap((some) => some.map(({ value }) => value)));
    const inOrder = findAll(this.#found.text.text, values);
    const inFile = findAll(joinPieces(this.#body).text, values);
    const isAmongEvents = this.#amongEvents();
    const keys = this.#keysWherever(rows);
    return new Map(
      rows.map((row) => {
        if (keys.has(this.#found.key?.values[row] ?? '')) return [row, true];
        const some = own.get(row) ?? [];
        const columnsWhere = (isThere: (value: string) => boolean) =>
          new Set(some.filter(({ value }) => isThere(value)).map(({ column }) => column)).size;
        const among = columnsWhere((value) => (inOrder.get(value) ?? []).some(isAmongEvents));
        const anywhere = columnsWhere((value) => inOrder.has(value) || inFile.has(value));
        // A title names the first event's time, or the id that was asked for, but not both of one event.
        if (among > 0 || anywhere > 1) return [row, true];
        return [row, some.some((value) => value.isShowable) ? false : undefined];
      }),
    );
  }

  /** Whether a value is there in two parts, as where a page ends within a cell. */
  showInParts(value: string): boolean {
    const { text } = this.#found.text;
    const splits = Array.from(value, (_, index) => index).slice(shortest, 1 - shortest);
    return (
      value.length >= longEnough &&
      !text.includes(value) &&
      splits.some((at) => text.includes(value.slice(0, at)) && text.includes(value.slice(at)))
    );
  }

  /** At how many page breaks a value that is long enough stands in two parts: behind the last key of a page, and before the next. */
  timesDivided(value: string): number {
    const places = Array.from(value, (_, index) => index).slice(shortest, 1 - shortest);
    const isDivided = ({ tail, head }: Break): boolean =>
      places.some((at) => tail.includes(value.slice(0, at)) && head.includes(value.slice(at)));
    this.#breaks ??= breaksOf(this.#found);
    return value.length < longEnough ? 0 : this.#breaks.filter(isDivided).length;
  }

  /** Keys that stand somewhere among the events where keys usually do not, or more often than was taken for events. */
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

  #amongEvents(): (offset: number) => boolean {
    const usual = this.#found.keys.filter(({ isAtUsualPlace }) => isAtUsualPlace);
    const [first, last] = [usual[0]?.start ?? 0, usual.at(-1)?.end ?? 0];
    return (offset) => offset >= first && offset < last;
  }

  #ownOf(rows: readonly number[]): ReadonlyMap<number, readonly OwnValue[]> {
    const candidates = new Map(rows.map((row) => [row, this.#valuesOf(row)]));
    const values = [...candidates.values()].flatMap((some) => some.map(({ value }) => value));
    const inCsv = findAll(this.#csvText() + this.#textOfOthers(), new Set(values));
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
      // Words can stand anywhere.
      if (value.length < (/\d/.test(value) ? 6 : 12)) return [];
      return [value, ...partsOf(value)].map((part) => ({
        column,
        value: part,
        isShowable: isShowable(part),
      }));
    });
  }

  /** Everything of the rows that the PDF prints, in the same form. */
  #csvText(): string {
    const { columns } = this.#found;
    this.#csv ??= columns.map(({ values }) => values.join(' ')).join(' ');
    return this.#csv;
  }

  #textOfOthers(): string {
    const written = this.#found.columns.flatMap(({ column, write }) =>
      write(this.#others.map((row) => row[column] ?? '')),
    );
    return ` ${written.join(' ')}`;
  }
}
