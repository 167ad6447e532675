import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { shownBeside } from '../difference.ts';
import { withKey } from '../exchange-text.ts';
import { printableLine } from '../printable.ts';

/*
 * What the commands of all reproductions are made of.
 */

export interface Place {
  readonly violation: ViolationResult;
  readonly target: Results['target'];
  readonly baseUrl: string;
  /** In the order in which they are sent. */
  readonly sent: readonly Exchange[];
  /** Those that show the violation, the one to blame first. */
  readonly blamed: readonly Exchange[];
}

export const curl = 'curl -sS -g';

/** Answers are kept in a folder of their own. */
export const folder = ['cd "$(mktemp -d)" && echo "Files go to $PWD"'];

/** The beginning of what a command prints, on one line that any terminal can show. */
export function beginningOf(command: string): string {
  return `${command} | head -c 300 | LC_ALL=C tr -c '[:print:]' ' '`;
}

/** A text in JSON, as an extended regular expression. */
export const jsonText = String.raw`"([^"\\]|\\.)*"`;

/** Prints the field that the violation is about. */
export function showFunction(field: string): string {
  const value = `(${jsonText}|\\{[^}]*\\}|[^,}]*)`;
  return `show() { grep -oE ${shellQuoted(`"${field}" *: *${value}`)} | head -n 1; }`;
}

/** The name of the last part of the field; undefined where the violation is about none of a task. */
export function shownField({ difference }: ViolationResult): string | undefined {
  if (difference?.kind !== 'field' || difference.of !== 'task') return undefined;
  return difference.fields[0]?.split('.').at(-1);
}

/** The address with the base as a variable; undefined where it is another one. */
export function urlIn(url: string, baseUrl: string): string | undefined {
  if (!url.startsWith(`${baseUrl}/`)) return undefined;
  const rest = withKey(url.slice(baseUrl.length));
  return `"$BASE"${rest}`;
}

/** What the last lines say in place of what the violation says. */
export interface Told {
  readonly expected?: string;
  readonly ran?: string;
  /** What is right is what was there before, `$before`. */
  readonly isBefore?: true;
  /** A command that succeeds where `$now` is right; left out where that is for people to see. */
  readonly isRight?: string;
}

/** The last lines: what is right, what came in the run, what came now; and whether that is right, which is the exit code. */
export function closing(violation: ViolationResult, told: Told = {}): string[] {
  const { difference } = violation;
  const isEvent = difference?.kind === 'field' && difference.of === 'recorded event';
  const of = difference?.kind === 'field' && !isEvent ? difference : violation;
  const { expected, actual } = shownBeside(of.expected, of.actual, 200);
  const { isRight = told.isBefore ? '[ "$now" = "$before" ]' : rightWhere(violation) } = told;
  const line = (name: string, text: string): string =>
    `echo ${shellQuoted(printableLine(`${name.padEnd(12)}${text}`))}`;
  return [
    told.isBefore
      ? 'echo "Expected:   $before, as before the write"'
      : line('Expected:', told.expected ?? expected),
    line('In the run:', told.ran ?? actual),
    `echo "Now:        \${now:-nothing}"`,
    ...(isRight === undefined
      ? []
      : [`if ${isRight}; then echo 'As expected.'; else echo 'NOT as expected.'; exit 1; fi`]),
  ];
}

/** A command that succeeds where `$now`, a status or a field, is right; undefined where it does not tell. */
function rightWhere({ difference }: ViolationResult): string | undefined {
  if (difference?.kind === 'status') {
    const statuses = difference.expected.split(' or ').map((one) => one.replaceAll('x', '?'));
    return `case $now in ${statuses.join('|')}) true;; *) false;; esac`;
  }
  if (difference?.kind !== 'field' || difference.of !== 'task') return undefined;
  if (difference.isMissing) return '[ -n "$now" ]';
  // Of what is written with escapes, or over several lines, there is more than one way to write it.
  return isPlainJson(difference.expected)
    ? `[ "\${now#*: }" = ${shellQuoted(difference.expected)} ] || [ "\${now#*:}" = ${shellQuoted(difference.expected)} ]`
    : undefined;
}

/** A literal that all services write in the same way. */
function isPlainJson(text: string): boolean {
  return /^(?:"[ -!#-.0-;=?-[\]-~]*"|null|true|false|-?\d+)$/.test(text);
}

export function isWrite({ request }: Exchange): boolean {
  return request.method === 'PUT';
}

export function isExport({ operation }: Exchange): boolean {
  return operation === 'export';
}

export function taskIdOf(exchange: Exchange | undefined): string | undefined {
  return exchange && /\/tasks\/([^/?]+)/.exec(exchange.request.url)?.[1];
}

/** Whether what is wrong shows in the mailbox. */
export function isOfEmail({ clause }: ViolationResult): boolean {
  return clause.startsWith('notification.');
}
