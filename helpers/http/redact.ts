import type { Headers } from './exchange.ts';

const mark = '[redacted]';
const secretName = /api-?key|authorization|cookie|token|secret|password|signature/i;
/** A shorter text may appear in an answer by accident; redacting it would only garble the record. */
const minSecretLength = 4;

/** So much of a secret's beginning is not there by accident. */
const minBeginningLength = 6;

/** Takes secrets out of everything that is recorded. Every key that a request carries is a secret. */
export class Redactor {
  readonly #secrets = new Set<string>();

  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.keepSecret(secret);
  }

  /** From now on this text appears in no record, not even where the target echoes it. */
  keepSecret(text: string): void {
    if (text.length < minSecretLength) return;
    this.#secrets.add(text);
    this.#secrets.add(encodeURIComponent(text));
  }

  text(text: string): string {
    let redacted = text;
    // Longest first: a key with a character more must not leave its last character standing.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      redacted = redacted.replaceAll(secret, mark);
    }
    return redacted;
  }

  /** Text that was cut from a longer one: also takes out what is left of a secret where it was cut. */
  excerpt(text: string): string {
    const whole = this.text(text);
    return whole.replace(/[\x21-\x7e]+(?=…|$)/g, (end) => this.#withoutBeginning(end));
  }

  #withoutBeginning(end: string): string {
    for (let start = 0; end.length - start >= minBeginningLength; start += 1) {
      const rest = end.slice(start);
      if ([...this.#secrets].some((secret) => secret.startsWith(rest))) {
        return end.slice(0, start) + mark;
      }
    }
    return end;
  }

  headers(headers: Headers): Headers {
    return headers.map(([name, value]) => [
      name,
      secretName.test(name) && value !== '' ? mark : this.text(value),
    ]);
  }

  /** Works on bytes as Latin-1, so that bytes that are no text come through unchanged. */
  bytes(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1');
    const redacted = this.text(text);
    return redacted === text ? bytes : new Uint8Array(Buffer.from(redacted, 'latin1'));
  }

  /** A URL without its user information and without the values of parameters that look like secrets. */
  url(url: string): string {
    const parsed = new URL(url);
    parsed.username = '';
    parsed.password = '';
    // Rewriting through searchParams would change how the query was encoded; the record shows it as sent.
    const query = parsed.search.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, lead, name) =>
      secretName.test(name) ? `${lead}${name}=${mark}` : whole,
    );
    return this.text(parsed.origin + parsed.pathname + query);
  }
}
