import { type Exchange, headerOf } from '../../helpers/http/exchange.ts';
import { shellQuoted } from '../commands.ts';
import { inDoubleQuotes } from '../exchange-text.ts';

/*
 * Versions of a task: those of the run are over, so each is a variable that holds what is read in its place.
 */

/** The versions that a run has read, by what they were. */
export class Versions {
  readonly #names = new Map<string, string>();

  /** The command that reads a version into a variable of its own; none where there is none, or it is known already. */
  read(version: string | undefined): string[] {
    if (version === undefined || this.#names.has(version)) return [];
    const name = `V${this.#names.size + 1}`;
    this.#names.set(version, name);
    return [`${name}=$(version)`];
  }

  /** The variable of the one that was read last. */
  get last(): string | undefined {
    return [...this.#names.values()].at(-1);
  }

  /** The If-Match of a write, as an argument; undefined where it has none, or an empty one. */
  sentWith({ request }: Exchange): string | undefined {
    const header = headerOf(request, 'if-match');
    return header === undefined || header === '' ? undefined : withVersions(header, this.#names);
  }
}

/** Versions that nothing is sent with need not be read. */
export function withoutUnusedVersions(steps: readonly string[]): string[] {
  return steps.filter((step) => {
    const name = /^(V\d+)=/.exec(step)?.[1];
    const isIn = (other: string): boolean =>
      other !== step && new RegExp(`\\$\\{?${name}\\b`).test(other);
    return name === undefined || steps.some(isIn);
  });
}

/** A header in double quotes, with the versions in it as variables. */
function withVersions(text: string, versions: ReadonlyMap<string, string>): string {
  const known = [...versions.keys()].find((version) => text.includes(version));
  if (known === undefined) return withNeighbour(text, versions) ?? shellQuoted(text);
  const [before = '', after = ''] = text.split(known);
  const name = versions.get(known);
  return `"${inDoubleQuotes(before)}${after === '' ? `$${name}` : `\${${name}}${inDoubleQuotes(after)}`}"`;
}

/** So many characters at the end may differ where the last digit of a version is another one: 59 and 60. */
const lastCharacters = 4;

/** A version that differs from a known one in its last digit, made of the one that is current; undefined where it does not. */
function withNeighbour(text: string, versions: ReadonlyMap<string, string>): string | undefined {
  const near = [...versions].findLast(
    ([version]) =>
      text.endsWith(version.slice(version.search(/\d\D*$/) + 1)) &&
      text.slice(0, -version.length) + version.slice(0, -lastCharacters) ===
        text.slice(0, -lastCharacters),
  );
  if (near === undefined) return undefined;
  const [version, name] = near;
  const [digits = ''] = /\d+(?=\D*$)/.exec(version) ?? [];
  const place = version.lastIndexOf(digits);
  const { length } = digits;
  const before = inDoubleQuotes(text.slice(0, text.length - version.length));
  const sent = text.slice(text.length - version.length);
  // Of one second and the next, what differs is more than the digits.
  const away = Number(sent.slice(place, place + length)) - Number(digits);
  const step = Math.abs(away) === 1 ? away : sent < version ? -1 : 1;
  const all = 10 ** length;
  // With 10#, as 08 would be octal.
  const last = `$((10#\${${name}:${place}:${length}}))`;
  const next = `(${last} ${step < 0 ? '- 1' : '+ 1'} + ${all}) % ${all}`;
  return `"${before}\${${name}:0:${place}}$(printf %0${length}d $(( ${next} )))\${${name}:${place + length}}"`;
}

/** The If-Match of a write, without quotes about it. */
export function ifMatchOf({ request }: Exchange): string | undefined {
  const header = headerOf(request, 'if-match');
  return header?.replace(/^"(.*)"$/, '$1') || undefined;
}

/** The updated_at of the task in an answer. */
export function versionIn({ response }: Exchange): string | undefined {
  if (response === undefined || response.status >= 300) return undefined;
  try {
    const task: unknown = JSON.parse(new TextDecoder().decode(response.body));
    const isObject = typeof task === 'object' && task !== null && 'updated_at' in task;
    return isObject && typeof task.updated_at === 'string' ? task.updated_at : undefined;
  } catch {
    return undefined;
  }
}
