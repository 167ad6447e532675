import type { Operation } from '../../schemas/operations.ts';
import type { JsonObject } from '../records.ts';
import { type Refusal, type RefusalCause, refusals } from '../request.ts';

/** The body of an answer, and the media type it names; no media type where there is no body. */
export interface AnswerBody {
  readonly contentType: string | undefined;
  readonly text: string;
}

/** What answers look like (Endpoints, Errors). */
export interface AnswerRules {
  /** An export succeeds with 200; the document does not say with which 2xx the JSON operations do. */
  successStatus(operation: Operation): number;
  /** The statuses of the table of errors; the document does not say those of other refusals. */
  refusalStatus(cause: RefusalCause): number;
  /** The document does not say what the body of an error looks like. */
  errorBody(refusal: Refusal): AnswerBody;
  /** Response bodies are JSON, and say so. */
  jsonBody(value: JsonObject, operation: Operation): AnswerBody;
  /** The document does not say which headers answers carry. */
  answerHeaders(status: number): Readonly<Record<string, string>>;
  /** Timestamps are ISO 8601 UTC datetime strings: how an instant in milliseconds is written. */
  timestamp(at: number): string;
  /** Identifiers are UUID-shaped strings: how the ids of seeded records are written, given in lower case. */
  identifier(uuid: string): string;
  /** The document does not say whether resources carry fields that its tables do not list. */
  furtherFields(resource: 'task' | 'assessment' | 'assignment'): JsonObject;
}

export const answerRules: AnswerRules = {
  successStatus: () => 200,
  refusalStatus: (cause) => refusals[cause].status,
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
