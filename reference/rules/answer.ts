import type { Operation } from '../../schemas/operations.ts';
import type { JsonObject } from '../records.ts';
import { type Refusal, type RefusalCause, refusals } from '../request.ts';

/** The body of an answer, and the media type it names; no media type where there is no body. */
export interface AnswerBody {
  readonly contentType: string | undefined;
  readonly text: string;
}

const json = (value: object): AnswerBody => ({
  contentType: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

/** What answers look like (Endpoints, Errors). */
export const answerRules = {
  /** An export succeeds with 200; the document does not say with which 2xx the JSON operations do. */
  successStatus: (_operation: Operation): number => 200,
  /** The statuses of the table of errors; the document does not say those of other refusals. */
  refusalStatus: (cause: RefusalCause): number => refusals[cause].status,
  /** The document does not say what the body of an error looks like. */
  errorBody: ({ title, detail }: Refusal): AnswerBody => json({ error: title, message: detail }),
  /** Response bodies are JSON, and say so. */
  jsonBody: (value: JsonObject, _operation: Operation): AnswerBody => json(value),
  /** The document does not say which headers answers carry. */
  answerHeaders: (_status: number): Readonly<Record<string, string>> => ({
    'cache-control': 'no-store',
  }),
  /** Timestamps are ISO 8601 UTC datetime strings: how an instant in milliseconds is written. */
  timestamp: (at: number): string => new Date(at).toISOString(),
  /** Identifiers are UUID-shaped strings: how the ids of seeded records are written, given in lower case. */
  identifier: (uuid: string): string => uuid,
  /** The document does not say whether resources carry fields that its tables do not list. */
  furtherFields: (_resource: 'task' | 'assessment' | 'assignment'): JsonObject => ({}),
};
