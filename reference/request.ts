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

/** Why a request is refused. The first four are the document's own (Errors); the others lie in what it leaves open. */
export type RefusalCause =
  | 'unauthorized'
  | 'unknown-task'
  | 'unknown-assessment'
  | 'version-mismatch'
  | 'missing-version'
  | 'invalid-body'
  | 'invalid-export'
  | 'other-media-type'
  | 'unknown-path'
  | 'other-method';

/** A request that is not carried out: why, and what its answer says. */
export interface Refusal {
  readonly cause: RefusalCause;
  readonly status: number;
  /** The name of the status, as the document gives it where it gives one. */
  readonly title: string;
  /** What the caller can do about it. */
  readonly detail: string;
}

/** The names that the document gives to statuses (Errors), and HTTP's own for the others. */
export const refusalTitles: Readonly<Record<RefusalCause, string>> = {
  unauthorized: 'Unauthorized',
  'unknown-task': 'Task not found',
  'unknown-assessment': 'Not Found',
  'version-mismatch': 'Version mismatch',
  'missing-version': 'Precondition Required',
  'invalid-body': 'Bad Request',
  'invalid-export': 'Bad Request',
  'other-media-type': 'Unsupported Media Type',
  'unknown-path': 'Not Found',
  'other-method': 'Method Not Allowed',
};
