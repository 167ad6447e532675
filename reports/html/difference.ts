import type { ChangeObject } from 'diff';
// Not the whole package: a run loads it.
import { diffArrays } from 'diff/lib/diff/array.js';
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
  const left: Piece[] = [];
  const right: Piece[] = [];
  let [runA, runB] = ['', ''];
  const close = (): void => {
    const [insideA, insideB] = lookInto?.(runA, runB) ?? [[differing(runA)], [differing(runB)]];
    left.push(...insideA);
    right.push(...insideB);
    [runA, runB] = ['', ''];
  };
  for (const { value, added, removed } of changesOf(a, b)) {
    if (removed) runA += value.join('');
    else if (added) runB += value.join('');
    else {
      close();
      left.push(...value.map(same));
      right.push(...value.map(same));
    }
  }
  close();
  return [left, right];
}

/** What is common to both, removed and added, in order; all between the common start and end where that is too much. */
function changesOf(a: readonly string[], b: readonly string[]): ChangeObject<string[]>[] {
  const found = diffArrays([...a], [...b], { maxEditLength: maxEdits });
  if (found !== undefined) return found;
  const start = commonLength(a, b);
  const end = commonLength(a.slice(start).toReversed(), b.slice(start).toReversed());
  const change = (value: readonly string[], removed: boolean, added: boolean) => ({
    value: [...value],
    removed,
    added,
    count: value.length,
  });
  return [
    change(a.slice(0, start), false, false),
    change(a.slice(start, a.length - end), true, false),
    change(b.slice(start, b.length - end), false, true),
    change(a.slice(a.length - end), false, false),
  ];
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
