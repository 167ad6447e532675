/** The parts that the schemas of this folder are put together from; `FromSchema` reads types from what they make. */

export const text = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 0 } as const;

/** A schema with words for people. */
export const described = <const Schema extends object>(schema: Schema, description: string) => ({
  ...schema,
  description,
});

export const listOf = <const Items extends object>(items: Items, description?: string) =>
  ({ type: 'array', ...(description !== undefined && { description }), items }) as {
    readonly type: 'array';
    readonly items: Items;
  };

type Properties = Readonly<Record<string, object | true>>;

const namesOf = <P extends Properties>(properties: P) =>
  // Object.keys forgets that it lists exactly these.
  Object.keys(properties) as Extract<keyof P, string>[];

/** An object with these properties and no others, all of them required but the optional ones. */
export function object<const P extends Properties, const Optional extends keyof P = never>(
  properties: P,
  optional: readonly Optional[] = [],
  description?: string,
) {
  const left: readonly PropertyKey[] = optional;
  const required = namesOf(properties).filter((name) => !left.includes(name));
  return {
    type: 'object',
    additionalProperties: false,
    // The cast says what the filter has left.
    required: required as Exclude<Extract<keyof P, string>, Optional>[],
    ...(description !== undefined && { description }),
    properties,
  } as const;
}

/** What a schema is called, with the address that others refer to it by. */
export const named = <const Name extends string>(
  name: Name,
  title: string,
  description?: string,
) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `https://task-audit-contract.example/schemas/${name}` as const,
  title,
  ...(description !== undefined && { description }),
});

/** A field of a resource of the document. */
export const field = <const Form extends object>(
  title: string,
  description: string,
  form: Form,
) => ({ title, description, ...form });

/** A resource of the document: with all of these fields, and perhaps more. */
export function resource<const Fields extends Properties>(
  name: string,
  title: string,
  description: string,
  properties: Fields,
) {
  const required = namesOf(properties);
  return { ...named(name, title, description), type: 'object', required, properties } as const;
}
