import type { Exchange } from '../helpers/http/exchange.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { isObject } from '../helpers/validation.ts';
import type { DatesDifference, EventsDifference } from '../schemas/difference.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { shellQuoted } from './commands.ts';
import { shownBeside } from './difference.ts';
import { answered, inDoubleQuotes, mediaType, renderHeader, withKey } from './exchange-text.ts';
import { afterTheWrite, beforeTheWrite, mailboxLines } from './mailbox-commands.ts';
import { printableLine } from './printable.ts';
import { timesText } from './wording.ts';

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

/** Whether what is wrong shows in the mailbox. */
export function isOfEmail({ clause }: ViolationResult): boolean {
  return clause.startsWith('notification.');
}

/** Not every shell takes them where commands are typed. */
function isComment(line: string): boolean {
  return line.startsWith('# ');
}

interface Place {
  readonly violation: ViolationResult;
  readonly target: Results['target'];
  readonly baseUrl: string;
  /** In the order in which they are sent. */
  readonly sent: readonly Exchange[];
  /** Those that show the violation, the one to blame first. */
  readonly blamed: readonly Exchange[];
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

// Writes, and reads of the tasks, assessments and exports after them

function taskLines(place: Place): string[] | undefined {
  const { violation, baseUrl, sent, blamed } = place;
  const { difference } = violation;
  const taskId = taskIdOf(sent.find(isWrite)) ?? '';
  const field = shownField(violation);
  const steps: string[] = [];
  const versions = new Map<string, string>();
  const own = sent.filter((one) => taskIdOf(one) === taskId);
  const note = (version: string | undefined): void => {
    if (version === undefined || versions.has(version)) return;
    versions.set(version, `V${versions.size + 1}`);
    steps.push(`V${versions.size}=$(version)`);
  };
  const [firstWrite] = sent.filter(isWrite);
  const [reading] = own.filter((one) => !isWrite(one) && one.number < (firstWrite?.number ?? 0));
  // What was accepted had the version that was current then, unless that is what is wrong with it.
  const isRight = hasSucceeded(firstWrite) && !isToBeRefused(violation, blamed, firstWrite);
  note(isRight ? ifMatchOf(firstWrite) : reading && versionIn(reading));
  const isMarked = sent.some(isExport);
  const last = sent.findLast(isWrite);
  const marked = isMarked ? markedBody(last) : undefined;
  if (isMarked && marked === undefined) return undefined;
  const [firstExport] = [...blamed, ...sent].filter(isExport);
  // What writes are to leave alone is compared with what was there before.
  const isKept = difference?.kind === 'field' && difference.write !== undefined && !isMarked;
  const changing = isKept ? blamed.find(isWrite) : undefined;
  const blamedWrite = blamed.find(isWrite);
  let number = 0;
  const say = (text: string): string =>
    `echo ${shellQuoted(printableLine(`${++number}. ${text}`))}`;
  const later = sent.filter((one) => one !== reading && (!isExport(one) || one === firstExport));
  const command = (write: Exchange): string =>
    writeCommand(write, taskId, baseUrl, versions, write === last ? marked : undefined);
  const groups = groupsOf(later);
  for (const [index, group] of groups.entries()) {
    const [one] = group;
    if (changing !== undefined && group.includes(changing)) {
      steps.push(`before=$(read_task | show)`);
    }
    if (isOfEmail(violation) && one === blamedWrite)
      steps.push(...beforeTheWrite(one === firstWrite));
    const isShown = one === blamed[0];
    if (group.length > 1) {
      const statuses = group.map(statusOf).join(', ');
      steps.push(
        say(`${group.length} writes at the same time, answered with ${statuses} in the run:`),
        ...group.map(answered),
        '# Each in the background, so that they arrive together; again where they did not.',
        `for round in ${Array.from({ length: rounds }, (_, round) => round + 1).join(' ')}; do`,
        ...[...versions.values()].slice(-1).map((name) => `${name}=$(version)`),
        'now=$({',
        ...group.map((write) => `${command(write)} &`),
        "wait; } | sort | paste -s -d ' ' -)",
        'echo "$now"',
        `echo "$now" | grep -qE '^2[0-9]{2}${' 409'.repeat(group.length - 1)}$' || break`,
        'done',
      );
    } else if (isWrite(one)) {
      const what = blamed.includes(one) ? 'The write to look at' : 'A write before it';
      steps.push(
        say(`${what} (${sentText(one)}), answered with ${statusOf(one)} in the run:`),
        answered(one),
        `now=$(${command(one)}); echo "$now"`,
        ...(isShown && field !== undefined ? ['now=$(show < answer)'] : []),
      );
      const isNeeded = groups.slice(index + 1).some(([next]) => isWrite(next));
      if (hasSucceeded(one) && isNeeded) note(versionIn(one));
    } else if (isExport(one) && marked !== undefined) {
      steps.push(
        say('The export, up to half a minute later:'),
        answered(one),
        ...markedExport(one, baseUrl, violation),
      );
    } else {
      const path = urlIn(one.request.url, baseUrl);
      if (path === undefined) return undefined;
      const isOfTask = taskIdOf(one) === taskId;
      const { pathname } = new URL(one.request.url);
      const read = isOfTask ? 'read_task' : `${curl} ${path} -H "apikey: $API_KEY"`;
      const shown = field === undefined ? beginningOf(read) : `${read} | show`;
      steps.push(
        say(isOfTask ? 'The task as it is then:' : `${one.request.method} ${pathname}`),
        answered(one),
        isShown || isKept ? `now=$(${shown}); echo "$now"` : `${shown}; echo`,
      );
    }
  }
  // Versions that nothing is sent with need not be read.
  const isUsed = (step: string): boolean => {
    const name = /^(V\d+)=/.exec(step)?.[1];
    return name === undefined || steps.some((one) => new RegExp(`\\$\\{?${name}\\b`).test(one));
  };
  const needed = steps.filter(isUsed);
  const used = needed.join('\n');
  return [
    `TASK=${shellQuoted(taskId)}`,
    ...folder,
    '# Reads the task; prints its version; writes with a version and a body, and prints the status.',
    `read_task() { ${curl} "$BASE/tasks/$TASK" -H "apikey: $API_KEY"; }`,
    `version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }`,
    ...(/^(?:now=\$\()?put /m.test(used) ? [putFunction] : []),
    ...(/\bshow\b/.test(used) ? [showFunction(field ?? '')] : []),
    ...(marked === undefined ? [] : ['MARK=$(date +%s)$$']),
    ...(isOfEmail(violation) ? mailboxLines(place.target) : []),
    `echo ${shellQuoted(`Writes ${timesText(timesOf(sent.filter(isWrite)))} to task ${taskId}, and leaves it so.`)}`,
    ...needed,
    ...(changing === undefined ? [] : ['now=$(read_task | show)']),
    ...(isOfEmail(violation) ? afterTheWrite : []),
    ...closing(violation, changing === undefined ? {} : { isBefore: true }),
  ];
}

/** How often is written, at most. */
function timesOf(writes: readonly Exchange[]): number {
  return groupsOf(writes).reduce(
    (sum, group) => sum + group.length * (group.length > 1 ? rounds : 1),
    0,
  );
}

/** Writes that were under way at the same time together, all else by itself. */
function groupsOf(exchanges: readonly Exchange[]): [Exchange, ...Exchange[]][] {
  const groups: [Exchange, ...Exchange[]][] = [];
  for (const one of exchanges) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && isWrite(before) && isWrite(one) && areTogether(before, one))
      group.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** So often writes are sent at the same time: they do not always arrive so. */
const rounds = 5;

const curl = 'curl -sS -g';

/** Answers are kept in a folder of their own. */
const folder = ['cd "$(mktemp -d)" && echo "Files go to $PWD"'];

/** The beginning of what a command prints, on one line that any terminal can show. */
function beginningOf(command: string): string {
  return `${command} | head -c 300 | LC_ALL=C tr -c '[:print:]' ' '`;
}

const writeOptions = "-o answer -w '%{http_code}\\n'";

const putFunction = `put() { ${curl} -X PUT "$BASE/tasks/$TASK/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $1" -H 'Content-Type: application/json' --data-binary "$2" ${writeOptions}; }`;

/** Prints the field that the violation is about. */
function showFunction(field: string): string {
  const value = `("([^"\\\\]|\\\\.)*"|\\{[^}]*\\}|[^,}]*)`;
  return `show() { grep -oE ${shellQuoted(`"${field}" *: *${value}`)} | head -n 1; }`;
}

/** The name of the last part of the field; undefined where the violation is about none of a task. */
function shownField({ difference }: ViolationResult): string | undefined {
  if (difference?.kind !== 'field' || difference.of !== 'task') return undefined;
  return difference.fields[0]?.split('.').at(-1);
}

/** @param marked the body, as an argument, in place of the one that was sent */
function writeCommand(
  { request }: Exchange,
  taskId: string,
  baseUrl: string,
  versions: ReadonlyMap<string, string>,
  marked: string | undefined,
): string {
  const { url, headers, body = '' } = request;
  const data = marked ?? shellQuoted(body);
  const of = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const isPlain =
    headers.length === 3 &&
    of('content-type') === 'application/json' &&
    of('if-match') &&
    request.key === undefined &&
    url === `${baseUrl}/tasks/${taskId}/update-assignment`;
  const version = (header: string): string => withVersions(header, versions);
  if (isPlain) return `put ${version(of('if-match') ?? '')} ${data}`;
  const parts = headers.map(([name, value]) =>
    name.toLowerCase() === 'if-match' && value !== ''
      ? `-H ${version(`${name}: ${value}`)}`
      : renderHeader(name, value, request),
  );
  const address = urlIn(url, baseUrl) ?? withKey(url);
  return `${curl} -X PUT ${address} ${parts.join(' ')} --data-binary ${data} ${writeOptions}`;
}

/** Whether a write was accepted that should have been refused. */
function isToBeRefused(
  { difference }: ViolationResult,
  blamed: readonly Exchange[],
  write: Exchange,
): boolean {
  return difference?.kind === 'status' && difference.expected !== '2xx' && blamed.includes(write);
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
  const place = version.search(/\d\D*$/);
  const before = inDoubleQuotes(text.slice(0, text.length - version.length));
  return `"${before}\${${name}:0:${place}}$(( (\${${name}:${place}:1} + 1) % 10 ))\${${name}:${place + 1}}"`;
}

/** The address with the base as a variable; undefined where it is another one. */
function urlIn(url: string, baseUrl: string): string | undefined {
  if (!url.startsWith(`${baseUrl}/`)) return undefined;
  const rest = withKey(url.slice(baseUrl.length));
  return `"$BASE"${rest}`;
}

/**
 * The body of a write, as an argument, with a mark in its comment that tells its event from that of the run; undefined where
 * it has none.
 */
function markedBody(write: Exchange | undefined): string | undefined {
  const { body = '' } = write?.request ?? {};
  const place = /"assignment_comment":"/.exec(body);
  if (place === null) return undefined;
  const end = place.index + place[0].length;
  return `${shellQuoted(body.slice(0, end))}"$MARK "${shellQuoted(body.slice(end))}`;
}

/** An export of what was just written: without the range of the run, which is over. */
function markedExport(
  { request }: Exchange,
  baseUrl: string,
  { difference }: ViolationResult,
): string[] {
  const url = new URL(request.url);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => !/^range_(?:start|end)=/.test(part))
    .join('&');
  const file = /(?:^|&)file_type=pdf/.test(kept) ? 'export.pdf' : 'export.csv';
  const address = urlIn(`${url.origin}${url.pathname}?${kept}`, baseUrl) ?? shellQuoted(url.href);
  const text = file === 'export.pdf' ? 'pdftotext export.pdf -' : 'cat export.csv';
  const lines = difference?.kind === 'field' ? 'grep -a -A 5 "$MARK"' : 'grep -ac "$MARK"';
  return [
    `for i in 1 2 3 4 5 6 7 8 9 10; do ${curl} ${address} -H "apikey: $API_KEY" -o ${file}; ${text} | grep -aq "$MARK" && break; sleep 3; done`,
    `now=$(${text} | ${lines})`,
  ];
}

// Requests that only read

function readLines({ violation, baseUrl, sent, blamed }: Place): string[] {
  const { difference } = violation;
  const names = new Map(
    sent.map((one, index) => [one.number, `${index + 1}.${fileTypeOf(one)}`] as const),
  );
  const named = (numbers: readonly number[]): string[] =>
    numbers.flatMap((number) => names.get(number) ?? []);
  const requests = sent.flatMap((one) => {
    const address = urlIn(one.request.url, baseUrl) ?? withKey(one.request.url);
    const headers = one.request.headers.map(([name, value]) =>
      renderHeader(name, value, one.request),
    );
    return [
      answered(one),
      `get ${names.get(one.number)} ${[address, ...headers].join(' ')}`,
      ...(one === blamed[0] ? ['now=$status'] : []),
    ];
  });
  const files = named(blamed.map(({ number }) => number));
  const [file = ''] = files;
  const isJson = sent.every(
    ({ response }) => response !== undefined && /json/i.test(mediaType(response)),
  );
  const field = isJson ? shownField(violation) : undefined;
  const get = `get() { name=$1; shift; : > "$name"; status=$(${curl} "$@" -o "$name" -w '%{http_code}'); echo "$name: $status, $(wc -c < "$name" | tr -d ' ') bytes"; }`;
  const about = '# Sends a request, keeps the answer in a file, and prints its status and size.';
  const common = [...folder, about, get, ...requests];
  switch (difference?.kind) {
    case 'status':
      return [...common, ...closing(violation)];
    case 'events': {
      const others = named(difference.expectedFrom?.exchanges ?? []);
      return [...common, ...comparedFiles(violation, difference, files, others)];
    }
    case 'dates':
      return [...common, ...shownDates(violation, difference, files)];
    case 'bound':
      return [
        ...common,
        ...comparedPair(files),
        ...closing(violation, {
          expected: sameRows,
          ran: 'the first lacks the event of that very instant',
        }),
      ];
    default:
      if (field !== undefined) {
        return [
          ...common,
          showFunction(field),
          `for file in ${[...names.values()].join(' ')}; do show < $file; done`,
          `now=$(show < ${file})`,
          ...closing(violation),
        ];
      }
      if (files.length > 1 && files.every((name) => name.endsWith('.csv'))) {
        return [...common, ...comparedPair(files), ...closing(violation)];
      }
      return [...common, `now="$now, $(${beginningOf(`cat ${file}`)})"`, ...closing(violation)];
  }
}

const sameRows = 'lines that differ: 0';

/** Prints what differs between two files, in whatever order their lines are. */
function comparedPair([one = '', other = '']: readonly string[]): string[] {
  return [
    `sort ${one} > one; sort ${other} > other`,
    `echo ${shellQuoted(`What differs (< only in ${one}, > only in ${other}):`)}; diff one other | grep -a '^[<>]' | head -n 8`,
    `now="lines that differ: $(diff one other | grep -ac '^[<>]')"`,
  ];
}

/** Prints the same event as both files show it. */
function shownDates(
  violation: ViolationResult,
  { mark, fileType }: DatesDifference,
  files: readonly string[],
): string[] {
  const [file = '', plain] = files;
  if (fileType === 'pdf') {
    return [
      needsPdftotext,
      `now="$(pdftotext -layout ${file} - | grep -a '[0-9]:[0-9]' | head -n 3)"`,
      ...closing(violation),
    ];
  }
  const rows = mark === undefined ? 'head -n 2' : `grep -aF -m 1 ${shellQuoted(mark)}`;
  return [
    ...(plain === undefined
      ? []
      : [`echo 'The same event without the timezone:'; ${rows} ${plain}`]),
    `now=$(${rows} ${file})`,
    ...closing(violation),
  ];
}

const needsPdftotext =
  "command -v pdftotext > /dev/null || echo 'This needs pdftotext, of poppler-utils.'";

/** Prints how many lines a file has too many and too few, measured by others, and the first of them. */
function comparedFiles(
  violation: ViolationResult,
  { expectedFrom, mark, fileType, of }: EventsDifference,
  files: readonly string[],
  others: readonly string[],
): string[] {
  const [file = '', csv = ''] = files;
  if (fileType === 'pdf' && mark !== undefined) {
    const text = shellQuoted(mark);
    return [
      needsPdftotext,
      `in_csv=$(grep -acF ${text} ${csv})`,
      `in_pdf=$(pdftotext ${file} - | tr -d '[:space:]' | grep -aoF ${text} | grep -c .)`,
      `now="$in_pdf in the PDF, $in_csv in the CSV"`,
      ...closing(violation, {
        expected: `${printableLine(mark)} as often in the PDF as in the CSV`,
      }),
    ];
  }
  const [one, ...more] = others;
  if (one === undefined || fileType === 'pdf') {
    const expected = of === 0 ? 'no events: at most a line of headings' : undefined;
    return [
      `head -n 3 ${file}`,
      `now="lines: $(wc -l < ${file} | tr -d ' ')"`,
      ...closing(violation, expected === undefined ? {} : { expected }),
    ];
  }
  const all = [
    `cat ${one} > expected`,
    ...more.map((other) => `grep -axFf ${other} expected > both; mv both expected`),
  ];
  const lines = expectedFrom?.together === 'all' ? all : [`cat ${others.join(' ')} > expected`];
  const which = `lines of ${others.join(expectedFrom?.together === 'all' ? ' and ' : ' or ')}`;
  return [
    ...lines,
    `echo 'The first line too many, and the first that is missing:'`,
    `grep -avxFf expected ${file} | head -n 1; grep -avxFf ${file} expected | head -n 1`,
    `now="$(grep -avxcFf expected ${file}) too many, $(grep -avxcFf ${file} expected) missing"`,
    ...closing(violation, { expected: `in ${file} the ${which}: 0 too many, 0 missing` }),
  ];
}

// What both have in common

/**
 * The last lines: what is right, what came in the run, and what came now.
 * @param told in place of what the violation says
 */
function closing(
  violation: ViolationResult,
  told: { readonly expected?: string; readonly ran?: string; readonly isBefore?: true } = {},
): string[] {
  const { difference } = violation;
  const isEvent = difference?.kind === 'field' && difference.of === 'recorded event';
  const of = difference?.kind === 'field' && !isEvent ? difference : violation;
  const { expected, actual } = shownBeside(of.expected, of.actual, 200);
  const line = (name: string, text: string): string =>
    `echo ${shellQuoted(printableLine(`${name.padEnd(12)}${text}`))}`;
  return [
    told.isBefore
      ? 'echo "Expected:   $before, as before the write"'
      : line('Expected:', told.expected ?? expected),
    line('In the run:', told.ran ?? actual),
    `echo "Now:        \${now:-nothing}"`,
  ];
}

function isWrite({ request }: Exchange): boolean {
  return request.method === 'PUT';
}

function isExport({ operation }: Exchange): boolean {
  return operation === 'export';
}

function hasSucceeded(exchange: Exchange | undefined): exchange is Exchange {
  const { response } = exchange ?? {};
  return response !== undefined && response.status < 300;
}

/** Without quotes about it. */
function ifMatchOf({ request }: Exchange): string | undefined {
  const header = request.headers.find(([name]) => name.toLowerCase() === 'if-match')?.[1];
  return header?.replace(/^"(.*)"$/, '$1') || undefined;
}

/** What a write sends, in short: "update, without a comment, with an empty If-Match". */
function sentText(write: Exchange): string {
  const { headers, body } = write.request;
  const header = headers.find(([name]) => name.toLowerCase() === 'if-match')?.[1];
  const condition =
    header === undefined ? ['without If-Match'] : header === '' ? ['with an empty If-Match'] : [];
  return [...bodyText(body), ...condition].join(', ') || 'as below';
}

/** Which object a body holds, and with what comment; nothing of one that is not like the document's. */
function bodyText(body: string | undefined): string[] {
  const [[kind, fields] = ['', null], ...others] = Object.entries(jsonObject(body) ?? {});
  if (others.length > 0 || !isObject(fields)) return [];
  const { assignment_comment: comment } = fields;
  if (comment === undefined) return [kind, 'without a comment'];
  if (comment === null) return [kind, 'with the comment null'];
  return [kind, comment === '' ? 'with an empty comment' : 'with a comment'];
}

function statusOf({ response }: Exchange): string {
  return response === undefined ? 'nothing' : `${response.status}`;
}

/** Whether two requests were under way at the same time. */
function areTogether(one: Exchange, other: Exchange): boolean {
  return other.startedAt < one.startedAt + one.durationMs;
}

function taskIdOf(exchange: Exchange | undefined): string | undefined {
  return exchange && /\/tasks\/([^/?]+)/.exec(exchange.request.url)?.[1];
}

function fileTypeOf({ operation, request }: Exchange): string {
  if (operation !== 'export') return 'json';
  return /[?&]file_type=pdf/.test(request.url) ? 'pdf' : 'csv';
}

/** The updated_at of the task in an answer. */
function versionIn({ response }: Exchange): string | undefined {
  if (response === undefined || response.status >= 300) return undefined;
  try {
    const task: unknown = JSON.parse(new TextDecoder().decode(response.body));
    const isObject = typeof task === 'object' && task !== null && 'updated_at' in task;
    return isObject && typeof task.updated_at === 'string' ? task.updated_at : undefined;
  } catch {
    return undefined;
  }
}
