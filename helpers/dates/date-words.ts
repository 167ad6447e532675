/** Languages whose names of months and days are known. */
export const languages: readonly string[] =
  'en de fr es it nl pt pl da sv nb fi cs sk hu ro tr hr sl lt lv et el uk bg ru ar ja ko zh'.split(
    ' ',
  );

/** What the words of a written date mean in one language. */
export interface DateWords {
  readonly language: string;
  /** From 1, by name, long and short, also as declined inside a date. */
  readonly months: ReadonlyMap<string, number>;
  /** Words that add nothing to the numbers: days of the week, "at", "of". */
  readonly fillers: ReadonlySet<string>;
  readonly beforeNoon: ReadonlySet<string>;
  readonly afterNoon: ReadonlySet<string>;
}

let tables: readonly DateWords[] | undefined;

/** The words of all known languages, as the platform's own formats write them; made when first needed. */
export function dateWords(): readonly DateWords[] {
  tables ??= languages.map(wordsOf);
  return tables;
}

/** The words of a text in lower case without dots; "a. m." is one word. */
export function plainWords(text: string): string[] {
  const joined = text.replace(/(?<!\p{L})(\p{L})\.\s?(\p{L})\.(?!\p{L})/gu, '$1$2');
  return joined.toLowerCase().match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
}

/** The words of a language, by its code, as the platform's own formats write them. */
export function wordsOf(language: string): DateWords {
  const months = new Map<string, number>();
  const fillers = new Set<string>();
  const halves = { morning: new Set<string>(), afternoon: new Set<string>() };
  const utc = { timeZone: 'UTC' } as const;
  const formats = [
    new Intl.DateTimeFormat(language, { ...utc, dateStyle: 'full', timeStyle: 'medium' }),
    new Intl.DateTimeFormat(language, { ...utc, dateStyle: 'long', timeStyle: 'short' }),
    new Intl.DateTimeFormat(language, { ...utc, dateStyle: 'medium', timeStyle: 'short' }),
    new Intl.DateTimeFormat(language, { ...utc, month: 'long' }),
    new Intl.DateTimeFormat(language, { ...utc, month: 'short' }),
    new Intl.DateTimeFormat(language, { ...utc, weekday: 'short' }),
  ];
  for (let month = 1; month <= 12; month++) {
    // The firsts of the months of 2026 fall on every day of the week.
    const instant = Date.UTC(2026, month - 1, 1);
    for (const { type, value } of formats.flatMap((format) => format.formatToParts(instant))) {
      const words = plainWords(value.normalize('NFKC'));
      if (type === 'month' && words[0] !== undefined) months.set(words[0], month);
      if (type === 'weekday' || type === 'literal') for (const word of words) fillers.add(word);
    }
  }
  const clock = new Intl.DateTimeFormat(language, { ...utc, hour: 'numeric', hour12: true });
  for (const [half, hour] of [
    ['morning', 9],
    ['afternoon', 15],
  ] as const) {
    for (const { type, value } of clock.formatToParts(Date.UTC(2026, 0, 1, hour))) {
      const [word] = plainWords(value.normalize('NFKC'));
      if (type === 'dayPeriod' && word !== undefined) halves[half].add(word);
    }
  }
  return { language, months, fillers, beforeNoon: halves.morning, afterNoon: halves.afternoon };
}
