/** A noun in a sentence: "an assignment", "a task". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** A part of a regular expression that matches just this text: `a\.b` for `a.b`. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A part of a regular expression that matches any of the texts, the longest that fits: `ab|a` for `a` and `ab`. */
export function anyOfTexts(texts: readonly string[]): string {
  return texts
    .toSorted((a, b) => b.length - a.length)
    .map(literal)
    .join('|');
}
