// Control characters, invisible format characters that reorder or hide text, halves of surrogate pairs, and
// code points that XML forbids. Joiners stay: scripts and emoji need them.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{fff9}-\u{fffb}\u{fffe}\u{ffff}\u{e0000}-\u{e007f}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a target, safe for a terminal, XML and HTML alike once their own escaping is done: what would
 * steer a terminal or deceive an eye is spelled out (`\u001b`). Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : spelledOut(character),
  );
}

/** As `printable`, on one line: line feeds and tabs are spelled out too. */
export function printableLine(text: string): string {
  return text.replace(unprintable, spelledOut);
}

/** A value as indented JSON in which nothing steers a terminal that shows the file. Ends with a line feed. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  const safe = json.replace(unprintable, (character) =>
    character === '\n' ? character : jsonEscapes(character),
  );
  return `${safe}\n`;
}

function jsonEscapes(character: string): string {
  return character.replace(/./gs, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The first `length` code units of a text, and `… (90 characters more)`; the whole text where that is no longer. */
export function cut(text: string, length: number): string {
  // A pair of surrogates stays together.
  const end = length - (/[\ud800-\udbff]/.test(text.charAt(length - 1)) ? 1 : 0);
  const left = text.length - end;
  const note = `… (${left} characters more)`;
  return left <= note.length ? text : text.slice(0, end) + note;
}

function spelledOut(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as the content of an XML or HTML element, free of characters that neither may hold. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
