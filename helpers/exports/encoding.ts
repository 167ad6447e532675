import { type ListEncoding, listFilters } from '../../schemas/operations.ts';
import { type Bounds, deviation, exactly, inAny, type Multiset, without } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { Fetch } from './downloads.ts';
import type { KnownFilters } from './filters.ts';
import type { BracketStyle, Filter, FilterSet } from './query.ts';

/** How filters can be sent; the document does not say how lists are (4. Export audit events). */
export interface KnownEncoding {
  /** The encoding that scenarios use for lists. */
  readonly best: ListEncoding;
  /** Whether `best` was configured, and not found out. */
  readonly isGiven: boolean;
  /** All encodings under which a list filter with one value is honoured. */
  readonly forOneValue: readonly ListEncoding[];
  /** Those under which a list of two values keeps what either value keeps alone. */
  readonly forTwoValues: readonly ListEncoding[];
  readonly brackets: readonly BracketStyle[];
}

export const bracketStyles: readonly BracketStyle[] = ['percent-encoded', 'plain'];

/**
 * The ways of sending a filter under which a value that no event has leaves no event, by the first filter that is honoured in
 * any way: others may be ignored, or refused, for reasons of their own.
 */
async function honouredAmong<Way extends BracketStyle | ListEncoding>(
  kind: 'brackets' | 'encoding',
  ways: readonly Way[],
  tried: readonly Filter[],
  fetch: Fetch,
  impossible: string,
): Promise<Way[]> {
  for (const filter of tried) {
    const ask = (way: Way) => fetch({ [kind]: way, filters: { [filter]: [impossible] } });
    const downloads = await Promise.all(ways.map(ask));
    const honoured = ways.filter((_, index) => downloads[index]?.table?.rows.length === 0);
    if (honoured.length > 0) return honoured;
  }
  return [];
}

/** The ways to send the brackets of a metadata key under which it is honoured. @param fetch exports in which there are events */
export function bracketsHonoured(fetch: Fetch, impossible: string): Promise<BracketStyle[]> {
  const keys = ['metadata[entity_id]', 'metadata[task_id]'] as const;
  return honouredAmong('brackets', bracketStyles, keys, fetch, impossible);
}

/** The encodings tried with one value: those in `joining` then send the same request as `repeat`. */
const tried = ['repeat', 'brackets', 'indices'] as const;
const joining = ['comma', 'bare-comma', 'pipe', 'semicolon', 'json'] as const;

/**
 * The encodings under which a list filter is honoured at all.
 * @param fetch exports in which there are events
 * @param impossible a value that no event has
 */
export async function encodingsForOne(fetch: Fetch, impossible: string): Promise<ListEncoding[]> {
  // A user's id first: a service may refuse an event type that it does not know.
  const honoured = await honouredAmong('encoding', tried, listFilters, fetch, impossible);
  return honoured.length > 0
    ? honoured.flatMap((one) => (one === 'repeat' ? ['repeat', 'comma'] : [one]))
    : await honouredAmong('encoding', ['json'], [listFilters[0]], fetch, impossible);
}

/**
 * The encodings under which a list of two values keeps what either keeps alone, usual ones first; else those that nearly do, as
 * events come and go; else those that keep a known value beside one that no event has, before it and behind it, as lists of
 * known values may come from a wrong cache. [] where none does, or no list has a known value. Judges say whether lists are right.
 */
export async function encodingsForTwo(
  fetch: Fetch,
  forOneValue: readonly ListEncoding[],
  { known, impossible }: Pick<KnownFilters, 'known' | 'impossible'>,
  ignored: ReadonlySet<number>,
): Promise<ListEncoding[]> {
  /** Those of the encodings under which a list keeps the expected events; where none does, those that nearly do. */
  const keeping = async (
    encodings: readonly ListEncoding[],
    list: FilterSet,
    expected: Bounds,
    allowed = 0,
  ): Promise<ListEncoding[]> => {
    const tried = await Promise.all(
      encodings.map(async (encoding) => {
        const { table } = await fetch({ filters: list, encoding });
        if (table === undefined) return { encoding, wrong: Number.POSITIVE_INFINITY };
        const { missing, extra } = deviation(expected, eventsOf(table, ignored));
        return { encoding, wrong: missing.length + extra.length };
      }),
    );
    const most = tried.some(({ wrong }) => wrong === 0) ? 0 : allowed;
    return tried.filter(({ wrong }) => wrong <= most).map(({ encoding }) => encoding);
  };
  const lists = listFilters.map((filter) => ({ filter, values: known.get(filter)?.values ?? [] }));
  const isPlain = forOneValue.includes('repeat');
  const unusual = isPlain ? joining.filter((encoding) => !forOneValue.includes(encoding)) : [];
  for (const { filter, values } of lists) {
    const [one, other] = values;
    if (one === undefined || other === undefined) continue;
    const list = { [filter]: [one.value, other.value] };
    const events = [one.events, other.events] as const;
    for (const encodings of [forOneValue, unusual]) {
      const found = await keeping(encodings, list, inAny(events.map(exactly)), maxAway(...events));
      if (found.length > 0) return found;
    }
  }
  // Two more ids that no event has, and that no request has named.
  const [before = '', behind = ''] = ['a', 'b', 'c']
    .filter((end) => !impossible.endsWith(end))
    .map((end) => `${impossible.slice(0, -1)}${end}`);
  for (const { filter, values } of lists) {
    const [one] = values;
    if (one === undefined) continue;
    const beside = (...list: readonly string[]): Promise<ListEncoding[]> =>
      keeping(forOneValue, { [filter]: list }, exactly(one.events));
    const [last, first] = await Promise.all([beside(before, one.value), beside(one.value, behind)]);
    const found = last.filter((encoding) => first.includes(encoding));
    if (found.length > 0) return found;
  }
  return [];
}

/** One in this many events may come or go while encodings are tried. */
const changing = 20;

/** How many events may be wrong: too few for a list that keeps the events of only one value, or all events. */
function maxAway(one: Multiset, other: Multiset): number {
  const own = [without(one, other), without(other, one)];
  const most = own.map(({ size }) => Math.floor(size / 4));
  return Math.min(...most, (one.size + other.size) / changing);
}
