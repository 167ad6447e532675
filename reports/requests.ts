import {
  type Exchange,
  hasSucceeded,
  headerOf,
  isReading,
  isWrite,
  taskIdOf,
} from '../helpers/http/exchange.ts';
import { isObject, jsonObject } from '../helpers/json.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { bashQuoted, invocation, optionsFor } from './commands.ts';
import { answerLine, bodyText, curlParts, inDoubleQuotes, isPdf } from './exchange-text.ts';
import { type Finding, textsOf, violationText } from './findings.ts';
import { cut, printable, printableLine } from './printable.ts';
import type { ToldFinding } from './run-report.ts';
import { exchangeNumbers, exchangesOf, instant, present } from './wording.ts';

// The requests of a finding as a file of curl lines, for people to read and to send again. Whether the finding is still
// there is decided by `--last-failed`.

/** The path of the requests of a finding within the folder of the reports: `findings/1.sh`. */
export function requestsFile(number: number): string {
  return `findings/${number}.sh`;
}

/** The text of each file of requests, by its path; a finding whose exchanges are not known has none. */
export function renderRequests(
  findings: readonly ToldFinding[],
  run: Pick<Results, 'target' | 'startedAt'>,
): ReadonlyMap<string, string> {
  const texts = findings.flatMap((finding) => {
    const { requests } = finding;
    if (requests === undefined) return [];
    const lines = ['#!/usr/bin/env bash', ...aboutLines(finding, run), '', ...requests.lines];
    return [[requests.file, `${lines.join('\n')}\n`] as const];
  });
  return new Map(texts);
}

function aboutLines(
  { headline, clauses, on, violations: [violation], requests }: ToldFinding,
  { target, startedAt }: Pick<Results, 'target' | 'startedAt'>,
): string[] {
  const lines = present(
    headline,
    '',
    ...clauses.map(({ id, level, text }) => `Clause ${id} (${level}): ${text}`),
    `Found in the run of ${instant(startedAt)} by "${violation.scenario}", ${exchangeNumbers(on)} of exchanges.har.`,
    requests?.writesTo === undefined
      ? 'It only reads. The key is that of API_KEY.'
      : `It writes to task ${requests.writesTo}, then assigns it as it was; who it is assigned to gets email. The key is that of API_KEY.`,
    violation.clause.startsWith('notification.') &&
      'What email comes of it is to be seen in the mailbox.',
    'Above each request stands what the run got. Whether the finding is still there is not decided here, but by',
    [invocation, ...optionsFor(target), '--last-failed'].join(' '),
  );
  return lines.map((line) => `# ${printableLine(line)}`.trimEnd());
}

/**
 * The requests that show the first violation of a finding, after what must come before them, as shell lines; undefined where
 * none is known. `pasted`: without comments, which not every shell takes; `writesTo`: the id of the task that they write to.
 */
export function requestsOf(
  { violations: [violation] }: Pick<Finding, 'violations'>,
  { target }: Pick<Results, 'target'>,
  exchanges: readonly Exchange[],
) {
  const shown = exchangesOf(violation);
  const numbers = new Set(violation.sequence ?? shown);
  const sent = exchanges.filter(({ number }) => numbers.has(number));
  if (sent.length === 0) return undefined;
  const write = sent.find(isWrite);
  const writesTo = write && taskIdOf(write);
  // A task that the run has not read may not exist: its version is not read, and it is put back only if it can be read.
  const isTask = exchanges.some((one) => isReading(one) && taskIdOf(one) === writesTo);
  const versions = versionsOf(sent, shown, isTask);
  const files = sent.filter(isFile).map(fileOf);
  const tables = files.filter((name) => name.endsWith('.csv'));
  const lines = present(
    `: "\${API_KEY:?must be set}"`,
    '# No answer steers the terminal.',
    `curl () { command curl "$@" | LC_ALL=C tr -d '\\000-\\010\\013-\\037\\177'; }`,
    files.length > 0 && 'cd "$(mktemp -d)"; echo "Files go to $PWD"',
    ...(writesTo === undefined
      ? []
      : taskLines(`${target.baseUrl}/tasks/${writesTo}`, isTask, [...sent, ...exchanges])),
    // From here on the shell prints the lines it reads, so that each request stands above its answer.
    'set -v',
    ...groupsOf(sent).flatMap((group, index, groups) =>
      groupLines(group, groups[index - 1], versions, violation),
    ),
    ...(tables.length === 2 ? ['', `diff ${tables.join(' ')} | head -n 40`] : []),
  ).map((line) => printable(line));
  const commands = lines.filter((line) => !/^(?:#|set -v$|$)/.test(line));
  return { lines, pasted: ['(', ...commands, ')'], writesTo };
}

/** The lines of a request, or of several that were sent at the same time; @param before those that were sent before */
function groupLines(
  group: Group,
  before: readonly Exchange[] = [],
  versions: Versions,
  violation: ViolationResult,
): string[] {
  const isTogether = group.length > 1;
  const pause = pauseBefore(group[0], before);
  const isBlamed = group.some(({ number }) => number === violation.on[0]?.exchange);
  const { expected, actual } = textsOf(violation);
  return present(
    '',
    isTogether && '# Sent at the same time.',
    ...group.flatMap(answeredLines),
    isBlamed && `# Look here: ${shortLine(violationText(violation))}`,
    isBlamed && `# Expected: ${shortLine(expected)}`,
    isBlamed && `# In the run: ${shortLine(actual)}`,
    pause > 0 && `sleep ${pause}`,
    ...group.flatMap((one) => versions.before(one)),
    ...group.map((one) => curlOf(one, versions, isTogether)),
    isTogether && 'wait',
    ...group.flatMap((one) => versions.after(one)),
  );
}

/** How many characters are shown of an expected or actual value, and of the body of an answer. */
const max = { value: 300, answer: 160 };

function shortLine(text: string): string {
  return cut(printableLine(text), max.value);
}

function answeredLines(one: Exchange): string[] {
  const sent = headerOf(one.request, 'if-match');
  const condition = sent === undefined ? 'without If-Match' : `with If-Match: ${shortLine(sent)}`;
  return present(
    `# #${one.number} of the run: ${shortLine(answerLine(one, max.answer))}`,
    isWrite(one) && `# Sent ${condition}`,
    one.request.route === 'blocked' &&
      '# Sent from an address that is not on the allow list (BLOCKED_…): do so too.',
  );
}

/** A request as a curl command. @param isTogether whether it is sent with others: then only its status is shown */
function curlOf(one: Exchange, versions: Versions, isTogether: boolean): string {
  const name = fileOf(one);
  const isShown = !isFile(one) && !isTogether;
  return [
    ...curlParts(one.request, `-sS ${isShown ? '-i ' : ''}`, versions.quotedHeader),
    isFile(one)
      ? `-o ${name} -w '%{http_code} %{content_type}, %{size_download} bytes in ${name}\\n'`
      : isTogether
        ? `-o /dev/null -w '%{http_code}\\n' &`
        : `-w '\\n'`,
  ].join(' \\\n  ');
}

/** Shell functions that read a task, and a trap that assigns it as it was. @param exchanges the first write says who unassigns */
function taskLines(url: string, isTask: boolean, exchanges: readonly Exchange[]): string[] {
  const write = exchanges.find((one) => actorOf(one) !== undefined);
  const unassign = JSON.stringify({ unassign: { assigned_by_id: write && actorOf(write) } });
  return [
    `task=${bashQuoted(url)}`,
    `read_task() { curl -sS -g "$task" -H "apikey: $API_KEY" | tr '\\n' ' '; }`,
    `version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }`,
    `assignment() { read_task | grep -oE '"assignment" *: *(null|\\{("([^"\\\\]|\\\\.)*"|[^"}])*\\})' | head -n 1 | sed 's/^"assignment" *: *//'; }`,
    `was=$(assignment)${isTask ? '; [ -n "$was" ] || { echo "The task cannot be read."; exit; }' : ''}`,
    '# However this ends, the task is assigned as it was.',
    'put_back() {',
    '  set +v',
    '  [ -n "$was" ] || { echo "No such task can be read: nothing is put back."; return; }',
    `  if echo "$was" | grep -qE '"assigned_to_id" *: *"'; then body="{\\"update\\":$was}"; else body=${bashQuoted(unassign)}; fi`,
    '  [ "$(assignment)" = "$was" ] || curl -sS -g -X PUT "$task/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $(version)" -H \'Content-Type: application/json\' --data-binary "$body" -o /dev/null -w "Put back: %{http_code}"',
    '  now=$(assignment); [ "$now" = "$was" ] && is="is" || is="is NOT"',
    '  printf \'\\n%s\\n\' "The task $is assigned as it was." "Before: $was" "Now:    $now"',
    '}',
    'trap put_back EXIT',
  ];
}

/** The assigned_by_id of a write; undefined where that is no text, or empty. */
function actorOf({ request }: Exchange): string | undefined {
  const { update, unassign } = jsonObject(request.body) ?? {};
  const fields = isObject(update) ? update : unassign;
  const id = isObject(fields) ? fields.assigned_by_id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

type Versions = ReturnType<typeof versionsOf>;

/**
 * Versions of the run are out of date: each becomes a shell variable, read where the run learned the version.
 * @param shown the numbers of the exchanges that show the finding: their versions may be wrong on purpose
 * @param isTask whether the run has read the task: otherwise it may not exist, and no version is read
 */
function versionsOf(sent: readonly Exchange[], shown: readonly number[], isTask: boolean) {
  const names = new Map<string, string>();
  const read = (version: string): string[] => {
    const name = `version${names.size + 1}`;
    names.set(version, name);
    return [`${name}=$(version)`];
  };
  const headerIn = ({ request }: Exchange): string => headerOf(request, 'if-match') ?? '';
  /**
   * An If-Match header as text between the double quotes of a shell: a version that the script reads becomes its
   * variable, one next to it that variable counted up or down (`nextTo`); other text stays. The latest variable wins.
   */
  const quotedHeader = (header: string): string => {
    const latest = [...names].reverse();
    const [known, name] = latest.find(([version]) => header.includes(version)) ?? [];
    if (known !== undefined) return header.split(known).map(inDoubleQuotes).join(`\${${name}}`);
    const [near] = latest.flatMap((one) => nextTo(one[0], header, one[1]) || []);
    return near ?? inDoubleQuotes(header);
  };
  return {
    quotedHeader,
    /** Reads a version that no answer has shown, before the write that sends it: as that succeeded, it was current. */
    before(one: Exchange): string[] {
      const header = headerIn(one);
      const isUnknown = header !== '' && quotedHeader(header) === inDoubleQuotes(header);
      const isSure = isWrite(one) && hasSucceeded(one) && !shown.includes(one.number);
      return isTask && isUnknown && isSure ? read(header) : [];
    },
    /** Reads the version that an answer shows, where a later request sends it, or a version made of it. */
    after({ number, operation, response }: Exchange): string[] {
      const body =
        operation === 'export' || response === undefined ? undefined : bodyText(response);
      const version = jsonObject(body)?.updated_at;
      if (typeof version !== 'string' || version === '' || names.has(version)) return [];
      const later = sent.filter((one) => one.number > number).map(headerIn);
      const isOfUse = later.some((header) => {
        const isKnown = [...names.keys()].some((known) => header.includes(known));
        return header.includes(version) || (!isKnown && nextTo(version, header, '') !== '');
      });
      return isTask && isOfUse ? read(version) : [];
    },
  };
}

/** Two neighbouring versions differ in no more than this many characters at their end: `059Z`, `060Z`. */
const lastCharacters = 4;

/** Shell text for a version that is `$name` with its last digits one up or down; empty for any other text. */
function nextTo(version: string, text: string, name: string): string {
  const [digits = ''] = /\d+(?=\D*$)/.exec(version) ?? [];
  const { length } = digits;
  const place = version.lastIndexOf(digits);
  const isNext =
    length > 0 &&
    text !== version &&
    text.length === version.length &&
    text.slice(0, -lastCharacters) === version.slice(0, -lastCharacters) &&
    text.slice(place + length) === version.slice(place + length);
  // All digits behind the point: the last one alone may be a 0 when the script counts down.
  const all = 10 ** length;
  const counted = `(10#\${${name}:${place}:${length}} + ${text < version ? all - 1 : 1}) % ${all}`;
  return isNext
    ? `\${${name}:0:${place}}$(printf %0${length}d $(( ${counted} )))\${${name}:${place + length}}`
    : '';
}

type Group = readonly [Exchange, ...Exchange[]];

/** Exchanges in groups, in order: writes that were under way at the same time together, any other one alone. */
function groupsOf(exchanges: readonly Exchange[]): Group[] {
  const groups: [Exchange, ...Exchange[]][] = [];
  for (const one of exchanges) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const isUnderWay = before && one.startedAt < before.startedAt + before.durationMs;
    if (isUnderWay && isWrite(before) && isWrite(one)) group?.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** How many seconds the run waited before a read; 0 for none. A fault may show, or be gone, only after a while. */
function pauseBefore(one: Exchange, before: readonly Exchange[]): number {
  const matters = before.some((other) => isWrite(other) || other.request.url === one.request.url);
  const ends = before.map(({ startedAt, durationMs }) => startedAt + durationMs);
  const paused = one.startedAt - Math.max(...ends);
  return matters && !isWrite(one) && paused > 1000 ? Math.ceil(paused / 1000) : 0;
}

/** Whether an export was answered with a file, which no terminal shows. */
function isFile(one: Exchange): boolean {
  return one.operation === 'export' && (hasSucceeded(one) || isPdf(one.response));
}

function fileOf(one: Exchange): string {
  return `${one.number}.${isPdf(one.response) ? 'pdf' : 'csv'}`;
}
