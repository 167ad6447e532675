export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with `update` or `unassign` in a body, as a sentence; undefined where it is right, or left out. */
function objectProblem(
  body: Readonly<Record<string, unknown>>,
  name: 'update' | 'unassign',
  required: readonly string[],
): string | undefined {
  const object = body[name];
  if (object === undefined) return undefined;
  if (!isObject(object)) return `\`${name}\` is not an object.`;
  const field = required.find((key) => typeof object[key] !== 'string');
  if (field !== undefined) return `\`${name}.${field}\` is not a string.`;
  const comment = object.assignment_comment ?? null;
  if (comment !== null && typeof comment !== 'string') {
    return `\`${name}.assignment_comment\` is neither a string nor null.`;
  }
  const type = object.assigned_to_type;
  if (name === 'update' && type !== 'USER' && type !== 'TEAM') {
    return '`update.assigned_to_type` is neither USER nor TEAM.';
  }
  return undefined;
}

/** The body of a write (1. Update a task assignment). */
export const bodyRules = {
  /** Content-Type is application/json; the document does not say what another one gets. A status refuses the write. */
  mediaTypeProblem: (contentType: string | undefined): 'none' | number =>
    /^application\/json\s*(;|$)/i.test(contentType ?? '') ? 'none' : 415,
  /** The body is JSON: its value, or undefined where it is not. */
  readBody(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  },
  /**
   * Required fields, and the types and values of the table: what is wrong with the body, for the person who sent it. The
   * document does not say how long a comment may be, nor whether it may be empty.
   */
  bodyProblem(body: unknown): string | undefined {
    if (!isObject(body)) return 'The body is not a JSON object.';
    return (
      objectProblem(body, 'update', ['assigned_by_id', 'assigned_to_id', 'assigned_to_type']) ??
      objectProblem(body, 'unassign', ['assigned_by_id'])
    );
  },
  /** The document does not say which status an invalid body gets. The body is the parsed one, or undefined. */
  invalidBodyStatus: (_body: unknown): number => 400,
  /** The document does not say what a body with both objects does. A status refuses the write. */
  bodyWithBoth: (): 'update' | 'unassign' | number => 400,
  /** The document does not say what a body with neither object does. A status refuses the write. */
  bodyWithNeither: (): 'leave' | number => 400,
  /** The document does not say whether the version or the body is checked first. */
  isCheckedFirst: (): 'body' | 'version' => 'body',
};
