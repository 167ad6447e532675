/** Deeper than this a text is left as it is: indentation would make it grow without bound. */
const maxDepth = 24;

/** Texts, empty lists and objects, brackets, marks, and what else stands between white space. */
const tokensOfJson = /"(?:[^"\\]|\\.)*"?|\[\s*\]|\{\s*\}|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/**
 * JSON with line breaks and indentation, for people. Works on the text, so that numbers, escapes and the order of keys
 * stay as they were sent, and a text that was cut is indented as far as it goes. Other text comes back unchanged.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let pretty = '';
  let depth = 0;
  for (const token of text.match(tokensOfJson) ?? []) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return text;
    const line = `\n${'  '.repeat(Math.max(0, depth))}`;
    if (['{', '[', ','].includes(token)) pretty += token + line;
    else if (['}', ']'].includes(token)) pretty += line + token;
    else if (token === ':') pretty += ': ';
    else pretty += token.startsWith('"') ? token : token.replace(/\s+/, '');
  }
  return pretty;
}
