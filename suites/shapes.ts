import type { Answer } from '../helpers/http/answer.ts';
import type { Observation } from '../runner/scenario.ts';

const deepest = 4;

/** The structure of a JSON value, without its values: `{code: string, errors: [{message: string}]}`. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === deepest) return '…';
  if (Array.isArray(value)) {
    const shapes = new Set(value.slice(0, 20).map((item) => shapeOf(item, depth + 1)));
    return `[${[...shapes].sort().join(' | ')}]`;
  }
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${name}: ${shapeOf(field, depth + 1)}`);
  return `{${fields.join(', ')}}`;
}

/** What the body of an error is made of: status, media type and structure, no values. */
export function errorShape(answer: Answer): Observation {
  const type =
    answer.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'no content type';
  if (answer.bytes.length === 0) return `${answer.status}: no body`;
  const shape = answer.json === undefined ? 'no JSON' : shapeOf(answer.json);
  return `${answer.status}: ${type}: ${shape}`;
}

/** Observations of several answers as one sorted list without repetitions. */
export function together(observations: readonly Observation[]): Observation {
  const distinct = new Map(observations.map((one) => [JSON.stringify(one), one]));
  return [...distinct.keys()].sort().map((key) => distinct.get(key) ?? null);
}
