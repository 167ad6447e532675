import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { withKey } from '../exchange-text.ts';

/** What a script ends with where a request was not answered so that anything could be seen: that is neither right nor wrong. */
export const unseen = 2;

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

/** Answers go to a folder of their own. */
export const folder = ['DIR=$(mktemp -d); cd "$DIR"'];

/** The folder is gone afterwards; what a person should look at is left there. */
export const withoutFolder = `rm -rf "$DIR"`;

/** Ends a script where nothing can be seen of a PDF. */
export const needsPdftotext = `command -v pdftotext > /dev/null || { echo 'This needs pdftotext, of poppler-utils: nothing is to be seen.'; exit ${unseen}; }`;

/** The beginning of what a command prints, on one line that any terminal can show. */
export function beginningOf(command: string): string {
  return `${command} | head -c 300 | LC_ALL=C tr -c '[:print:]' ' '`;
}

/** A text in JSON, as an extended regular expression. */
export const jsonText = String.raw`"([^"\\]|\\.)*"`;

/** Print the field that the violation is about, and of what they print the value. */
export function showFunctions(field: string): string[] {
  const value = `(${jsonText}|\\{[^}]*\\}|\\[[^]]*\\]|[^],}]*)`;
  return [
    `show() { grep -oE ${shellQuoted(`"${field}" *: *${value}`)} | head -n 1; }`,
    `valueOf() { printf '%s\\n' "$1" | sed 's/^"[^"]*" *: *//'; }`,
  ];
}

/** The name of the last part of the field; undefined where the violation is about none of a task or an assessment. */
export function shownField({ difference }: ViolationResult): string | undefined {
  if (isOfAnotherRecord(difference)) return 'id';
  if (difference?.kind !== 'field' || difference.of === 'recorded event') return undefined;
  return difference.fields[0]?.split('.').at(-1);
}

function isOfAnotherRecord(difference: ViolationResult['difference']): boolean {
  return (
    difference?.kind === 'other' &&
    ['answers with another task', 'answers with another assessment'].includes(difference.wrong)
  );
}

/** The address with the base as a variable; undefined where it is another one. */
export function urlIn(url: string, baseUrl: string): string | undefined {
  if (!url.startsWith(`${baseUrl}/`)) return undefined;
  const rest = withKey(url.slice(baseUrl.length));
  return `"$BASE"${rest}`;
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

/** For how many seconds nothing of this was sent before a request; 0 where that is a second at the most. */
export function pauseBefore(one: Exchange, earlier: readonly Exchange[]): number {
  const end = Math.max(...earlier.map(({ startedAt, durationMs }) => startedAt + durationMs));
  const paused = one.startedAt - end;
  return Number.isFinite(paused) && paused > 1000 ? Math.ceil(paused / 1000) : 0;
}

/** Waits as long as the run did: what is wrong may show, or be gone, after a while only. */
export function waiting(seconds: number): string[] {
  return seconds === 0
    ? []
    : [`echo '   Waits ${seconds} s, as long as the run did.'; sleep ${seconds}`];
}

/** Whether what is wrong shows in the mailbox. */
export function isOfEmail({ clause }: ViolationResult): boolean {
  return clause.startsWith('notification.');
}
