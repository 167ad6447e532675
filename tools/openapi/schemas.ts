import { assessmentSchema } from '../../schemas/assessment.ts';
import { assignmentSchema } from '../../schemas/assignment.ts';
import { identifierPattern } from '../../schemas/identifier.ts';
import { taskSchema } from '../../schemas/task.ts';
import { timestampPattern } from '../../schemas/timestamp.ts';
import { updateAssignmentSchema } from '../../schemas/update-assignment.ts';
import { assessmentExample, assignmentExample, taskExample, updateExample } from './examples.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Names of schemas in the description, by the name that our own refer to each other with. */
const componentOf: Readonly<Record<string, string>> = { assignment: 'Assignment' };

/** The resources of the document, as components of an OpenAPI description. */
export const componentSchemas = {
  Task: described(taskSchema, taskExample),
  Assignment: described(assignmentSchema, assignmentExample),
  Assessment: described(assessmentSchema, assessmentExample),
  UpdateAssignment: described(updateAssignmentSchema, updateExample),
};

/** A schema without its own address, with an example, and in words that every reader of OpenAPI knows. */
function described(
  { $schema: _dialect, $id: _address, ...schema }: { $schema: string; $id: string },
  example: Json,
): Json {
  // A schema is JSON, as it is written.
  return { ...(known(schema as Json) as object), examples: [example] };
}

/** `iso-utc` is a format of ours, and references are those of components. */
function known(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  // Array.isArray does not tell a read-only array from an object.
  if (Array.isArray(value)) return (value as readonly Json[]).map(known);
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    if (key === 'format' && inner === 'iso-utc') {
      return [
        ['format', 'date-time'],
        ['pattern', timestampPattern],
      ];
    }
    // Generated mocks make an id of the format, and not of a pattern.
    if (key === 'pattern' && inner === identifierPattern) {
      return [
        ['format', 'uuid'],
        ['pattern', identifierPattern],
      ];
    }
    const component = key === '$ref' ? componentOf[String(inner)] : undefined;
    if (component !== undefined) return [[key, `#/components/schemas/${component}`]];
    return [[key, known(inner)]];
  });
  return Object.fromEntries(entries);
}
