import type { Operation } from '../../schemas/operations.ts';
import type { JsonObject } from '../records.ts';
import type { Refusal, RefusalCause } from '../request.ts';

/** The body of an answer, and the media type it names; no media type where there is no body. */
export interface AnswerBody {
  readonly contentType: string | undefined;
  readonly text: string;
}

/** What answers look like (Endpoints, Errors). */
export interface AnswerRules {
  /** Success statuses of the JSON operations are not shown: any 2xx. */
  successStatus(operation: Operation): number;
  /** The statuses of the table of errors; those of other refusals are not shown. */
  refusalStatus(cause: RefusalCause): number;
  /** The shape of the body of an error is not shown. */
  errorBody(refusal: Refusal): AnswerBody;
  /** Response bodies are JSON, and say so. */
  jsonBody(value: JsonObject, operation: Operation): AnswerBody;
  /** Which headers answers carry is not said. */
  answerHeaders(status: number): Readonly<Record<string, string>>;
  /** Timestamps are ISO 8601 UTC datetime strings: how an instant in milliseconds is written. */
  timestamp(at: number): string;
  /** Identifiers are UUID-shaped strings: how the ids of seeded records are written, given in lower case. */
  identifier(uuid: string): string;
  /** Whether resources carry fields that the tables do not list is not said. */
  furtherFields(resource: 'task' | 'assessment' | 'assignment'): JsonObject;
}

const documentedStatuses: Readonly<Record<RefusalCause, number>> = {
  unauthorized: 401,
  'unknown-task': 404,
  'unknown-assessment': 404,
  'version-mismatch': 409,
  'missing-version': 428,
  'invalid-body': 400,
  'invalid-export': 400,
  'other-media-type': 415,
  'unknown-path': 404,
  'other-method': 405,
};

export const answerRules: AnswerRules = {
  successStatus: () => 200,
  refusalStatus: (cause) => documentedStatuses[cause],
  errorBody: ({ title, detail }) => ({
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify({ error: title, message: detail }),
  }),
  jsonBody: (value) => ({
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify(value),
  }),
  answerHeaders: () => ({ 'cache-control': 'no-store' }),
  timestamp: (at) => new Date(at).toISOString(),
  identifier: (uuid) => uuid,
  furtherFields: () => ({}),
};
