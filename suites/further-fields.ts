import type { Seen } from '../runner/scenario.ts';
import { nameOf, shapeOf } from './shapes.ts';

/**
 * The fields of an object that its table does not list: `task.labels: [string]`.
 * @param what the object, as the document calls it
 */
export function furtherFields(what: string, value: unknown, listed: readonly string[]): Seen[] {
  if (typeof value !== 'object' || value === null) return [];
  const further = Object.entries(value).filter(([name]) => !listed.includes(name));
  if (further.length === 0) return [`${what}: none`];
  return further.map(([name, field]) => `${what}.${nameOf(name)}: ${shapeOf(field)}`);
}
