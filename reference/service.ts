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
