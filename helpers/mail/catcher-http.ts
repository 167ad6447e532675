import type { MailboxSettings } from '../config/settings.ts';
import { BodyCollector } from '../http/body.ts';
import { meaningOf } from '../http/no-response.ts';
import type { Transport } from '../http/transport.ts';
import { withDeadline } from '../http/waiting.ts';
import { parseJson } from '../json-object.ts';
import { isObject } from '../validation.ts';
import { MailboxError } from './mailbox.ts';

/**
 * Asks a mail catcher for a path below its address; `json` is the parsed body, undefined where it is no JSON.
 * @throws MailboxError where it gives no answer
 */
export type AskCatcher = (
  path: string,
) => Promise<{ readonly status: number; readonly text: string; readonly json: unknown }>;

/** A list of emails with their bodies may be long; a longer one is given up. */
const maxReplyBytes = 64 * 1024 * 1024;

/** Asks without recording anything: a mailbox holds personal data. @param timeoutMs for each answer */
export function catcherAt(
  { url, user, password = '', token }: MailboxSettings,
  send: Transport,
  timeoutMs: number,
): AskCatcher {
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : user !== undefined && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const headers = { accept: 'application/json', ...(authorization && { authorization }) };
  return async (path) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const body = new BodyCollector(maxReplyBytes);
    let status = 0;
    try {
      const request = { method: 'GET', url: url + path, headers, route: 'direct', signal } as const;
      const reply = await withDeadline(send(request), timeoutMs);
      status = reply.status;
      await withDeadline(body.keep(body.take(reply.body, reply.headers)), timeoutMs);
    } catch (error) {
      throw new MailboxError(
        `The mailbox at ${url} cannot be read: ${meaningOf(body.failure ?? error, timeoutMs).why}. Is MAILBOX_URL right, and is it up?`,
      );
    }
    if (status === 401 || status === 403) {
      throw new MailboxError(
        `The mailbox at ${url} answers ${status}. Are MAILBOX_USER and MAILBOX_PASSWORD, or MAILBOX_TOKEN, right?`,
      );
    }
    const text = new TextDecoder().decode(body.bytes);
    return { status, text, json: parseJson(text) };
  };
}

/** The fields of a JSON object; none where it is something else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A list in JSON; an empty one where it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
