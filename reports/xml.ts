import { printable, printableLine } from './printable.ts';

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

/** Text as the value of an attribute in quotes, on one line. */
export function escapedLine(text: string): string {
  return escaped(printableLine(text));
}
