import { isObject } from '../json.ts';
import { type Exchange, type Headers, headerOf } from './exchange.ts';

/** What came back for one request. The body stays bytes until somebody parses it. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly exchange: Exchange;
  #json: { readonly value: unknown } | undefined;

  constructor(exchange: Exchange, status: number, headers: Headers, bytes: Uint8Array) {
    this.exchange = exchange;
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  /** Any 2xx: the document does not show the success statuses of the JSON operations. */
  get succeeded(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** Method and path, for people: `PUT /tasks/{id}/update-assignment`. */
  get request(): string {
    const { method, url } = this.exchange.request;
    const { pathname } = new URL(url);
    const [path = pathname] = /\/(?:tasks|assessments|audit-sentinel)\/.*$/.exec(pathname) ?? [];
    return `${method} ${path.replace(/^\/(tasks|assessments)\/[^/]+/, '/$1/{id}')}`;
  }

  /** The value of a header, as `headerOf` has it. */
  header(name: string): string | undefined {
    return headerOf(this, name);
  }

  /** The body as UTF-8 text; bytes that are not UTF-8 become U+FFFD. */
  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /** The parsed body, or undefined where it is not JSON in UTF-8, or nested too deeply. */
  get json(): unknown {
    this.#json ??= { value: parse(this.bytes) };
    return this.#json.value;
  }

  /** The body as a JSON object, or undefined where it is something else. */
  get object(): Readonly<Record<string, unknown>> | undefined {
    return isObject(this.json) ? this.json : undefined;
  }
}

/** JSON that is nested deeper would exhaust the stack; nothing of the document comes near it. */
const maxDepth = 1000;

/** Whether more brackets are open at once. Counts those in strings too: a string of so many is no task. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length > 2 * maxDepth && isTooDeep(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
