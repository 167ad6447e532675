/**
 * How the document makes a statement.
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

/** A clause that is stated, and that no request can show; one that requests can show is a plain text. */
export const stated = (text: string, untestable: string) =>
  ({ level: 'stated', text, untestable }) as const;

export const implied = (text: string) => ({ level: 'implied', text }) as const;

/** A clause that the document leaves open, by what the document does not do: `say which headers responses have`. */
export const open = (omitted: string) =>
  ({ level: 'open', text: `The document does not ${omitted}.` }) as const;

type Entries = Readonly<Record<string, string | Omit<Clause, 'section'>>>;

type InSection<Section extends string, E extends Entries> = {
  readonly [Id in keyof E]: { readonly section: Section } & (E[Id] extends string
    ? { readonly level: 'stated'; readonly text: string }
    : E[Id]);
};

/**
 * Clauses under a heading of the document: adds the heading to each, and keeps ids and levels as literal types.
 * @param entries by id; a plain text is a stated clause
 */
export function section<const Section extends string, const E extends Entries>(
  heading: Section,
  entries: E,
): InSection<Section, E> {
  const withSection = Object.entries(entries).map(([id, entry]) => {
    const clause = typeof entry === 'string' ? { level: 'stated', text: entry } : entry;
    return [id, { section: heading, ...clause }];
  });
  // The cast restores the key and value types that Object.fromEntries forgets.
  return Object.fromEntries(withSection) as InSection<Section, E>;
}

/** The name of a field or parameter as it stands in ids of clauses: `created-at`, `entity-id`. */
export type Dashed<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}-${Dashed<Rest>}`
  : Name;

/** @param name of a field (`created_at`) or of a filter of the export (`entity_id`) */
export function dashed<const Name extends string>(name: Name): Dashed<Name> {
  // The type says what the replacement does.
  return name.replaceAll('_', '-') as Dashed<Name>;
}

type Named<Prefix extends string, Names extends string> = {
  readonly [Name in Names as `${Prefix}${Dashed<Name>}`]: string;
};

/** One stated clause for each field or parameter of a table. @param prefix of the ids: `task.` for `task.created-at` */
export function statedOfEach<const Prefix extends string, const Names extends string>(
  prefix: Prefix,
  names: readonly Names[],
  textOf: (name: Names) => string,
): Named<Prefix, Names> {
  const entries = names.map((name) => [prefix + dashed(name), textOf(name)]);
  // The cast restores the keys that Object.fromEntries forgets.
  return Object.fromEntries(entries) as Named<Prefix, Names>;
}
