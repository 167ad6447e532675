/** What is said of each service, by its name. */
type Said = ReadonlyMap<string, ReadonlySet<string>>;

export interface Comparison {
  /** The services of which something else is said, with the lines that are gone and the new ones. */
  readonly differing: readonly { readonly name: string; readonly lines: readonly string[] }[];
  /** How many services both files hold, and how many only one of them. */
  readonly compared: number;
  readonly alone: number;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Compares what two files of the oracle say of the services that both hold.
 * @param ofClauses whether it counts which clauses are violated and not by which scenarios, as where those are replaced
 */
export function compareOracles(before: string, after: string, ofClauses = false): Comparison {
  const [was, is] = [saidIn(before, ofClauses), saidIn(after, ofClauses)];
  const both = [...was.keys()].filter((name) => is.has(name));
  const differing = both.flatMap((name) => {
    const [old, now] = [was.get(name) ?? nothing, is.get(name) ?? nothing];
    const lines = [
      ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
      ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
    ];
    return lines.length === 0 ? [] : [{ name, lines }];
  });
  return { differing, compared: both.length, alone: was.size + is.size - 2 * both.length };
}

/** Between the service and what is said of it; after this in a line, the scenario that says it. */
export const separator = ' | ';
export const by = ', by: ';

function saidIn(text: string, ofClauses: boolean): Said {
  const said = new Map<string, Set<string>>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [name = '', ...rest] = line.split(separator);
    const what = rest.join(separator);
    const kept = ofClauses ? what.split(by)[0] : what;
    said.set(name, (said.get(name) ?? new Set()).add(kept ?? ''));
  }
  return said;
}
