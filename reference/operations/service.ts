import type { Operation } from '../../schemas/operations.ts';
import type { AssessmentRecord, AuditEvent, JsonObject, TaskRecord } from '../records.ts';
import {
  type Refusal,
  type RefusalCause,
  refusals,
  type ServiceRequest,
  type ServiceResponse,
} from '../request.ts';
import type { AnswerBody } from '../rules/answer.ts';
import type { Directory, Email } from '../rules/notification.ts';
import type { ShownIn } from '../rules/retrieval.ts';
import type { Rules } from '../rules.ts';
import type { Storage } from '../store.ts';

/** What the operations of one instance share. */
export interface Service {
  readonly apiKey: string;
  readonly allowedAddresses: readonly string[];
  readonly store: Storage;
  /** The events from before this instance started, made when they are first asked for. */
  readonly pastEvents: () => readonly AuditEvent[];
  readonly rules: Rules;
  readonly directory: Directory;
  /** Sends an email, now. */
  readonly post: (email: Email) => void;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** The refusal of a request that has no access; undefined where it has (Authentication). */
export function refusedAccess(
  request: ServiceRequest,
  operation: Operation,
  { apiKey, allowedAddresses, rules }: Service,
): Refusal | undefined {
  const { headers, region, remoteAddress } = request;
  const refused = (detail: string) => refusal('unauthorized', detail, rules);
  if (!rules.keyIsValid(rules.presentedKey(headers), apiKey, operation)) {
    return refused('The header apikey is missing or holds no valid key.');
  }
  if (!rules.regionIsServed(region, operation)) {
    return refused('The key belongs to another region: use its base address.');
  }
  if (!rules.addressIsAllowed(remoteAddress, allowedAddresses, operation)) {
    return refused('Requests from this address are not allowed.');
  }
  return undefined;
}

/** A refusal; `status` where the rule that refuses decides it. */
export function refusal(
  cause: RefusalCause,
  detail: string,
  rules: Rules,
  status = rules.refusalStatus(cause),
): Refusal {
  return { cause, status, title: refusals[cause].title, detail };
}

/** The refusal of an id that matches no record (Errors: 404), or whose form is wrong. */
export function unknownId(
  cause: 'unknown-task' | 'unknown-assessment',
  id: string,
  rules: Rules,
): Refusal {
  const problem = rules.idProblem(id);
  const detail = `No ${cause === 'unknown-task' ? 'task' : 'assessment'} has this id.`;
  return problem === 'none'
    ? refusal(cause, detail, rules)
    : refusal(cause, 'The id is not UUID-shaped.', rules, problem);
}

/** The answer to a request that is not carried out. */
export function refuse(refused: Refusal, rules: Rules): ServiceResponse {
  return answer(refused.status, rules.errorBody(refused), rules);
}

/** The answer to a request that is carried out. */
export function succeed(operation: Operation, value: JsonObject, rules: Rules): ServiceResponse {
  return answer(rules.successStatus(operation), rules.jsonBody(value, operation), rules);
}

function answer(status: number, { contentType, text }: AnswerBody, rules: Rules): ServiceResponse {
  const headers = rules.answerHeaders(status);
  return {
    status,
    headers: contentType === undefined ? headers : { ...headers, 'content-type': contentType },
    body: text,
  };
}

/** The Task object of an answer. */
export function shownTask(task: TaskRecord, shownIn: ShownIn, rules: Rules): JsonObject {
  const assignment = task.assignment && {
    ...task.assignment,
    ...rules.furtherFields('assignment'),
  };
  return rules.presentTask(
    {
      ...task,
      assignment,
      created_at: rules.timestamp(task.created_at),
      updated_at: rules.timestamp(task.updated_at),
      locked_at: rules.timestamp(task.locked_at),
      ...rules.furtherFields('task'),
    },
    shownIn,
  );
}

/** The Assessment object of an answer. */
export function shownAssessment(assessment: AssessmentRecord, rules: Rules): JsonObject {
  return rules.presentAssessment({
    ...assessment,
    created_at: rules.timestamp(assessment.created_at),
    ...rules.furtherFields('assessment'),
  });
}
