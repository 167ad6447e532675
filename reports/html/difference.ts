import { type Content, html, type Markup } from './markup.ts';

/** So many words or characters may differ; beyond, everything between the common start and end is marked. */
const maxEdits = 600;

/** A piece longer than this, in characters, is looked into where it differs: one letter of an id, a space in a comment. */
const longWord = 12;

interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** Two texts side by side: each with what the other does not have marked, by words, and within long words by characters. */
export function differences(
  expected: string,
  actual: string,
): { expected: Markup; actual: Markup } {
  const [left, right] = compared(words(expected), words(actual), byCharacter);
  return { expected: marked(left), actual: marked(right) };
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Looks into two pieces that stand for each other; undefined where they are to be marked whole. */
type LookInto = (a: string, b: string) => [Piece[], Piece[]] | undefined;

/** @param lookInto for each pair of runs of words that one text has in place of the other's */
function compared(
  a: readonly string[],
  b: readonly string[],
  lookInto?: LookInto,
): [Piece[], Piece[]] {
  const start = commonLength(a, b);
  const end = commonLength(a.slice(start).toReversed(), b.slice(start).toReversed());
  const pairs = commonPairs(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const left: Piece[] = a.slice(0, start).map(same);
  const right: Piece[] = b.slice(0, start).map(same);
  let [fromA, fromB] = [start, start];
  const last = [a.length - end - start, b.length - end - start] as const;
  for (const [x, y] of [...pairs, last]) {
    const runA = a.slice(fromA, start + x).join('');
    const runB = b.slice(fromB, start + y).join('');
    const [insideA, insideB] = lookInto?.(runA, runB) ?? [[differing(runA)], [differing(runB)]];
    left.push(...insideA);
    right.push(...insideB);
    [fromA, fromB] = [start + x, start + y];
    if (x < last[0] || y < last[1]) {
      left.push(same(a[fromA] ?? ''));
      right.push(same(b[fromB] ?? ''));
      [fromA, fromB] = [fromA + 1, fromB + 1];
    }
  }
  left.push(...a.slice(a.length - end).map(same));
  right.push(...b.slice(b.length - end).map(same));
  return [left, right];
}

/** Two long runs by their characters, where most of these are the same: else the marks would be confetti. */
function byCharacter(a: string, b: string): [Piece[], Piece[]] | undefined {
  if (Math.min(a.length, b.length) < longWord) return undefined;
  const [left, right] = compared([...a], [...b]);
  const kept = left.filter(({ differs }) => !differs).length;
  if (kept * 2 > Math.max(a.length, b.length)) return [left, right];
  // A long word that goes on otherwise is the same up to there.
  const start = commonLength([...a], [...b]);
  if (start < longWord) return undefined;
  const from = (text: string): Piece[] => {
    const letters = [...text];
    return [same(letters.slice(0, start).join('')), differing(letters.slice(start).join(''))];
  };
  return [from(a), from(b)];
}

function same(text: string): Piece {
  return { text, differs: false };
}

function differing(text: string): Piece {
  return { text, differs: true };
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((word, place) => word !== b[place]);
  return index === -1 ? a.length : index;
}

/**
 * The places, in both lists, of the words of a longest common subsequence, in order; none where more than `maxEdits`
 * words would have to be taken out or put in. Eugene Myers's greedy algorithm.
 */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  const trace: Int32Array[] = [];
  const offset = maxEdits + 1;
  const furthest = new Int32Array(2 * offset + 1);
  const at = (row: Int32Array | undefined, diagonal: number): number =>
    row?.[offset + diagonal] ?? 0;
  const isDown = (row: Int32Array | undefined, diagonal: number, edits: number): boolean =>
    diagonal === -edits || (diagonal !== edits && at(row, diagonal - 1) < at(row, diagonal + 1));
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    trace.push(furthest.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(furthest, diagonal, edits)
        ? at(furthest, diagonal + 1)
        : at(furthest, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest[offset + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return backwards(edits, diagonal);
    }
  }
  return [];

  /** Follows the trace from the ends of both lists to their beginnings. */
  function backwards(edits: number, diagonal: number): [number, number][] {
    const pairs: [number, number][] = [];
    let x = a.length;
    let on = diagonal;
    for (let left = edits; left >= 0; left -= 1) {
      const row = trace[left];
      const down = isDown(row, on, left);
      const from = down ? on + 1 : on - 1;
      const start = left === 0 ? 0 : at(row, from) + (down ? 0 : 1);
      while (x > start) {
        x -= 1;
        pairs.push([x, x - on]);
      }
      x = left === 0 ? 0 : at(row, from);
      on = from;
    }
    return pairs.reverse();
  }
}

function marked(pieces: readonly Piece[]): Markup {
  const content: Content[] = [];
  let run = '';
  let differs = false;
  const close = (): void => {
    if (run !== '') content.push(differs ? html`<mark>${run}</mark>` : run);
    run = '';
  };
  for (const piece of pieces) {
    if (piece.differs !== differs) close();
    differs = piece.differs;
    run += piece.text;
  }
  close();
  return html`${content}`;
}
