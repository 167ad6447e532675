import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { readLines } from './reading.ts';
import { isWrite, taskIdOf } from './shell.ts';
import { taskLines, timesOf } from './writing.ts';

/*
 * A violation as shell commands that show it by itself: what must come before, the requests that show it, with versions that
 * are read anew, and in the last lines what is expected, what came in the run, and what came now. For shells such as bash and
 * zsh with curl, grep and sed; of a PDF, pdftotext. Nothing in it depends on history, on comments being taken, or on the
 * directory that it is run in.
 */

/** Commands that show a violation by itself. */
export interface Reproduction {
  /** Lines to paste: they run in a subshell, and change nothing of the shell that they are pasted into. */
  readonly lines: readonly string[];
  /** The same for a file of its own, which may be given another base address, and tells what was answered in the run. */
  readonly script: readonly string[];
  /** The task that they write to, and how often; undefined where they only read. */
  readonly writes?: { readonly taskId: string; readonly times: number };
}

/** More characters in a line than these no shell takes well. */
const maxLine = 16_000;

/** undefined where the exchanges are not known, or cannot be sent by a command. */
export function reproductionOf(
  violation: ViolationResult,
  { target }: Pick<Results, 'target'>,
  exchanges: readonly Exchange[],
): Reproduction | undefined {
  const { sequence = [], on } = violation;
  const byNumber = new Map(exchanges.map((one) => [one.number, one]));
  const sent = sequence.flatMap((number) => byNumber.get(number) ?? []);
  if (sent.length === 0 || sent.length < sequence.length || sent.some(cannotBeSent)) {
    return undefined;
  }
  const blamed = on.flatMap(({ exchange }) => byNumber.get(exchange) ?? []);
  const place = { violation, target, baseUrl: target.baseUrl, sent, blamed };
  const writes = sent.filter(isWrite);
  const body = writes.length > 0 ? taskLines(place) : readLines(place);
  if (body === undefined || body.some((line) => line.length > maxLine)) return undefined;
  const steps = [...keyLines(target, body), ...body];
  const base = shellQuoted(target.baseUrl);
  const pasted = [`BASE=${base}`, ...steps.filter((line) => !isComment(line))];
  const taskId = taskIdOf(writes[0]);
  return {
    lines: ['(', ...pasted.map((line) => `  ${line}`), ')'],
    script: [`BASE=\${1:-${base}}`, ...steps],
    ...(taskId !== undefined && { writes: { taskId, times: timesOf(writes) } }),
  };
}

/** Not every shell takes them where commands are typed. */
function isComment(line: string): boolean {
  return line.startsWith('# ');
}

/** Another route than the direct one is not there where the block is pasted. */
function cannotBeSent({ request }: Exchange): boolean {
  return request.route === 'blocked';
}

/** The key of the environment, or else of the file that the run had it from; where one is sent. */
export function keyLines(
  { envFile = '.env' }: Results['target'],
  body: readonly string[],
): string[] {
  return body.some((line) => line.includes('$API_KEY') || line.includes('${API_KEY'))
    ? [
        `API_KEY=\${API_KEY:-$(sed -n 's/^API_KEY=//p' ${shellQuoted(envFile)} | tr -d "\\"'")}`,
        // Ends a script, and of a terminal the pasted line alone.
        `: "\${API_KEY:?must be set}"`,
      ]
    : [];
}
