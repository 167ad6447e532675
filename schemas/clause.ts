/**
 * What a clause of the catalogue is.
 *
 * - `stated`: the document says it flatly.
 * - `implied`: the natural reading of what the document says.
 * - `open`: the document says "not shown", or is silent. Never judged, only observed.
 */
export type Level = 'stated' | 'implied' | 'open';

/** One statement of the document. Its id is the key under which the catalogue holds it, and is permanent. */
export interface Clause {
  /** The heading of the document under which the statement stands. */
  readonly section: string;
  readonly level: Level;
  /** The statement in our own words. */
  readonly text: string;
  /** Why no request of ours can show it. A clause with a reason here is neither judged nor observed. */
  readonly untestable?: string;
}

type Entries = Readonly<Record<string, Omit<Clause, 'section'>>>;

type InSection<Section extends string, E extends Entries> = {
  readonly [Id in keyof E]: E[Id] & { readonly section: Section };
};

/** Puts clauses under a heading of the document, keeping ids and levels as literal types. */
export function section<const Section extends string, const E extends Entries>(
  heading: Section,
  entries: E,
): InSection<Section, E> {
  const withSection = Object.entries(entries).map(([id, clause]) => [
    id,
    { section: heading, ...clause },
  ]);
  // The cast restores the key and value types that Object.fromEntries forgets.
  return Object.fromEntries(withSection) as InSection<Section, E>;
}
