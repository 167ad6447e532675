import type { CsvForm, Delimiter } from './csv-table.ts';

/** A space after it shows a comma in prose or in a written date, not the end of a cell. */
const marks = {
  '\t': /\t(?! )/g,
  '|': /\|(?! )/g,
  ';': /;(?! )/g,
  ',': /,(?! )/g,
} as const satisfies Record<Delimiter, RegExp>;

/**
 * Finds out how a CSV file is written, from its beginning. The delimiter is the character that divides most records
 * alike; title lines and cells full of commas do not mislead it.
 *
 * @param usual the delimiter of another export of the same service, taken where it occurs
 */
export function sniffForm(beginning: string, usual: Delimiter | null = null): CsvForm {
  const skeleton = skeletonOf(beginning);
  const records = skeleton.split(/\r\n|\n|\r/).filter((record) => record !== '');
  const delimiter = delimiterOf(records, usual);
  const bare = records.filter((record) => record.replaceAll(delimiter ?? '"', '').match(/[^"]/));
  return {
    delimiter,
    lineEnd: lineEndOf(skeleton),
    // A title line may stand without quotes above a table that has them.
    quoting: skeleton.includes('"') && bare.length * 10 <= records.length ? 'all' : 'where needed',
  };
}

/** What shows, at the beginning of a file, that it is no CSV as it should be; sentences for people. */
export function sniffProblems(beginning: string): string[] {
  const kind = foreignKind(beginning);
  if (kind !== undefined) return [`The file is no CSV: it begins like ${kind}.`];
  // A CR at the very end may have its LF in the next piece.
  const skeleton = skeletonOf(beginning).replace(/\r$/, '');
  const isMixed = new Set(skeleton.match(/\r\n|\n|\r/g)).size > 1;
  return isMixed ? ['Lines end in different ways, or a line break stands outside quotes.'] : [];
}

/** What a file is that is no CSV, for people: `HTML`, `a PDF`; undefined where it may be one. */
export function foreignKind(beginning: string): string | undefined {
  return kinds.find(([, form]) => form.test(beginning))?.[0];
}

const kinds = [
  ['HTML', /^\s*<(?:!doctype|html|head|body)\b/i],
  ['XML', /^\s*<\?xml\b/i],
  ['JSON', /^\s*(?:\{\s*(?:"[^"\n]*"\s*:|\})|\[\s*[[{\]])/],
  ['a PDF', /^\s*%PDF-/],
] as const;

/** With every quoted cell shrunk to one quote, what is left of line breaks and delimiters divides cells. */
function skeletonOf(text: string): string {
  return text.replace(/"(?:[^"]|"")*(?:"|$)/g, '"');
}

function delimiterOf(records: readonly string[], usual: Delimiter | null): Delimiter | null {
  if (usual !== null && likeness(records, marks[usual]) > 0) return usual;
  let best: Delimiter | null = null;
  let bestScore = 0;
  for (const delimiter of ['\t', '|', ';', ','] as const) {
    const score = likeness(records, marks[delimiter]);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** How often the mark stands in a record, times the share of records in which it stands as often; the best of these. */
function likeness(records: readonly string[], mark: RegExp): number {
  const alike = new Map<number, number>();
  for (const record of records) {
    const count = record.match(mark)?.length ?? 0;
    alike.set(count, (alike.get(count) ?? 0) + 1);
  }
  return Math.max(0, ...[...alike].map(([count, times]) => (count * times) / records.length));
}

function lineEndOf(skeleton: string): CsvForm['lineEnd'] {
  const pairs = skeleton.split('\r\n').length - 1;
  const feeds = skeleton.split('\n').length - 1 - pairs;
  const returns = skeleton.split('\r').length - 1 - pairs;
  if (pairs > 0 && pairs >= feeds) return '\r\n';
  return returns > feeds ? '\r' : '\n';
}
