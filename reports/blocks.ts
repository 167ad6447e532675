import type { Results } from '../schemas/results.ts';
import { numeral } from './printable.ts';
import type { ToldFinding } from './run-report.ts';
import type { ToldVerdict } from './verdicts.ts';
import { present } from './wording.ts';

/*
 * A report as data, for any format. `terminal.ts`, `blocks-markdown.ts` and `html/blocks.ts` render it, each
 * with its own limits of how much is shown, and each makes harmless what a target sent, whichever span it stands in.
 */

/** A piece of a line. `value`: what a target sent, or (`isProse`) a sentence of ours that may hold such a value. */
export type Span =
  | string
  /** @property counted whether a terminal, which has little room, says only how many they are */
  | { readonly clauses: readonly string[]; readonly counted?: boolean }
  | { readonly verdict: ToldVerdict }
  | { readonly value: string; readonly isProse?: boolean }
  | { readonly link: string };

export type Line = readonly Span[];

/** A row of a table: the lines of each cell; the first cell says what the row is about. */
export type Row = readonly (readonly Line[])[];

export type Block =
  | { readonly kind: 'list'; readonly items: readonly (readonly Line[])[] }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly items: readonly Code[] }
  | { readonly kind: 'findings'; readonly items: readonly ToldFinding[] };

/** Text that is shown as it stands: a command to paste, the stack of an error. */
export interface Code {
  readonly caption: Line;
  readonly text: string;
  readonly isCommand: boolean;
}

/** Where a report is read. */
export type Place = 'terminal' | 'markdown' | 'page' | 'annotations';

/** A part of a report: a heading, how many things stand under it, and these things. */
export interface Section {
  readonly title: string;
  /** Undefined where there is nothing to count. */
  readonly count?: number;
  /** What is said before the block, or all that is said. */
  readonly intro?: Line;
  readonly block?: Block;
  readonly tone?: Tone;
  /** Whether the section is there for completeness only: a terminal leaves it out, other formats fold it. */
  readonly isAppendix?: boolean;
  /** Whether it stands last on a terminal, just before the result, where the eye is: somebody has to act on it, say. */
  readonly isLast?: boolean;
  /** Where the section is shown; undefined: everywhere. */
  readonly on?: readonly Place[];
  /** How a pipeline marks each finding, item or row of the section, or the section itself; undefined: not at all. */
  readonly annotated?: 'error' | 'warning' | 'notice';
}

/** What the colour of a title says: good news, bad news, undecided, or a failure of the suite itself. */
export type Tone = 'good' | 'bad' | 'undecided' | 'failure';

export interface Report {
  /** What kind of report it is: "Fidelity of a mock"; `title` and `sentence` are its result. */
  readonly kind: string;
  readonly title: string;
  /** What the result is about, where that is no target of the user: “, of the embedded reference service”. */
  readonly of?: string;
  readonly tone?: Tone;
  readonly sentence?: string;
  /** What the report is about, as named lines: `Target`, `Run`, `Requests`. */
  readonly facts: readonly (readonly [name: string, line: Line])[];
  readonly sections: readonly Section[];
  /** Whether a terminal ends with the result, on one line: it is what scripts and eyes look for. */
  readonly endsWithResult?: boolean;
}

/** The target of a run: its address, or that it was the embedded reference service. */
export function targetLine({ kind, baseUrl }: Results['target']): Line {
  const address = { value: baseUrl };
  return kind === 'embedded' ? ['the embedded reference service (', address, ')'] : [address];
}

/** The ids of clauses, as a line holds them. @param counted whether a terminal says only how many they are */
export function idsOf(clauses: readonly { readonly id: string }[], counted = false): Span {
  return { clauses: clauses.map(({ id }) => id), counted };
}

/** A section that lists items, and counts them where `rest` does not say what else it counts. */
export function listSection(
  title: string,
  items: readonly (readonly Line[])[],
  rest: Partial<Section> = {},
): Section {
  return { title, count: items.length, block: { kind: 'list', items }, ...rest };
}

/** What is said behind the headline of a finding: “ (intermittent; new)”; empty where there is nothing. */
export function notesOf({ isIntermittent, since }: ToldFinding): string {
  const notes = present(isIntermittent && 'intermittent', since);
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

/** The sections without those that count nothing. */
export function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ count }) => count === undefined || count > 0);
}

/** The sections that are shown at a place. */
export function sectionsOn(place: Place, { sections }: Report): readonly Section[] {
  return sections.filter(({ on }) => on?.includes(place) ?? true);
}

/** "Findings (3)" */
export function titleOf({ title, count }: Section): string {
  return count === undefined ? title : `${title} (${numeral(count)})`;
}
