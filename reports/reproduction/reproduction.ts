import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import type { Finding } from '../findings.ts';
import { cut, printableLine } from '../printable.ts';
import type { Times } from '../wording.ts';
import { keeping, type Reading, readingOf, removing } from './reading.ts';
import { isWrite, type Place, taskIdOf, unseen } from './shell.ts';
import { timesOf } from './write-commands.ts';
import { taskLines } from './writing.ts';

/*
 * A violation as shell commands that show it by itself: what must come before, the requests that show it, with versions that
 * are read anew, and in the last lines what is expected, what came in the run, and what came now. For shells such as bash and
 * zsh with curl, grep and sed; of a PDF, pdftotext. Nothing in it depends on history, on comments being taken, or on the
 * directory that it is run in, and nothing is left behind but the files that are to be looked at.
 */

/** Commands that show a violation by itself. */
export interface Reproduction {
  /** Lines to paste: they run in a subshell, and change nothing of the shell that they are pasted into. */
  readonly lines: readonly string[];
  /** The same for a file of its own, which may be given another base address, and tells what was answered in the run. */
  readonly script: readonly string[];
  /** The task that they write to, and how often; undefined where they only read. */
  readonly writes?: { readonly taskId: string; readonly times: Times };
}

/** More characters in a line than these no shell takes well. */
const maxLine = 16_000;

/**
 * What shows a finding by itself; of one that several parameters, ways or operations share, each of them, where that takes no
 * writes. undefined where the exchanges are not known, or cannot be sent by a command.
 */
export function reproductionOf(
  { violation, violations }: Pick<Finding, 'violation' | 'violations'>,
  { target }: Pick<Results, 'target'>,
  exchanges: readonly Exchange[],
): Reproduction | undefined {
  const byNumber = new Map(exchanges.map((one) => [one.number, one]));
  const place = placeOf(violation, target, byNumber);
  if (place === undefined) return undefined;
  const writes = place.sent.filter(isWrite);
  const others = violations.flatMap((one) => placeOf(one, target, byNumber) ?? []);
  const body =
    writes.length > 0
      ? taskLines(place)
      : readLines([place, ...others.filter(({ sent }) => !sent.some(isWrite))]);
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

/** undefined where the exchanges of a violation are not known, or cannot be sent by a command. */
function placeOf(
  violation: ViolationResult,
  target: Results['target'],
  byNumber: ReadonlyMap<number, Exchange>,
): Place | undefined {
  const { sequence = [], on } = violation;
  const sent = sequence.flatMap((number) => byNumber.get(number) ?? []);
  if (sent.length === 0 || sent.length < sequence.length || sent.some(cannotBeSent)) {
    return undefined;
  }
  const blamed = on.flatMap(({ exchange }) => byNumber.get(exchange) ?? []);
  return { violation, target, baseUrl: target.baseUrl, sent, blamed };
}

/** So many parameters, ways and operations are tried. */
const maxParts = 12;

/** Each in turn, by its name, and at the end which of them are not as expected. */
function readLines(places: readonly Place[]): string[] {
  const byName = new Map(places.toReversed().map((place) => [nameOf(place.violation), place]));
  const parts = [...new Set(places.map(({ violation }) => nameOf(violation)))]
    .slice(0, maxParts)
    .flatMap((name) => {
      const place = byName.get(name);
      return place === undefined ? [] : [{ name, place }];
    });
  const first = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, { place }) => sum + place.sent.length, 1),
  );
  const readings = parts.map(({ name, place }, index) => ({
    name,
    ...readingOf(place, first[index]),
  }));
  const [one, ...more] = readings;
  if (one === undefined || more.length === 0)
    return [...(one?.before ?? []), ...(one?.lines ?? [])];
  return [
    ...commonTo(readings),
    'wrong= unseen=',
    ...readings.flatMap(({ name, lines }) => {
      const text = shellQuoted(printableLine(cut(name, maxName)));
      return [
        `echo; echo ${text}:; (`,
        ...lines,
        `); case $? in 0) ;; 1) wrong="$wrong, "${text};; *) unseen="$unseen, "${text};; esac`,
      ];
    }),
    'echo',
    `[ -z "$unseen" ] || echo "Not decided:\${unseen#,}"`,
    `if [ -n "$wrong" ]; then echo "NOT as expected:\${wrong#,}"; exit 1; elif [ -n "$unseen" ]; then exit ${unseen}; else echo 'As expected.'; fi`,
  ];
}

/** What stands before several of them; where one of them leaves files to be looked at, all stay. */
function commonTo(readings: readonly Reading[]): string[] {
  const all = [...new Set(readings.flatMap(({ before }) => before))];
  return all.includes(keeping) ? all.filter((line) => line !== removing) : all;
}

const maxName = 120;

/** What is told apart within a finding: parameters, files, and the operations and ways in which the same is wrong. */
function nameOf({ difference, on: [asked] }: ViolationResult): string {
  switch (difference?.kind) {
    case 'events': {
      const { parameter, ignored = [], when, fileType } = difference;
      const names = parameter ?? ignored.join(', ');
      return `${names === '' ? when : names}${fileType === 'pdf' ? ' as PDF' : ''}`;
    }
    case 'other':
      return difference.parameter ?? asked?.request ?? '';
    case 'status':
      return `${asked?.request}: ${difference.when}`;
    case 'dates':
      return `timezone=${difference.timezone}${difference.fileType === 'pdf' ? ' as PDF' : ''}`;
    case 'bound':
      return difference.found === 'excluded' ? difference.bound : difference.found;
    default:
      return asked?.request ?? '';
  }
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
        `API_KEY=\${API_KEY:-$(sed -n 's/^API_KEY=//p' ${shellQuoted(envFile)} | tail -n 1 | tr -d "\\"'\\r")}`,
        // Ends a script, and of a terminal the pasted line alone.
        `: "\${API_KEY:?must be set}"`,
      ]
    : [];
}
