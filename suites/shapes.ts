import type { Answer } from '../helpers/http/answer.ts';
import type { Seen } from '../runner/scenario.ts';

const deepest = 4;
const mostFields = 60;

/** The structure of a JSON value, without its values: `{code: string, errors: [{message: string}]}`. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === deepest) return '…';
  if (Array.isArray(value)) {
    const shapes = new Set(value.slice(0, 20).map((item) => shapeOf(item, depth + 1)));
    return `[${[...shapes].sort().join(' | ')}]`;
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${nameOf(name)}: ${shapeOf(field, depth + 1)}`,
  );
  const distinct = [...new Set(fields)].sort();
  const rest = distinct.length > mostFields ? ['…'] : [];
  return `{${[...distinct.slice(0, mostFields), ...rest].join(', ')}}`;
}

const longestName = 60;

/**
 * A name as it may stand in an observation. What looks like data (an id, an address, a number of some length, a
 * sentence) is replaced: fields, headings and types are named by a target, and may be made of what it stores.
 */
export function nameOf(text: string): string {
  const isData = /@|\d{4}|[0-9a-f]{8}-[0-9a-f]{4}/i.test(text) || text.length > longestName;
  return isData ? '…' : text;
}

/** What the bodies of refusals are made of, media type and structure: what was refused, in words, and how. */
export function errorShapes(what: string, answers: readonly Answer[]): Seen[] {
  return answers
    .filter(({ status }) => status >= 400)
    .map((answer) => `${what}: ${errorShape(answer)}`);
}

function errorShape(answer: Answer): string {
  if (answer.bytes.length === 0) return 'no body';
  const type = mediaType(answer) ?? 'no content type';
  return `${type}: ${answer.json === undefined ? 'no JSON' : shapeOf(answer.json)}`;
}

/** The media type that an answer names, without its parameters, in lower case. */
function mediaType(answer: Answer): string | undefined {
  return answer.header('content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** Headers that belong to the connection, or that have observations of their own. */
const unseen = new Set([
  ...['connection', 'date', 'keep-alive', 'transfer-encoding', 'upgrade', 'via', 'alt-svc'],
  ...['content-type', 'content-disposition'],
]);

/** The names of the headers of answers: `task: etag`. */
export function headerNames(what: string, answers: readonly Answer[]): Seen[] {
  const names = answers.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()));
  const telling = names.filter((name) => !unseen.has(name)).map(nameOf);
  return telling.length === 0 ? [`${what}: none`] : telling.map((name) => `${what}: ${name}`);
}
