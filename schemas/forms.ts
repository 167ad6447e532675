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

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  ({ type: 'string', enum: values }) as const;

type Properties = Readonly<Record<string, object | true>>;

/** A property that may be missing. */
export const maybe = <const Schema extends object>(schema: Schema, description?: string) => ({
  // Types are read from the schema alone.
  optional: (description === undefined ? schema : described(schema, description)) as Schema,
});

/** An object with these properties and no others, all of them required but those that are `maybe`. */
export function object<const P extends Properties>(properties: P, description?: string) {
  const isOptional = (form: object | true): form is { optional: object } =>
    typeof form === 'object' && 'optional' in form;
  const all = Object.entries(properties);
  const required = all.flatMap(([name, form]) => (isOptional(form) ? [] : name));
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(
      all.map(([name, form]) => [name, isOptional(form) ? form.optional : form]),
    ),
    // Object.entries and Object.fromEntries forget the names.
  } as unknown as {
    readonly type: 'object';
    readonly additionalProperties: false;
    readonly required: RequiredIn<P>[];
    readonly properties: {
      readonly [Name in keyof P]: P[Name] extends { optional: infer Form } ? Form : P[Name];
    };
  };
}

type RequiredIn<P extends Properties> = {
  [Name in keyof P]: P[Name] extends { optional: object } ? never : Name;
}[keyof P];

/** The head of a schema: its title, and the address by which other schemas and files refer to it. */
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
  // Object.keys forgets that it lists exactly these.
  const required = Object.keys(properties) as Extract<keyof Fields, string>[];
  return { ...named(name, title, description), type: 'object', required, properties } as const;
}

/** The schema of a file of ours that names its schema: an object with these properties. */
export function file<const Name extends string, const P extends Properties>(
  head: ReturnType<typeof named<Name>>,
  properties: P,
) {
  return { ...head, ...object({ $schema: { const: head.$id }, ...properties }) };
}
