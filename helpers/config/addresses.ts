/** Whether an address is a loopback one: writes there reach nobody else. */
export function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether two addresses are the same, but for capitals in the host, the usual port, and a slash at the end. */
export function isSameAddress(one: string, other: string): boolean {
  const written = (url: string): string =>
    withoutTrailingSlash(URL.canParse(url) ? new URL(url).href : url);
  return written(one) === written(other);
}

/** The port of an address, also where it is the usual one of its protocol. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** An address without a slash at its end. */
export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** An address, valid or not, without the `name:password@` in it. */
export function withoutUserInfo(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//');
}

/** A name and a password in an address, decoded; undefined where there are none. */
export function userInfoOf(url: string) {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  return { user: decoded(username), password: decoded(password) };
}

/** A part of an address without its percent-encoding; undefined where it is empty. */
function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign in it stands for itself.
    return part;
  }
}
