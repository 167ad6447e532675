/*
 * How a cell may show values: one alone, JSON, `key: value` lines, `key=value` in a text, `Name (id)`, a sentence. The
 * document shows no column (4. Export audit events), so nothing here is known: each reading offers values that a filter
 * could select by, and only an export shows which of them it does.
 */

import { isUuidShaped } from '../../schemas/identifier.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import { countsOf } from '../group-by.ts';
import { anyOfTexts } from '../text-pattern.ts';

/** One way to read the cells of a column. */
export interface CellReading {
  /** The name of the values: the heading, a key inside the cell, or the words before them; else empty. */
  readonly name: string;
  readonly kind: ReadingKind;
  /** The values that a cell shows in this reading; an empty list where it shows none. */
  readonly read: (cell: string) => readonly string[];
}

/**
 * `cell`: the whole cell as it stands. `code`: the code that the cell, a label, may stand for (“Task platform” for
 * task_platform). `part`: a part that a key or brackets mark off. `text`: words, where nothing ends a value.
 */
export type ReadingKind = 'cell' | 'part' | 'code' | 'text';

/** One way of reading cells: gives the readings that the cells of a column allow, or none. */
type Way = (heading: string, cells: readonly string[]) => readonly CellReading[];

/**
 * The ways in which the cells of a column can be read.
 * @param cells some of its cells that are not empty; they show which ways there are
 */
export function readingsOf(heading: string, cells: readonly string[]): readonly CellReading[] {
  if (cells.length === 0) return [];
  const json = asJson(heading, cells);
  if (json.length > 0) return json;
  const ways = cells.every(isUuidShaped) ? [asWhole] : waysOfTexts;
  return distinct(
    ways.flatMap((way) => way(heading, cells)),
    cells,
  );
}

/** The readings without those that show the same values under the same name as an earlier one. */
function distinct(readings: readonly CellReading[], cells: readonly string[]): CellReading[] {
  const seen = new Set<string>();
  return readings.filter(({ name, read }) => {
    const values = [name, ...cells.map((cell) => read(cell).join('\u0001'))].join('\u0000');
    return !seen.has(values) && seen.add(values);
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

/** A cell without the apostrophe or TAB that keeps a spreadsheet from taking it for a formula. */
function unguarded(cell: string): string {
  return /^['\t][=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

/** The whole cell; where all cells are ids and some are in capitals, also in small letters. */
const asWhole: Way = (name, cells) => {
  const whole: CellReading = { name, kind: 'cell', read: (cell) => [unguarded(cell)] };
  return cells.every(isUuidShaped) ? inLowerCaseToo(whole, 'code', cells) : [whole];
};

/** A reading, and where some of its values have capitals, a second one that gives them in small letters. */
function inLowerCaseToo(
  asShown: CellReading,
  kind: ReadingKind,
  cells: readonly string[],
): CellReading[] {
  const read = (cell: string) => asShown.read(cell).map((value) => value.toLowerCase());
  const isLower = cells.every((cell) => asShown.read(cell).join() === read(cell).join());
  return isLower ? [asShown] : [asShown, { name: asShown.name, kind, read }];
}

const maxNames = 40;

/** Each field of the objects in cells, half of which at least must be JSON. */
const asJson: Way = (_, cells) => {
  const objects = cells.flatMap((cell) => fieldsOfJson(cell) ?? []);
  if (objects.length * 2 < cells.length) return [];
  const names = [...new Set(objects.flatMap((fields) => [...fields.keys()]))].slice(0, maxNames);
  const fieldsOf = keepingLast(fieldsOfJson);
  return names.map((name) => ({
    name,
    kind: 'part',
    read: (cell) => fieldsOf(cell)?.get(name) ?? [],
  }));
};

/** The values in JSON by the name of their field, at any depth; undefined where a text is neither object nor list. */
function fieldsOfJson(cell: string): Map<string, string[]> | undefined {
  if (!/^\s*[{[]/.test(cell)) return undefined;
  const fields = new Map<string, string[]>();
  const walk = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, name);
    else if (typeof value === 'object' && value !== null) walkObject(value, name);
    else if (value !== null) fields.set(name, [...(fields.get(name) ?? []), String(value)]);
  };
  const walkObject = (object: object, name: string): void => {
    // In { "key": "tag", "value": "kyc" } the field is called tag.
    const { key, value, ...rest }: { key?: unknown; value?: unknown } = { ...object };
    const isPair = typeof key === 'string' && value !== undefined;
    if (isPair) walk(value, key);
    else for (const [field, inner] of Object.entries(object)) walk(inner, field || name);
    if (key !== undefined && value !== undefined) walk(Object.values(rest), name);
  };
  try {
    walk(JSON.parse(cell), '');
    return fields;
  } catch {
    return undefined;
  }
}

const keyBeforeEquals = /(?:^|[\n;,|([{\s])([\p{L}_][\p{L}\p{N}_.\-[\]]{0,40})\s?=\s?(?=\S)/gu;
const keyBeforeColon =
  /(?:^|[\n;,|(])[^\S\n]*([\p{L}_][\p{L}\p{N}_ .\-/]{0,40}?)[^\S\n]*:[^\S\n]*(?=[^\s/])/gu;

/** `key: value` and `key=value`, by key. Where a value ends is not known: the reading with the longest comes first. */
const asPairs: Way = (_, cells) => {
  const mentioned = [keyBeforeEquals, keyBeforeColon].flatMap((pattern) =>
    cells.flatMap((cell) => [...cell.matchAll(pattern)].map(([, key = '']) => key)),
  );
  const keys = mostTelling(mentioned)
    .filter(([key, count]) => (count > 1 || cells.length < 10) && !/^\d*$/.test(key))
    .slice(0, maxNames)
    .map(([key]) => key);
  if (keys.length === 0) return [];
  const anyKey = new RegExp(
    `(?<![\\p{L}\\p{N}_])(${anyOfTexts(keys)})[^\\S\\n]*[:=][^\\S\\n]*`,
    'gu',
  );
  const pairsOf = keepingLast((cell) => {
    const marks = [...cell.matchAll(anyKey)];
    return marks.map(({ index, 0: mark, 1: key = '' }, at) => {
      const value = cell.slice(index + mark.length, marks[at + 1]?.index ?? cell.length);
      const [, quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(value) ?? [];
      return { key, value: quoted ?? value.replace(/[\s;,|·•]+$/u, '') };
    });
  });
  return keys.flatMap((name) => {
    const read = (cell: string) =>
      pairsOf(cell).flatMap(({ key, value }) => (key === name && value !== '' ? [value] : []));
    const longest: CellReading = { name, kind: 'part', read };
    return isTelling(name) ? shorterToo(longest, cells) : [longest];
  });
};

const wordsOfFilters = new Set(
  [...listFilters, ...metadataKeys]
    .flatMap((name) => name.split('_'))
    .filter((one) => one !== 'id'),
);

/** Whether a key has a word in common with a filter. */
function isTelling(key: string): boolean {
  return words(key).some((one) => wordsOfFilters.has(one.toLowerCase().replace(/s$/, '')));
}

/** Each name and how often it occurs: first those with a word in common with a filter, and more frequent ones first. */
function mostTelling(names: readonly string[]): (readonly [name: string, times: number])[] {
  return [...countsOf(names)].sort(
    (a, b) => Number(isTelling(b[0])) - Number(isTelling(a[0])) || b[1] - a[1],
  );
}

/** Where a value may end earlier: at a line end, a mark and a space, any mark, as one of a list, at white space. */
const earlierEnds: readonly ((value: string) => readonly string[])[] = [
  (value) => [value.replace(/\n[\s\S]*$/, '')],
  (value) => [value.replace(/(?:[;|,] |\. |\s?[;|\n)\]}])[\s\S]*$/, '')],
  (value) => [value.replace(/[;|,\n)\]}][\s\S]*$/, '')],
  (value) => value.split(/[;|,\n]/),
  (value) => [value.replace(/\s[\s\S]*$/, '')],
];

/** A reading, and a further one for each of `earlierEnds` at which one of its values could end earlier. */
function shorterToo(longest: CellReading, cells: readonly string[]): CellReading[] {
  const values = cells.flatMap(longest.read);
  const further = earlierEnds
    .filter((end) => values.some((value) => end(value).join('\n') !== value))
    .map((end): CellReading => {
      const ended = (cell: string) => longest.read(cell).flatMap(end);
      const read = (cell: string) => ended(cell).flatMap((value) => value.trim() || []);
      return { ...longest, read };
    });
  return [longest, ...further];
}

const brackets = /^([\s\S]*\S)\s*[([<{]([^()[\]<>{}]+)[)\]>}]$/;
const dash = /^([\s\S]*?\S)\s+[-–—/|:·]\s+(\S[\s\S]*)$/u;

/** `Name (id)` and `id - Name`: a reading for each part, the second first. At least half of the cells must be so. */
const asTwoParts: Way = (name, cells) =>
  [brackets, dash]
    .filter((form) => cells.filter((cell) => form.test(cell)).length * 2 >= cells.length)
    .flatMap((form) =>
      [2, 1].map((side): CellReading => {
        const read = (cell: string) => form.exec(cell)?.slice(side, side + 1) ?? [];
        return { name, kind: 'part', read };
      }),
    );

/** Which codes a label for people may stand for: `Task platform` for `task_platform`, and others. */
const codes: readonly ((label: string) => string)[] = [
  (label) => words(label).join('_').toLowerCase(),
  (label) => label.toLowerCase(),
  (label) => words(label).join('_').toUpperCase(),
  (label) => words(label).join('-').toLowerCase(),
];

const maxLabels = 100;

const asCodes: Way = (name, cells) => {
  const labels = [...new Set(cells)];
  if (labels.length > maxLabels || labels.some(({ length }) => length > 80)) return [];
  return codes
    .filter((code) => labels.some((label) => code(label) !== label))
    .map((code) => ({ name, kind: 'code', read: (cell) => [code(cell)] }));
};

/** Lists of values in one cell, with commas between them or without. */
const asList: Way = (name, cells) =>
  [/\s*[,;|\n]\s*/, /\s*[;|\n]\s*/]
    .filter((mark) => cells.some((cell) => mark.test(cell)))
    .map((mark) => ({
      name,
      kind: 'part',
      read: (cell) => cell.split(mark).filter((value) => value !== ''),
    }));

/** UUIDs inside of longer texts, by the last two words before them (“for task 7d4f…”: `for task`), and all together. */
const asIds: Way = (heading, cells) => {
  const anyId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
  const idsIn = keepingLast((cell) =>
    [...cell.matchAll(anyId)].map(({ index, 0: id }) => {
      const before = cell.slice(Math.max(0, index - 40), index);
      const [, label = ''] = /([\p{L}_ ]*)[^\p{L}\p{N}]{0,4}$/u.exec(before) ?? [];
      return { label: words(label).slice(-2).join(' ').toLowerCase(), id };
    }),
  );
  const all = cells.flatMap(idsIn);
  if (all.length === 0) return [];
  const labels = mostTelling(all.map(({ label }) => label)).slice(0, maxNames / 2);
  return [...labels.map(([label]) => label), undefined].flatMap((wanted) => {
    const read = (cell: string) =>
      idsIn(cell).flatMap(({ label, id }) =>
        wanted === undefined || label === wanted ? [id] : [],
      );
    return inLowerCaseToo({ name: wanted || heading, kind: 'text', read }, 'code', cells);
  });
};

/** What follows the name of a filter, or its last word, in a text: `kyc` in `tag kyc`, `Review` in `step Review`. */
const asPhrases: Way = (_, cells) => {
  const names = [...listFilters, ...metadataKeys].filter((name) => !name.endsWith('_id'));
  return names.flatMap((name) => {
    const parts = name.split('_');
    const label = `(?:${parts.join('[ _-]?')}|${parts.at(-1)})`;
    const after = new RegExp(`(?<![\\p{L}_])${label}s?(?![\\p{L}_])["'“«:=\\s(]+([^\\n]+)`, 'iu');
    const read = (cell: string) => {
      const value = after
        .exec(cell)?.[1]
        ?.replace(/["'”»].*$/, '')
        .trim();
      return value ? [value] : [];
    };
    const isUsed = cells.filter((cell) => read(cell).length > 0).length > 1;
    return isUsed ? shorterToo({ name, kind: 'text', read }, cells) : [];
  });
};

const word = /[\p{L}\p{N}]+(?:[_.\-:/][\p{L}\p{N}]+)*/gu;

/** Single words of a text, and words joined by dots, dashes and the like, whole and apart. */
const asWords: Way = (name, cells) => {
  const read = (cell: string): string[] => {
    const whole = cell.match(word) ?? [];
    return [...new Set([...whole, ...whole.flatMap((one) => one.split(/[.\-:/]/))])];
  };
  const isText = cells.filter((cell) => read(cell).length > 1).length * 2 >= cells.length;
  return isText ? inLowerCaseToo({ name, kind: 'text', read }, 'text', cells) : [];
};

/** The ways for texts, in order of how clearly they show where a value ends. */
const waysOfTexts: readonly Way[] = [
  ...[asPairs, asWhole, asTwoParts, asCodes, asList, asIds, asPhrases, asWords],
];

/** The words of a heading, a key or a label: `taskId`, `task_id` and `Task ID` have two each. */
export function words(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== '');
}
