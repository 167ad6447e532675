import { type Results, resultsSchema } from '../schemas/results.ts';
import { jsonText } from './printable.ts';

/**
 * The content of results.json. Keys stand in the order of the schema whatever order they came in, so that two runs
 * compare with `diff`. Ends with a line feed.
 */
export function renderJson(results: Results): string {
  return jsonText(inOrder(results, resultsSchema));
}

/** What says in which order the keys of a value stand. */
interface KeyOrder {
  readonly properties?: { readonly [key: string]: KeyOrder };
  readonly items?: KeyOrder;
  readonly anyOf?: readonly KeyOrder[];
  /** All else that a schema says. */
  readonly [keyword: string]: unknown;
}

/** A JSON value with its keys in the order of a schema; those that it does not name follow in their own. */
function inOrder(value: unknown, schema: KeyOrder): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, schema.items ?? {}));
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.assign({}, ...[schema, ...(schema.anyOf ?? [])].map(propertiesOf));
  const fields = new Map(Object.entries(value));
  const names = [
    ...Object.keys(known).filter((name) => fields.has(name)),
    ...[...fields.keys()].sort(),
  ];
  return Object.fromEntries(
    names.map((name) => [name, inOrder(fields.get(name), known[name] ?? {})]),
  );
}

function propertiesOf({ properties = {} }: KeyOrder): Readonly<Record<string, KeyOrder>> {
  return properties;
}
