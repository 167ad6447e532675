/** The end of a message about a name that there is not: the names that are most like it, as a question. */
export function didYouMean(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return `Did you mean ${others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`}?`;
}

/** The names that are most like a text, the most similar first. */
export function similar(text: string, names: readonly string[], count = 3): string[] {
  return names
    .map((name) => ({ name, distance: distance(text, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** The names that a text may be a misspelling of, the most similar first. */
export function misspelt(text: string, names: readonly string[]): string[] {
  return similar(text, names).filter((name) => distance(text, name) <= text.length / 2);
}

/** The name that a text is but for a few characters; undefined where there is none. */
export function nearly(text: string, names: readonly string[], few: number): string | undefined {
  return similar(text, names, 1).find((name) => distance(text, name) <= few);
}

/**
 * The names whose texts have most of the words of what was typed, each perhaps misspelt; the best first. Empty where
 * none has more than half of them.
 */
export function withLikeWords(
  typed: string,
  named: readonly { readonly name: string; readonly text: string }[],
): string[] {
  const wanted = wordsOf(typed);
  return named
    .map(({ name, text }) => {
      const words = wordsOf(text);
      const found = wanted.map((word) => Math.max(0, ...words.map((one) => likeness(word, one))));
      const score = found.reduce((sum, one) => sum + one, 0);
      return { name, score, distance: distance(typed, name) };
    })
    .filter(({ score }) => score > wanted.length / 2)
    .sort((a, b) => b.score - a.score || a.distance - b.distance)
    .map(({ name }) => name);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** From 1 for the same word down to 0 for another one; short words are misspelt less. */
function likeness(typed: string, word: string): number {
  if (typed === word) return 1;
  if (typed.length >= 3 && word.startsWith(typed)) return 0.9;
  const off = distance(typed, word);
  return typed.length >= 4 && off <= (typed.length >= 8 ? 3 : 2) ? 1 - off / typed.length : 0;
}

/** How many characters must be put in, taken out or changed to make one text the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
