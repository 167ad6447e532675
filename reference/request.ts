/** A request as the reference service sees it, whether it came over a socket or from a test in process. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, percent-encoding kept: `/v5/tasks/…?…`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The address the request comes from, for the IP allow list. */
  readonly remoteAddress: string;
  /** Which regional address it was sent to. */
  readonly region: 'own' | 'other';
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, bytes, or pieces of a file that is made while it is sent. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Why a request is refused, each with the status and its name. Those of the first four are the document's own (Errors);
 * the others lie in what it leaves open, and their names are HTTP's.
 */
export const refusals = {
  unauthorized: { status: 401, title: 'Unauthorized' },
  'unknown-task': { status: 404, title: 'Task not found' },
  'unknown-assessment': { status: 404, title: 'Not Found' },
  'version-mismatch': { status: 409, title: 'Version mismatch' },
  'missing-version': { status: 428, title: 'Precondition Required' },
  'invalid-body': { status: 400, title: 'Bad Request' },
  'invalid-export': { status: 400, title: 'Bad Request' },
  'other-media-type': { status: 415, title: 'Unsupported Media Type' },
  'unknown-path': { status: 404, title: 'Not Found' },
  'other-method': { status: 405, title: 'Method Not Allowed' },
} as const;

export type RefusalCause = keyof typeof refusals;

/** A request that is not carried out: why, and what its answer says. */
export interface Refusal {
  readonly cause: RefusalCause;
  readonly status: number;
  /** The name of the status, as the document gives it where it gives one. */
  readonly title: string;
  /** What the caller can do about it. */
  readonly detail: string;
}
