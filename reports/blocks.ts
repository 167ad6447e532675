import type { ToldVerdict } from './grouping.ts';

/*
 * A report as data: what it says, before it is known where it is read. `blocks-terminal.ts`, `blocks-markdown.ts` and
 * `html/blocks.ts` render it, and make harmless what a target sent, whichever span it stands in.
 */

/** A piece of a line: words, the id of a clause, ids of clauses, a verdict, or a value of a target. */
export type Span =
  | string
  | { readonly clause: string }
  | { readonly clauses: readonly string[] }
  | { readonly verdict: ToldVerdict }
  | { readonly value: string };

export type Line = readonly Span[];

/** A row of a table: the lines of each cell; the first cell says what the row is about. */
export type Row = readonly (readonly Line[])[];

/** A heading, how many things stand under it, and these. */
export interface Section {
  readonly title: string;
  readonly count: number;
  readonly block:
    | { readonly kind: 'paragraph'; readonly line: Line }
    | { readonly kind: 'list'; readonly items: readonly (readonly Line[])[] }
    | {
        readonly kind: 'table';
        readonly columns: readonly string[];
        readonly rows: readonly Row[];
      };
  readonly tone?: Tone;
  /** Whether it is there for completeness only: left out on a terminal, folded in Markdown. */
  readonly isAppendix?: boolean;
}

/** Whether it is good news, bad news, undecided, or a failure of our own. */
export type Tone = 'good' | 'bad' | 'undecided' | 'failure';

export interface Report {
  /** What kind of report it is: "Fidelity of a mock". */
  readonly kind: string;
  /** Its result, in a few words. */
  readonly title: string;
  readonly tone?: Tone;
  /** The same in a sentence or two. */
  readonly sentence?: string;
  /** What it is about, by name. */
  readonly facts: readonly (readonly [name: string, line: Line])[];
  readonly sections: readonly Section[];
}

/** The sections that have something to tell. */
export function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ count }) => count > 0);
}
