import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { assessmentSchema, assignmentSchema, taskSchema } from '../schemas/resources.ts';
import { ajv } from './ajv.ts';
import { isObject, shortJson } from './json.ts';
import { withArticle } from './texts.ts';

/** One way in which a body differs from its schema. */
export interface SchemaProblem {
  /** The field, from the body's root: `assignment.assigned_to_type`. */
  readonly field: string;
  /** `missing`: required and not there. `type`: another kind of value. `form`: a string of the wrong form. */
  readonly kind: 'missing' | 'type' | 'form';
  readonly expected: string;
  /** What is there, as JSON. */
  readonly actual: string;
}

ajv.addSchema(assignmentSchema);
const validators = {
  task: ajv.compile(taskSchema),
  assessment: ajv.compile(assessmentSchema),
} satisfies Record<string, ValidateFunction>;

/** How a body differs from the schema of a task or an assessment; empty where it conforms. */
export function problemsOf(kind: keyof typeof validators, body: unknown): SchemaProblem[] {
  const validate = validators[kind];
  if (validate(body)) return [];
  const problems = (validate.errors ?? []).flatMap((error) => problemOf(error));
  // Each branch of an anyOf has an error of its own for the same field: the first is kept.
  const isFirst = ({ field, kind }: SchemaProblem, index: number): boolean =>
    problems.findIndex((other) => other.field === field && other.kind === kind) === index;
  return problems.filter(isFirst);
}

/** The problem that an error of Ajv stands for, in a list; empty where the error says nothing of its own. */
function problemOf(error: ErrorObject): SchemaProblem[] {
  const path = error.instancePath.split('/').slice(1);
  const actual = shortJson(error.data);
  const problem = (kind: SchemaProblem['kind'], expected: string): SchemaProblem[] => [
    { field: path.join('.'), kind, expected, actual },
  ];
  switch (error.keyword) {
    case 'required': {
      const field = [...path, String(error.params.missingProperty)].join('.');
      return [{ field, kind: 'missing', expected: 'the field', actual: 'no such field' }];
    }
    case 'type':
      // An assignment may be null or an object; the branch for null has nothing to say about an object.
      if (error.schemaPath.includes('/anyOf/0/') && isObject(error.data)) return [];
      return problem(
        'type',
        typeNames(error.schemaPath.includes('/anyOf/') ? ['object', 'null'] : error.params.type),
      );
    case 'enum':
      return problem('type', `one of ${(error.params.allowedValues as unknown[]).join(', ')}`);
    case 'pattern':
      return problem('form', 'a UUID-shaped string');
    case 'format':
      return problem('form', 'an ISO 8601 UTC datetime');
    default:
      return [];
  }
}

function typeNames(type: string | readonly string[]): string {
  const [first = '', ...others] = [type].flat();
  return [withArticle(first), ...others].join(' or ');
}
