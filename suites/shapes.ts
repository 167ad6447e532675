import type { Answer } from '../helpers/http/answer.ts';
import {
  canonical,
  factSet,
  type Observation,
  type RefusalCause,
  type Shape,
} from '../schemas/observations.ts';

/*
 * What an answer looks like (structure, headers, further fields), as facts of open clauses: without any value that
 * could be data of the target.
 */

const maxDepth = 4;
const maxFields = 60;
const maxItems = 20;
const leftOut = '…';

/** The structure of a JSON value, without its values: `{ id: "string" }`; of a list, the shapes of items, each once. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === maxDepth) return leftOut;
  if (Array.isArray(value)) {
    return factSet(value.slice(0, maxItems).map((item) => shapeOf(item, depth + 1)));
  }
  const fields = new Map<string, Shape>();
  for (const [name, field] of Object.entries(value)) {
    const shownName = publicName(name);
    const shape = shapeOf(field, depth + 1);
    const earlier = fields.get(shownName);
    // All names that look like data become “…”; where their values differ in shape, so does the shape.
    const isAlike = earlier === undefined || canonical(earlier) === canonical(shape);
    fields.set(shownName, isAlike ? shape : leftOut);
  }
  const byName = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const rest = byName.length > maxFields ? [[leftOut, leftOut] as const] : [];
  return Object.fromEntries([...byName.slice(0, maxFields), ...rest]);
}

const maxNameLength = 60;

/**
 * A name of a field, heading or type as it may stand in an observation: “…” where it looks like data (an id, an email
 * address, a long number, a sentence), as a target may make names of what it stores.
 */
export function publicName(text: string): string {
  const isData = /@|\d{4}|[0-9a-f]{8}-[0-9a-f]{4}/i.test(text) || text.length > maxNameLength;
  return isData ? leftOut : text;
}

/** A fact on the body of a refusal, media type and structure; none of an answer other than 4xx: that refuses nothing. */
export function errorShapes(
  when: RefusalCause,
  answer: Answer,
): Observation<'errors.body-shape'>[] {
  const { status, bytes, json } = answer;
  if (status < 400 || status >= 500) return [];
  if (bytes.length === 0) return [{ when, body: 'none', mediaType: null }];
  const mediaType = answer.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;
  if (json === undefined) return [{ when, body: 'not JSON', mediaType }];
  return [{ when, body: 'JSON', mediaType, shape: shapeOf(json) }];
}

/** Headers that belong to the connection, or that have observations of their own. */
const notObserved = new Set([
  ...['connection', 'date', 'keep-alive', 'transfer-encoding', 'upgrade', 'via', 'alt-svc'],
  ...['content-type', 'content-disposition'],
]);

type AnswerHeader = Observation<'interface.answer-headers'>;

/** Facts: the names of headers of answers, but for `notObserved`; null in place of a name where there are none. */
export function headerNames(on: AnswerHeader['on'], answers: readonly Answer[]): AnswerHeader[] {
  const names = answers.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()));
  const shown = names.filter((name) => !notObserved.has(name));
  if (shown.length === 0) return [{ on, header: null }];
  return shown.map((name) => ({ on, header: publicName(name) }));
}

type FurtherField = Observation<'fields.further-fields'>;

/** Facts: the fields of an object that its table does not list; null in place of a field where there are none. */
export function furtherFields(
  on: FurtherField['on'],
  value: unknown,
  listed: readonly string[],
): FurtherField[] {
  if (typeof value !== 'object' || value === null) return [];
  const further = Object.entries(value).filter(([name]) => !listed.includes(name));
  if (further.length === 0) return [{ on, field: null }];
  return further.map(([name, field]) => ({ on, field: publicName(name), shape: shapeOf(field) }));
}
