/*
 * How a cell may show values: alone, as JSON, `key: value`, `key=value`, `Name (id)`, a sentence. No column is documented (4.
 * Export audit events): each reading offers values that a filter could select by, and only an export shows which it does.
 */

import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import { countsOf } from '../maps.ts';
import { anyOfTexts } from '../texts.ts';

/** One way to read the cells of a column. */
export interface CellReading {
  /** The name of the values: the heading, a key inside the cell, or the words before them; else empty. */
  readonly name: string;
  readonly kind: ReadingKind;
  /** The values that a cell shows in this reading; an empty list where it shows none. */
  readonly read: (cell: string) => readonly string[];
}

/**
 * In order of how clearly a reading shows where a value ends. `cell`: the whole cell as it stands. `part`: a part that a key or
 * brackets mark off. `code`: the code that the cell, a label, may stand for (“Task platform” for task_platform). `text`: words,
 * where nothing ends a value.
 */
export const kinds = ['cell', 'part', 'code', 'text'] as const;

type ReadingKind = (typeof kinds)[number];

/** A value in a cell, and what names it there. */
type Named = readonly [name: string, value: string];

/** One way of finding values in cells, which makes a reading of each name. */
interface Way {
  readonly kind: ReadingKind;
  readonly find: (cell: string) => readonly Named[];
  /** Whether a value may end earlier, too: at any of `earlierEnds`. */
  readonly mayEndEarlier?: boolean;
  /** Values in capitals may stand for others in small letters, which are a reading of this kind. */
  readonly inSmallLetters?: ReadingKind;
}

/** The readings that some cells of a column, none of them empty, allow. */
export function readingsOf(heading: string, cells: readonly string[]): readonly CellReading[] {
  const json = cells.filter((cell) => fieldsOfJson(cell).length > 0);
  if (json.length * 2 >= cells.length)
    return readingsIn({ kind: 'part', find: fieldsOfJson }, json);
  // Rows may show ids in capitals.
  const ways: readonly Way[] = cells.every(isUuidShaped)
    ? [{ ...wayOf(heading, 'cell', (cell) => [cell]), inSmallLetters: 'code' }]
    : waysOfTexts(heading, cells);
  const readings = ways.flatMap((way) => readingsIn(way, cells));
  // Those that show the same values under the same name as an earlier one are left out.
  const seen = new Set<string>();
  return readings.filter(({ name, read }) => {
    const values = [name, ...cells.map((cell) => read(cell).join('\u0001'))].join('\u0000');
    return !seen.has(values) && seen.add(values);
  });
}

const maxNames = 40;

/** A reading of each name, those first that name a filter; after each, further ones of values that end earlier. */
function readingsIn(way: Way, cells: readonly string[]): CellReading[] {
  const { kind, inSmallLetters } = way;
  const find = keepingLast(way.find);
  const names = cells.flatMap((cell) => find(cell).map(([name]) => name));
  return mostTelling(names).flatMap(([name]) => {
    const read = (cell: string) => find(cell).flatMap((one) => (one[0] === name ? one[1] : []));
    const whole: CellReading = { name, kind, read };
    const lower = (cell: string) => read(cell).map((value) => value.toLowerCase());
    return [
      whole,
      ...(way.mayEndEarlier && isTelling(name) ? endedEarlier(whole, cells) : []),
      ...(inSmallLetters ? [{ name, kind: inSmallLetters, read: lower }] : []),
    ];
  });
}

/** `find`, with its last result kept for the readings that ask for the same cell next. */
function keepingLast<T>(find: (cell: string) => T): (cell: string) => T {
  let last: { readonly cell: string; readonly value: T } | undefined;
  return (cell) => {
    if (last?.cell !== cell) last = { cell, value: find(cell) };
    return last.value;
  };
}

const namesOfFilters: readonly string[] = [...listFilters, ...metadataKeys];
const wordsOfFilters = new Set(namesOfFilters.flatMap((name) => name.split('_')));
wordsOfFilters.delete('id');

/** Whether a key has a word in common with a filter. */
function isTelling(key: string): boolean {
  return words(key).some((one) => wordsOfFilters.has(one.toLowerCase().replace(/s$/, '')));
}

/** Each name and how often it occurs: first those with a word in common with a filter, and more frequent ones first. */
function mostTelling(names: readonly string[]): (readonly [name: string, times: number])[] {
  return [...countsOf(names)]
    .sort((a, b) => Number(isTelling(b[0])) - Number(isTelling(a[0])) || b[1] - a[1])
    .slice(0, maxNames);
}

/** Where a value may end earlier: at a line end, a mark and a space, any mark, as one of a list, at white space. */
const earlierEnds: readonly ((value: string) => readonly string[])[] = [
  (value) => [value.replace(/\n[\s\S]*$/, '')],
  (value) => [value.replace(/(?:[;|,] |\. |\s?[;|\n)\]}])[\s\S]*$/, '')],
  (value) => [value.replace(/[;|,\n)\]}][\s\S]*$/, '')],
  (value) => value.split(/[;|,\n]/),
  (value) => [value.replace(/\s[\s\S]*$/, '')],
];

/** A reading for each of `earlierEnds` at which one of the values could end earlier. */
function endedEarlier(longest: CellReading, cells: readonly string[]): CellReading[] {
  const values = cells.flatMap(longest.read);
  return earlierEnds
    .filter((end) => values.some((value) => end(value).join('\n') !== value))
    .map((end) => {
      const ended = (cell: string) => longest.read(cell).flatMap(end);
      return { ...longest, read: (cell) => ended(cell).flatMap((value) => value.trim() || []) };
    });
}

/** The values in JSON by the name of their field, at any depth; [] where a text is neither object nor list. */
function fieldsOfJson(cell: string): Named[] {
  if (!/^\s*[{[]/.test(cell)) return [];
  const walk = (value: unknown, name: string): Named[] => {
    if (Array.isArray(value)) return value.flatMap((item) => walk(item, name));
    if (typeof value === 'object' && value !== null) return walkObject(value, name);
    return value === null ? [] : [[name, String(value)]];
  };
  const walkObject = (object: object, name: string): Named[] => {
    // In { "key": "tag", "value": "kyc" } the field is called tag.
    const { key, value, ...rest }: { key?: unknown; value?: unknown } = { ...object };
    if (typeof key === 'string' && value !== undefined)
      return [...walk(value, key), ...walk(Object.values(rest), name)];
    return Object.entries(object).flatMap(([field, inner]) => walk(inner, field || name));
  };
  try {
    return walk(JSON.parse(cell), '');
  } catch {
    return [];
  }
}

const keyBeforeEquals = /(?:^|[\n;,|([{\s])([\p{L}_][\p{L}\p{N}_.\-[\]]{0,40})\s?=\s?(?=\S)/gu;
const keyBeforeColon =
  /(?:^|[\n;,|(])[^\S\n]*([\p{L}_][\p{L}\p{N}_ .\-/]{0,40}?)[^\S\n]*:[^\S\n]*(?=[^\s/])/gu;

/** `key: value` and `key=value`, by key. Where a value ends is not known: the reading with the longest comes first. */
function pairs(cells: readonly string[]): Way[] {
  const mentioned = [keyBeforeEquals, keyBeforeColon].flatMap((pattern) =>
    cells.flatMap((cell) => [...cell.matchAll(pattern)].map(([, key = '']) => key)),
  );
  const keys = mostTelling(mentioned).flatMap(([key, count]) =>
    (count > 1 || cells.length < 10) && !/^\d*$/.test(key) ? [key] : [],
  );
  if (keys.length === 0) return [];
  const anyKey = new RegExp(
    `(?<![\\p{L}\\p{N}_])(${anyOfTexts(keys)})[^\\S\\n]*[:=][^\\S\\n]*`,
    'gu',
  );
  const find = (written: string): Named[] => {
    // Java writes a map as “{key=value, key=value}”.
    const cell = written.replace(/^\{([\s\S]*)\}$/, '$1');
    const marks = [...cell.matchAll(anyKey)];
    return marks.flatMap(({ index, 0: mark, 1: key = '' }, at) => {
      const text = cell.slice(index + mark.length, marks[at + 1]?.index ?? cell.length);
      const [, quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
      const value = quoted ?? text.replace(/[\s;,|·•]+$/u, '');
      return value === '' ? [] : [[key, value]];
    });
  };
  return [{ kind: 'part', find, mayEndEarlier: true }];
}

/** A way whose values have one name. */
function wayOf(name: string, kind: ReadingKind, read: (cell: string) => readonly string[]): Way {
  return { kind, find: (cell) => read(cell).map((value) => [name, value]) };
}

/** A cell without the apostrophe or TAB that keeps a spreadsheet from taking it for a formula. */
function unguarded(cell: string): string {
  return /^['\t][=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

/** `Name (id)` and `id - Name`, of which at least half of the cells must be. */
const twoParts = [
  /^([\s\S]*\S)\s*[([<{]([^()[\]<>{}]+)[)\]>}]$/,
  /^([\s\S]*?\S)\s+[-–—/|:·]\s+(\S[\s\S]*)$/u,
];

/** Which codes a label for people may stand for: `Task platform` for `task_platform`, and others. */
const codes: readonly ((label: string) => string)[] = [
  (label) => words(label).join('_').toLowerCase(),
  (label) => label.toLowerCase(),
  (label) => words(label).join('_').toUpperCase(),
  (label) => words(label).join('-').toLowerCase(),
];

const maxLabels = 100;
const maxLabelLength = 80;

/** What stands between the values of a list in one cell: commas too, or not. */
const marksOfLists = [/\s*[,;|\n]\s*/, /\s*[;|\n]\s*/];

const anyId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** UUIDs inside of a longer text, by the last two words before them (“for task 7d4f…”: `for task`). */
function labelledIds(cell: string): Named[] {
  return [...cell.matchAll(anyId)].map(({ index, 0: id }) => {
    const before = cell.slice(Math.max(0, index - 40), index);
    const [, label = ''] = /([\p{L}_ ]*)[^\p{L}\p{N}]{0,4}$/u.exec(before) ?? [];
    return [words(label).slice(-2).join(' ').toLowerCase(), id];
  });
}

const phrases = namesOfFilters
  .filter((name) => !name.endsWith('_id'))
  .map((name) => {
    const parts = name.split('_');
    const label = `(?:${parts.join('[ _-]?')}|${parts.at(-1)})`;
    const after = `(?<![\\p{L}_])${label}s?(?![\\p{L}_])["'“«:=\\s(]+([^\\n]+)`;
    return { name, after: new RegExp(after, 'iu') };
  });

/** What follows the name of a filter, or its last word, in a text: `kyc` in `tag kyc`, `Review` in `step Review`. */
function phrasesIn(cell: string): Named[] {
  return phrases.flatMap(({ name, after }): Named[] => {
    const [, rest = ''] = after.exec(cell) ?? [];
    const value = rest.replace(/["'”»].*$/, '').trim();
    return value === '' ? [] : [[name, value]];
  });
}

const word = /[\p{L}\p{N}]+(?:[_.\-:/][\p{L}\p{N}]+)*/gu;

/** Single words of a text, and words joined by dots, dashes and the like, whole and apart. */
function wordsIn(cell: string): string[] {
  const whole = cell.match(word) ?? [];
  return [...new Set([...whole, ...whole.flatMap((one) => one.split(/[.\-:/]/))])];
}

/** The ways for texts, in order of how clearly they show where a value ends. */
function waysOfTexts(heading: string, cells: readonly string[]): Way[] {
  const ofParts = twoParts.filter((form) => areMost(cells, (cell) => form.test(cell)));
  const areLabels =
    new Set(cells).size <= maxLabels && cells.every(({ length }) => length <= maxLabelLength);
  const ids = (cell: string) => labelledIds(cell).map(([, id]) => id);
  const areOfWords = areMost(cells, (cell) => wordsIn(cell).length > 1);
  return [
    ...pairs(cells),
    wayOf(heading, 'cell', (cell) => [unguarded(cell)]),
    ...ofParts.flatMap((form) => [
      wayOf(heading, 'part', (cell) => form.exec(cell)?.slice(2) ?? []),
      wayOf(heading, 'part', (cell) => form.exec(cell)?.slice(1, 2) ?? []),
    ]),
    ...(areLabels ? codes.map((code) => wayOf(heading, 'code', (cell) => [code(cell)])) : []),
    ...marksOfLists.map((mark) => wayOf(heading, 'part', (cell) => cell.split(mark))),
    { kind: 'text', find: labelledIds, inSmallLetters: 'code' },
    { ...wayOf(heading, 'text', ids), inSmallLetters: 'code' },
    { kind: 'text', find: phrasesIn, mayEndEarlier: true },
    ...(areOfWords
      ? [{ ...wayOf(heading, 'text', wordsIn), inSmallLetters: 'text' as const }]
      : []),
  ];
}

function areMost(cells: readonly string[], test: (cell: string) => boolean): boolean {
  return cells.filter(test).length * 2 >= cells.length;
}

/** The words of a heading, a key or a label: `taskId`, `task_id` and `Task ID` have two each. */
export function words(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== '');
}
