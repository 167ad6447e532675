/** A text as a part of a regular expression that matches just that. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A part of a regular expression that matches any of the texts: at each place the longest. */
export function anyOfTexts(texts: readonly string[]): string {
  return texts
    .toSorted((a, b) => b.length - a.length)
    .map(literal)
    .join('|');
}
