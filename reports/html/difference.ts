import { type Content, html, type Markup } from './markup.ts';

/** Above this many words on either side everything between the common start and end is marked. */
const maxWords = 600;

interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** Two texts side by side: each with what the other does not have marked. */
export function differences(
  expected: string,
  actual: string,
): { expected: Markup; actual: Markup } {
  const [left, right] = compared(words(expected), words(actual));
  return { expected: marked(left), actual: marked(right) };
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function compared(a: readonly string[], b: readonly string[]): [Piece[], Piece[]] {
  const start = commonLength(a, b);
  const restA = a.slice(start);
  const restB = b.slice(start);
  const end = commonLength(restA.toReversed(), restB.toReversed());
  const middleA = restA.slice(0, restA.length - end);
  const middleB = restB.slice(0, restB.length - end);
  const [keptA, keptB] = commonWords(middleA, middleB);
  const pieces = (all: readonly string[], middle: readonly string[], kept: ReadonlySet<number>) =>
    all.map((text, index) => {
      const place = index - start;
      return { text, differs: place >= 0 && place < middle.length && !kept.has(place) };
    });
  return [pieces(a, middleA, keptA), pieces(b, middleB, keptB)];
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((word, place) => word !== b[place]);
  return index === -1 ? a.length : index;
}

/** The places, in either list, of the words of a longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const inA = new Set<number>();
  const inB = new Set<number>();
  if (a.length > maxWords || b.length > maxWords) return [inA, inB];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? new Uint16Array();
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      inA.add(i);
      inB.add(j);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

function marked(pieces: readonly Piece[]): Markup {
  const runs: { text: string; differs: boolean }[] = [];
  for (const { text, differs } of pieces) {
    const last = runs.at(-1);
    if (last?.differs === differs) last.text += text;
    else runs.push({ text, differs });
  }
  const contents: Content[] = runs.map(({ text, differs }) =>
    differs ? html`<mark>${text}</mark>` : text,
  );
  return html`${contents}`;
}
