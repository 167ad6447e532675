import { isObject } from '../json.ts';
import { anyOfTexts } from '../texts.ts';
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
  /** The least that a secret may leave of itself where a text was cut. */
  readonly #beginnings = new Set<string>();
  #longest = 0;
  /** Finds every secret; made when a text is first looked at after a secret was added. */
  #pattern: RegExp | undefined;

  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.keepSecret(secret);
  }

  /** From now on this text appears in no record, not even where the target echoes it. */
  keepSecret(text: string): void {
    if (text.length < minSecretLength || this.#secrets.has(text)) return;
    for (const form of formsOf(text)) {
      this.#secrets.add(form);
      this.#longest = Math.max(this.#longest, form.length);
      this.#beginnings.add(form.slice(0, minBeginningLength));
    }
    this.#pattern = undefined;
  }

  text(text: string): string {
    // Nearly no text holds any: that is found out much faster for one secret after the other.
    if (!this.#isAnySecret((secret) => text.includes(secret))) return text;
    // The longest at each place: a key with a character more must not leave its last character standing. As it only looks
    // ahead, it finds secrets that overlap, too: each of them goes as a whole.
    this.#pattern ??= new RegExp(`(?=(${anyOfTexts([...this.#secrets])}))`, 'g');
    let redacted = '';
    let end = 0;
    for (const { index, 1: secret = '' } of text.matchAll(this.#pattern)) {
      if (index >= end) redacted += text.slice(end, index) + mark;
      end = Math.max(end, index + secret.length);
    }
    return redacted + text.slice(end);
  }

  /** Text that was cut from a longer one: also takes out what is left of a secret where it was cut. */
  excerpt(text: string): string {
    const pieces = this.text(text).split('…');
    return pieces.map((piece) => this.#withoutBeginning(piece)).join('…');
  }

  /** A JSON value with every text in it as `excerpt` gives it, names of fields too. */
  json<Value>(value: Value): Value {
    const redacted = (part: unknown): unknown => {
      if (typeof part === 'string') return this.excerpt(part);
      if (Array.isArray(part)) return part.map(redacted);
      if (!isObject(part)) return part;
      const fields = Object.entries(part);
      return Object.fromEntries(
        fields.map(([name, field]) => [this.excerpt(name), redacted(field)]),
      );
    };
    // The cast: texts stay texts.
    return redacted(value) as Value;
  }

  /** Text without the beginning of a secret at its end. */
  #withoutBeginning(text: string): string {
    const first = Math.max(0, text.length - this.#longest);
    for (let start = first; text.length - start >= minBeginningLength; start += 1) {
      if (!this.#beginnings.has(text.slice(start, start + minBeginningLength))) continue;
      const rest = text.slice(start);
      if (this.#isAnySecret((secret) => secret.startsWith(rest)))
        return text.slice(0, start) + mark;
    }
    return text;
  }

  /** Copies none of them: this is asked of every text that is recorded. */
  #isAnySecret(is: (secret: string) => boolean): boolean {
    for (const secret of this.#secrets) if (is(secret)) return true;
    return false;
  }

  /** Headers of ours: of a key among other text, that text stays. */
  sentHeaders(headers: Headers): Headers {
    return headers.map(([name, value]) => {
      if (name.toLowerCase() === 'apikey') return [name, value && mark];
      const text = this.text(value);
      return [name, value && secretName.test(name) && text === value ? mark : text];
    });
  }

  /** Headers of an answer: where the name looks like a secret, the whole value goes; of others, the known secrets. */
  answeredHeaders(headers: Headers): Headers {
    return headers.map(([name, value]) => [
      name,
      secretName.test(name) && value !== '' ? mark : this.text(value),
    ]);
  }

  /**
   * A body, which may be cut or have broken off in the middle of a secret. Works on bytes as Latin-1, so that bytes that
   * are no text come through unchanged.
   */
  bytes(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1');
    const redacted = this.excerpt(text);
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

const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
};

/** A secret as it may come back: as it is, in an address, in JSON, in HTML, in Base64, in UTF-16 (as Latin-1 reads it). */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const percent = [...Buffer.from(secret)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replace(/[&<>"]/g, (character) => `&${htmlNames[character]};`);
  const inHtml = ['&#39;', '&#x27;', '&apos;'].map((quote) => html.replaceAll("'", quote));
  const base64 = Buffer.from(secret).toString('base64');
  const inBase64 = [base64, base64.replace(/=+$/, ''), Buffer.from(secret).toString('base64url')];
  const littleEndian = Buffer.from(secret, 'utf16le');
  return [
    secret,
    ...[encoded, encoded.replace(/%../g, (code) => code.toLowerCase())],
    ...[percent, percent.toUpperCase()],
    ...[json, json.replaceAll('/', '\\/')],
    ...[html, ...inHtml],
    ...inBase64,
    littleEndian.toString('latin1'),
    Buffer.from(littleEndian).swap16().toString('latin1'),
  ];
}
