import { judgedClauses } from '../../schemas/clauses.ts';

/**
 * The clauses that a task seems to break when it changes between the steps of any story: by being read, or by
 * another task being written. Which ones they are depends on the stories that are under way.
 */
export const unsettledTask = judgedClauses.filter((id) =>
  /^(assign|reassign|unassign|update|comment|conflict|endpoints|get-task|service|auth\.refusal|task\.(updated-at|assignment))/.test(
    id,
  ),
);
