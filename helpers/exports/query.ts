import {
  type Filter,
  filters,
  type ListEncoding,
  type ListFilter,
} from '../../schemas/operations.ts';

export { type Filter, filters };

/** Values by filter; a list filter may have several, a metadata key has one. */
export type FilterSet = { readonly [F in Filter]?: readonly string[] };

/** An instant: milliseconds since 1970, or nanoseconds as a bigint; or a text to send as it is. */
export type Bound = number | bigint | string;

/** The document writes brackets as they are; RFC 3986 wants them percent-encoded in a query. */
export type BracketStyle = 'percent-encoded' | 'plain';

/** How a query is written, where that is not as usual; what it means is the same (RFC 3986, 2.2 and 6.2.2). */
export type Writing = 'lower-case escapes' | 'few escapes' | 'a value twice';

/** What an export is asked for. What is left out is not sent. */
export interface ExportQuery {
  readonly filters?: FilterSet;
  readonly start?: Bound;
  readonly end?: Bound;
  readonly fileType?: string;
  readonly locale?: string;
  readonly timezone?: string | undefined;
  /** How lists are sent. Default: `repeat`. */
  readonly encoding?: ListEncoding | undefined;
  /** How brackets in names are sent. Default: percent-encoded. */
  readonly brackets?: BracketStyle | undefined;
  /** Default: the document's order. As a number: how many of the first parameters come last; if negative, of the last first. */
  readonly order?: 'reversed' | number;
  readonly writing?: Writing;
  /** Headers that are sent too: they matter to no event. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further parameters, sent as they are. */
  readonly further?: Readonly<Record<string, string>>;
}

/** The query without what changes how its file is written, and not which events it holds. */
export function selectionOf({
  fileType: _type,
  locale: _locale,
  timezone: _timezone,
  order: _order,
  writing: _writing,
  headers: _headers,
  ...selection
}: ExportQuery): ExportQuery {
  return selection;
}

export function isListFilter(filter: Filter): filter is ListFilter {
  return !filter.startsWith('metadata[');
}

/** The query as it goes over the wire, percent-encoded throughout (a `+` in a datetime would read as a space). */
export function encodeQuery(query: ExportQuery): string {
  const { encoding = 'repeat', order, writing, start, end, fileType, locale, timezone } = query;
  const singles = {
    range_start: instantText(start),
    range_end: instantText(end),
    file_type: fileType,
    locale,
    timezone,
    ...query.further,
  };
  const pairs = [
    // In the order of the document.
    ...filters.flatMap((filter) => {
      const values = query.filters?.[filter];
      if (values === undefined) return [];
      // A metadata key has one value: more are never sent as a list.
      if (!isListFilter(filter)) return encodeList(filter, values, 'repeat');
      const again = writing === 'a value twice' ? values.slice(0, 1) : [];
      return encodeList(filter, [...values, ...again], encoding);
    }),
    ...Object.entries(singles).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, encodeURIComponent(value)] as const],
    ),
  ];
  const moved = typeof order === 'number' ? order % pairs.length : 0;
  const inOrder =
    order === 'reversed' ? pairs.toReversed() : [...pairs.slice(moved), ...pairs.slice(0, moved)];
  const text = inOrder.map(([name, value]) => `${encodeName(name, query)}=${value}`).join('&');
  if (writing === 'few escapes') return text.replaceAll('%3A', ':').replaceAll('%2F', '/');
  return writing === 'lower-case escapes'
    ? text.replace(/%[\dA-F]{2}/g, (one) => one.toLowerCase())
    : text;
}

function encodeName(name: string, { brackets }: ExportQuery): string {
  const encoded = encodeURIComponent(name);
  return brackets === 'plain' ? encoded.replaceAll('%5B', '[').replaceAll('%5D', ']') : encoded;
}

/** An instant as the document writes it, `YYYY-MM-DDTHH:MM:SS.sssZ`; with six digits or nine where that says more. */
function instantText(instant: Bound | undefined): string | undefined {
  if (typeof instant === 'number') return new Date(instant).toISOString();
  if (typeof instant !== 'bigint') return instant;
  const beyondMs = String(instant % 1_000_000n).padStart(6, '0');
  const further = beyondMs.replace(/(?:000)+$/, '');
  return new Date(Number(instant / 1_000_000n)).toISOString().replace('Z', `${further}Z`);
}

/** What stands between the values of a list that is sent as one parameter, by encoding. */
const separators = { comma: '%2C', 'bare-comma': ',', pipe: '%7C', semicolon: '%3B' } as const;

/** Whether a value holds what stands between the values of a list in this encoding. */
export function holdsSeparator(value: string, encoding: ListEncoding): boolean {
  const { [encoding]: separator }: { readonly [E in ListEncoding]?: string } = separators;
  return separator !== undefined && value.includes(decodeURIComponent(separator));
}

/** A list as parameters, percent-encoded. */
function encodeList(
  name: string,
  values: readonly string[],
  encoding: ListEncoding,
): (readonly [name: string, value: string])[] {
  const encoded = values.map(encodeURIComponent);
  if (encoding === 'repeat') return encoded.map((value) => [name, value]);
  if (encoding === 'brackets') return encoded.map((value) => [`${name}[]`, value]);
  if (encoding === 'indices') return encoded.map((value, index) => [`${name}[${index}]`, value]);
  if (encoding === 'json') return [[name, encodeURIComponent(JSON.stringify(values))]];
  return [[name, encoded.join(separators[encoding])]];
}
