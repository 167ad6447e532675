import type { Environment } from './read-settings.ts';
import type { Settings } from './settings.ts';

/** A shorter password may be a word, which stands in records for other reasons. */
const shortestPassword = 8;

type Secretive = Pick<
  Settings,
  'apiKey' | 'mailbox' | 'httpsProxy' | 'httpProxy' | 'blockedProxyUrl'
>;

/** What is to stand in no record. */
export function secretsOf(settings: Secretive): string[] {
  const { apiKey, mailbox, httpsProxy, httpProxy, blockedProxyUrl } = settings;
  return [
    ...[apiKey, mailbox?.token ?? ''].filter((key) => key !== ''),
    ...telling([mailbox?.password ?? '']),
    ...[httpsProxy, httpProxy, blockedProxyUrl].flatMap((url) => telling(passwordsIn(url))),
  ];
}

/** The same of variables that may be no configuration: for messages about that. */
export function secretsIn(variables: Environment): string[] {
  const { API_KEY, MAILBOX_TOKEN, MAILBOX_PASSWORD, MAILBOX_URL } = variables;
  const { HTTPS_PROXY, HTTP_PROXY, BLOCKED_PROXY_URL } = variables;
  const urls = [MAILBOX_URL, HTTPS_PROXY, HTTP_PROXY, BLOCKED_PROXY_URL];
  return [
    ...[API_KEY ?? '', MAILBOX_TOKEN ?? ''].filter((key) => key !== ''),
    ...telling([MAILBOX_PASSWORD ?? '', ...urls.flatMap(passwordsIn)]),
  ];
}

function telling(passwords: readonly string[]): string[] {
  return passwords.filter((password) => password.length >= shortestPassword);
}

/** The password in an address, as it stands there and decoded, and as a header would carry it. */
function passwordsIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  if (password === '') return [];
  const [user, decoded] = [username, password].map(decodedText);
  return [password, decoded ?? '', Buffer.from(`${user}:${decoded}`).toString('base64')];
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
