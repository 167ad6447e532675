/** Languages whose names of months and days are known. */
export const languages: readonly string[] =
  'en de fr es it nl pt pl da sv nb fi cs sk hu ro tr hr sl lt lv et el uk bg ru ar ja ko zh'.split(
    ' ',
  );

export type Half = 'am' | 'pm';

let tables: readonly ReturnType<typeof wordsOf>[] | undefined;

/** The words of all known languages; made when first needed. */
export function dateWords() {
  tables ??= languages.map(wordsOf);
  return tables;
}

/** The words of a text in lower case without dots; "a. m." is one word. */
export function plainWords(text: string): string[] {
  const joined = text.replace(/(?<!\p{L})(\p{L})\.\s?(\p{L})\.(?!\p{L})/gu, '$1$2');
  return joined.toLowerCase().match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
}

/**
 * What the words of a written date mean in a language, by its code, as the platform's own formats write them.
 * @returns `months`: the number of each, from 1, by its long and short names, also as declined inside a date; `fillers`:
 *   words that can be left out, as days of the week, "at", "of"; `halves`: of the day, as `pm` for "odp." in Czech
 */
export function wordsOf(language: string) {
  const [months, fillers] = [new Map<string, number>(), new Set<string>()];
  const halves = new Map<string, Half>();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
  const wordsIn = (one: Intl.DateTimeFormat, instant: number) =>
    one.formatToParts(instant).map(({ type, value }) => {
      return { type, words: plainWords(value.normalize('NFKC')) };
    });
  const formats = [
    format({ dateStyle: 'full', timeStyle: 'medium' }),
    format({ dateStyle: 'long', timeStyle: 'short' }),
    format({ dateStyle: 'medium', timeStyle: 'short' }),
    ...[format({ month: 'long' }), format({ month: 'short' }), format({ weekday: 'short' })],
  ];
  for (let month = 1; month <= 12; month++) {
    // The firsts of the months of 2026 fall on every day of the week.
    const instant = Date.UTC(2026, month - 1, 1);
    for (const { type, words } of formats.flatMap((one) => wordsIn(one, instant))) {
      if (type === 'month' && words[0] !== undefined) months.set(words[0], month);
      if (type === 'weekday' || type === 'literal') for (const word of words) fillers.add(word);
    }
  }
  const clock = format({ hour: 'numeric', hour12: true });
  for (const half of ['am', 'pm'] as const) {
    for (const { type, words } of wordsIn(clock, Date.UTC(2026, 0, 1, half === 'am' ? 9 : 15))) {
      if (type === 'dayPeriod' && words[0] !== undefined) halves.set(words[0], half);
    }
  }
  return { language, months, fillers, halves };
}
