import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { isOnThisMachine, withoutUserInfo } from '../helpers/config/addresses.ts';
import { misspeltVariables } from '../helpers/config/environment.ts';
import {
  contentOf,
  type Environment,
  namesTarget,
  readSettings,
} from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { ConfigurationError } from '../helpers/errors.ts';
import { type NetworkOptions, openNetwork } from '../helpers/http/network.ts';
import { gatewayErrors } from '../helpers/http/retry.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { pause } from '../helpers/http/waiting.ts';
import { AddressBook } from '../helpers/mail/address-book.ts';
import { type Mailbox, noMailbox } from '../helpers/mail/mailbox.ts';
import { renderMisspelt, renderWaiting } from '../reports/wording.ts';
import { variables as known, type Variable } from '../schemas/configuration.ts';
import type { Results } from '../schemas/results.ts';

/** The service that a run judges, ready to be asked. */
export type OpenTarget = ReturnType<typeof withConnections>;

/** Warns of variables that look misspelt. @throws ConfigurationError where the file of variables cannot be read */
export function warnOfMisspelt(): void {
  process.stderr.write(renderMisspelt(misspeltVariables()));
}

/** What the report of a run that did not start names, read from variables that may be wrong. */
export function statedTarget(
  variables: Environment,
): Pick<Results, 'target' | 'seed'> & { reportDir: string } {
  const { BASE_URL = '', SEED = '', REPORT_DIR = '' } = variables;
  const baseUrl = withoutUserInfo(BASE_URL.trim());
  return {
    target: isEmbedded(variables)
      ? { kind: 'embedded', baseUrl: '(not started)' }
      : { kind: 'remote', baseUrl: baseUrl || '(no BASE_URL)' },
    seed: /^\d{1,9}$/.test(SEED) ? Number(SEED) : 0,
    reportDir: REPORT_DIR.trim() || known.REPORT_DIR.default,
  };
}

/** Whether the variables name no target, nor imply one. */
function isEmbedded(variables: Environment): boolean {
  try {
    return !namesTarget(variables);
  } catch {
    return false;
  }
}

/**
 * Opens the target that the variables name, or starts the embedded reference service where they name none.
 * @throws ConfigurationError
 */
export async function openTarget(variables: Environment): Promise<OpenTarget> {
  const randomSeed = Math.floor(Math.random() * 1_000_000);
  if (!namesTarget(variables)) return await openEmbedded(variables, randomSeed);
  const settings = readSettings(variables, randomSeed);
  const target = withConnections(settings, async () => {});
  try {
    await untilItAnswers(target.send, settings);
  } catch (error) {
    await target.close();
    throw error;
  }
  return target;
}

/** How long to wait before a target that does not answer yet is asked again, in milliseconds. */
const askAgainMs = 500;

/**
 * Waits until the target answers anything, for WAIT_FOR_TARGET_MS at most. It is asked without the key, and nothing is
 * recorded. After that time the run goes on all the same, and its first request shows what is wrong.
 */
async function untilItAnswers(send: Transport, settings: Settings): Promise<void> {
  const { waitForTargetMs, requestTimeoutMs, target } = settings;
  const text = renderWaiting(target.baseUrl, waitForTargetMs, 'WAIT_FOR_TARGET_MS');
  const deadline = performance.now() + waitForTargetMs;
  const answers = async (): Promise<boolean> => {
    const patience = Math.min(requestTimeoutMs, Math.max(askAgainMs, deadline - performance.now()));
    try {
      const { status, body } = await send({
        method: 'GET',
        url: target.baseUrl,
        headers: {},
        route: 'direct',
        signal: AbortSignal.timeout(patience),
      });
      await body[Symbol.asyncIterator]().return?.();
      return !gatewayErrors.includes(status);
    } catch {
      return false;
    }
  };
  for (let isFirst = true; performance.now() < deadline; isFirst = false) {
    if (await answers()) return;
    if (isFirst) process.stderr.write(text);
    await pause(askAgainMs);
  }
}

/** After this time, in milliseconds, somebody who waits is told what for. */
const patienceMs = 5000;

/** Awaits the first answers of a target, and says so if they take long. */
export async function firstAnswers<T>(
  { target, requestTimeoutMs }: Settings,
  answers: Promise<T>,
): Promise<T> {
  const text = renderWaiting(target.baseUrl, requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
  const timer = setTimeout(() => process.stderr.write(text), patienceMs);
  try {
    return await answers;
  } finally {
    clearTimeout(timer);
  }
}

/** A target with its connections, which are made when they are first needed, and closed with the target. */
function withConnections(settings: Settings, closeTarget: () => Promise<void>) {
  const { caFile } = settings;
  const certificates =
    caFile === undefined ? undefined : trustedCertificates(readCertificates('CA_FILE', caFile));
  const opened: { close?(): Promise<void> }[] = [];
  const connect = (url: string, more: Partial<NetworkOptions> = {}): Transport => {
    // A proxy does not reach what listens on this machine.
    const direct = isOnThisMachine(url) && { httpsProxy: undefined, httpProxy: undefined };
    const connected = openNetwork({ ...settings, certificates, ...direct, ...more });
    opened.push(connected);
    return connected.send;
  };
  return {
    settings,
    send: connect(settings.target.baseUrl, clientCertificate(settings)),
    /** Opens the configured mailbox, or an empty one. @throws MailboxError */
    async openMailbox(): Promise<Mailbox> {
      const { mailbox, requestTimeoutMs } = settings;
      if (mailbox === undefined) return await noMailbox();
      const { addresses } = new AddressBook(settings);
      const timeoutMs = Math.min(requestTimeoutMs, maxMailboxResponseMs);
      // Readers of email are loaded only where there is a mailbox: they take their time.
      if (/^imaps?:/.test(mailbox.url)) {
        const { imapMailbox } = await import('../helpers/mail/imap.ts');
        const overImap = imapMailbox(mailbox, addresses, { timeoutMs, certificates });
        opened.push(overImap);
        return overImap;
      }
      const { openMailbox: openOverHttp } = await import('../helpers/mail/mail-catchers.ts');
      return await openOverHttp(mailbox, addresses, connect(mailbox.url), timeoutMs);
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((one) => one.close?.()));
      await closeTarget();
    },
  };
}

/** The longest wait for an answer of the mailbox, in milliseconds: it is polled, and need not make an export. */
const maxMailboxResponseMs = 10_000;

async function openEmbedded(variables: Environment, randomSeed: number): Promise<OpenTarget> {
  // Read first without a target, for the seed and for errors: with a wrong configuration nothing is started.
  const { seed } = readSettings(variables, randomSeed);
  // Nothing of the reference service is loaded by a run against another target.
  const { startEmbedded } = await import('../reference/embedded.ts');
  const embedded = await startEmbedded(seed);
  const settings = readSettings({ ...variables, ...embedded.variables }, seed);
  return withConnections(
    { ...settings, target: { ...settings.target, kind: 'embedded' } },
    embedded.close,
  );
}

/** The client certificate, for the target alone. @throws ConfigurationError where a file holds something else */
function clientCertificate(settings: Settings): Pick<NetworkOptions, 'clientCertificate'> {
  const { clientCertFile, clientKeyFile } = settings;
  if (clientCertFile === undefined || clientKeyFile === undefined) return {};
  const cert = readCertificates('CLIENT_CERT_FILE', clientCertFile);
  const key = readPem('CLIENT_KEY_FILE', clientKeyFile, 'private key', (text) => {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(text))) return;
    throw new Error(`it is not that of ${clientCertFile}`);
  });
  return { clientCertificate: { cert, key } };
}

// The types of the oldest Node that is supported do not know it.
const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };

/**
 * The authorities that Node trusts (those of NODE_EXTRA_CA_CERTS too, and the system's where Node is told to use
 * them) and further ones: a list of authorities that a connection is given replaces those of Node.
 * @param further certificates in PEM form
 */
function trustedCertificates(further: string): string[] {
  if (getCACertificates !== undefined) return [...getCACertificates('default'), further];
  const { NODE_EXTRA_CA_CERTS: path } = process.env;
  // Of a file that cannot be read Node warns, and goes on.
  const ofEnvironment = path ? [contentOf(path) ?? ''] : [];
  return [...tls.rootCertificates, ...ofEnvironment, further];
}

function readCertificates(variable: Variable, path: string): string {
  return readPem(variable, path, 'certificates', (text) => void new X509Certificate(text));
}

/** The text of a PEM file. @param check throws where the file holds something else @throws ConfigurationError */
function readPem(
  variable: Variable,
  path: string,
  what: string,
  check: (text: string) => void,
): string {
  try {
    const text = readFileSync(path, 'utf8');
    check(text);
    return text;
  } catch (error) {
    throw new ConfigurationError(
      `${variable}: "${path}" holds no ${what} that can be read (${(error as Error).message}); give a file in PEM form`,
    );
  }
}
