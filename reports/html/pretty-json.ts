/** Deeper than this a text is left as it is: indentation would make it grow without bound. */
const maxDepth = 24;

/**
 * JSON with line breaks and indentation, for people. Works on the text, so that numbers, escapes and the order of keys
 * stay as they were sent, and a text that was cut is indented as far as it goes. Other text comes back unchanged.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s"[\]{}:,]+/gs) ?? [];
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const breakLine = (): void => {
    lines.push(line);
    line = '  '.repeat(Math.max(0, depth));
  };
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth > maxDepth) return text;
      line += token;
      if (next !== '}' && next !== ']') breakLine();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const before = tokens[index - 1];
      if (before !== '{' && before !== '[') breakLine();
      line += token;
    } else if (token === ',') {
      line += token;
      breakLine();
    } else line += token === ':' ? ': ' : token;
  }
  return [...lines, line].join('\n');
}
