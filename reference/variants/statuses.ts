import type { OpenClause } from '../../schemas/clauses.ts';
import type { Operation } from '../../schemas/operations.ts';
import { answerRules } from '../rules/answer.ts';
import type { Variant } from './variant.ts';

const succeedingWith = (
  id: string,
  opens: OpenClause,
  statuses: Partial<Record<Operation, number>>,
  follows: Variant['follows'] = [],
): Variant => ({
  id,
  opens,
  follows,
  rules: {
    successStatus: (operation) => statuses[operation] ?? answerRules.successStatus(operation),
  },
});

/** Statuses of success, and of refusals that the document does not name (Endpoints, Errors). */
export const statusVariants: readonly Variant[] = [
  succeedingWith('writes-succeed-with-201', 'update.success-status', { 'update-assignment': 201 }),
  succeedingWith('writes-succeed-with-202', 'update.success-status', { 'update-assignment': 202 }),
  succeedingWith('tasks-are-read-with-203', 'get-task.success-status', { 'get-task': 203 }),
  succeedingWith('assessments-are-read-with-203', 'get-assessment.success-status', {
    'get-assessment': 203,
  }),
  succeedingWith(
    'every-operation-succeeds-with-another-status',
    'update.success-status',
    { 'update-assignment': 202, 'get-task': 203, 'get-assessment': 201 },
    ['get-task.success-status', 'get-assessment.success-status'],
  ),
  {
    id: 'unknown-paths-and-methods-are-400',
    opens: 'errors.further-statuses',
    rules: {
      refusalStatus: (cause) =>
        cause === 'unknown-path' || cause === 'other-method'
          ? 400
          : answerRules.refusalStatus(cause),
    },
  },
  {
    id: 'every-tenth-request-is-asked-to-wait',
    opens: 'limits.rate',
    wire: (handle) => {
      let count = 0;
      return async (request) => {
        count += 1;
        return count % 10 === 0
          ? { status: 429, headers: { 'retry-after': '0' }, body: '' }
          : handle(request);
      };
    },
  },
];
