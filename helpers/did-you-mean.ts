const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The end of a message about an unknown name: `Did you mean BASE_URL or CA_FILE?` */
export function didYouMean(names: readonly string[]): string {
  return `Did you mean ${either.format(names)}?`;
}

/** The `count` names that are most like a text, the most similar first. */
export function similar(text: string, names: readonly string[], count = 3): string[] {
  return names
    .map((name) => ({ name, distance: distance(text, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** The names that differ from a text, whole or in their beginning, by at most a third of it; most similar first. */
export function misspelt(text: string, names: readonly string[]): string[] {
  const few = text.length / 3;
  return similar(text, names, names.length).filter(
    (name) => Math.min(distance(text, name), distance(text, name.slice(0, text.length))) <= few,
  );
}

/** The name that differs from a text in `few` characters at most; undefined where there is none. */
export function nearly(text: string, names: readonly string[], few: number): string | undefined {
  return similar(text, names, 1).find((name) => distance(text, name) <= few);
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
