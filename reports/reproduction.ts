import type { Exchange } from '../helpers/http/exchange.ts';
import type { EventsDifference, FieldDifference } from '../schemas/difference.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { shellQuoted } from './commands.ts';
import { shownBeside } from './difference.ts';
import { inDoubleQuotes, mediaType, renderHeader, withKey } from './exchange-text.ts';
import { printableLine } from './printable.ts';
import { timesText } from './wording.ts';

/*
 * A violation as a block of shell commands that shows it by itself when pasted: what must come before, the requests that
 * show it, with versions that are read anew, and what to look for. For POSIX shells with curl, grep and sed; of a PDF,
 * pdftotext. Nothing in it depends on history, on comments being taken, or on the directory that it is pasted in.
 */

/** Commands that show a violation by itself. */
export interface Reproduction {
  /** Lines of shell commands; they run in a subshell, and change nothing of the shell that they are pasted into. */
  readonly lines: readonly string[];
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
  const place = { violation, baseUrl: target.baseUrl, sent, blamed };
  const writes = sent.filter(isWrite);
  const body = writes.length > 0 ? taskLines(place) : exportLines(place);
  if (body === undefined) return undefined;
  const lines = ['(', ...[...opening(target, body), ...body].map((line) => `  ${line}`), ')'];
  if (lines.some((line) => line.length > maxLine)) return undefined;
  const taskId = taskIdOf(writes[0]);
  return taskId === undefined ? { lines } : { lines, writes: { taskId, times: writes.length } };
}

interface Place {
  readonly violation: ViolationResult;
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

/** The address and the key: that of the environment, or else of the file that the run had it from. */
function opening(
  { baseUrl, envFile = '.env' }: Results['target'],
  body: readonly string[],
): string[] {
  const text = body.join('\n');
  return [
    `BASE=${shellQuoted(baseUrl)}`,
    ...(text.includes('$API_KEY')
      ? [`API_KEY=\${API_KEY:-$(sed -n 's/^API_KEY=//p' ${shellQuoted(envFile)} | tr -d "\\"'")}`]
      : []),
  ];
}

// Writes, and reads of the tasks, assessments and exports after them

function taskLines(place: Place): string[] | undefined {
  const { violation, baseUrl, sent, blamed } = place;
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
  let number = 0;
  const say = (text: string): string =>
    `echo ${shellQuoted(printableLine(`${++number}. ${text}`))}`;
  const later = sent.filter((one) => one !== reading && (!isExport(one) || one === firstExport));
  for (const [index, one] of later.entries()) {
    const isShown = blamed.includes(one);
    const next = later[index + 1];
    if (isWrite(one)) {
      const isTogether = next !== undefined && isWrite(next) && areTogether(one, next);
      const wasTogether =
        index > 0 &&
        isWrite(later[index - 1] as Exchange) &&
        areTogether(later[index - 1] as Exchange, one);
      const command = writeCommand(
        one,
        taskId,
        baseUrl,
        versions,
        one === last ? marked : undefined,
      );
      const show = isShown && field !== undefined && isAnswerShown(violation) ? 'show' : 'status';
      steps.push(
        `${say(isShown ? `The write to look at, answered with ${statusOf(one)} in the run:` : `A write before it, answered with ${statusOf(one)} in the run:`)}`,
        `${command} | ${show}${isTogether ? ' &' : ''}`,
      );
      if (wasTogether && !isTogether) steps.push('wait');
      if (!isTogether && hasSucceeded(one) && later.slice(index + 1).some(isWrite))
        note(versionIn(one));
    } else if (isExport(one) && marked !== undefined) {
      steps.push(
        say('The export, up to half a minute later:'),
        ...markedExport(one, baseUrl, violation),
      );
    } else {
      const path = urlIn(one.request.url, baseUrl);
      if (path === undefined) return undefined;
      const isOfTask = taskIdOf(one) === taskId;
      steps.push(
        say(
          isOfTask
            ? 'The task as it is then:'
            : `${one.request.method} ${printableLine(new URL(one.request.url).pathname)}`,
        ),
        `${isOfTask ? 'read_task' : `${curl} ${path} -H "apikey: $API_KEY"`}${field === undefined ? ' && echo' : ' | show'}`,
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
    `read_task() { ${curl} "$BASE/tasks/$TASK" -H "apikey: $API_KEY"; }`,
    `version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }`,
    ...(/^put /m.test(used) ? [putFunction] : []),
    ...(used.includes('| status') ? ['status() { tail -n 1; }'] : []),
    ...(used.includes('| show') ? [showFunction(field ?? '')] : []),
    ...(marked === undefined ? [] : ['MARK=$(date +%s)$$']),
    `echo ${shellQuoted(`Writes ${timesText(sent.filter(isWrite).length)} to task ${taskId}, and leaves it so.`)}`,
    ...needed,
    lookFor(violation, marked !== undefined),
  ];
}

const curl = 'curl -sS -g';

const putFunction =
  'put() { curl -sS -g -X PUT "$BASE/tasks/$TASK/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $1" -H \'Content-Type: application/json\' --data-binary "$2" -w \'\\n%{http_code}\\n\'; }';

/** Prints the field that the violation is about, and the status of a write. */
function showFunction(field: string): string {
  const value = `("([^"\\\\]|\\\\.)*"|\\{[^}]*\\}|[^,}]*)`;
  return `show() { grep -oE ${shellQuoted(`"${field}" *: *${value}|^[0-9]{3}$`)}; }`;
}

/** The name of the last part of the field; undefined where the violation is about none of a task. */
function shownField({ difference }: ViolationResult): string | undefined {
  if (difference?.kind !== 'field' || difference.of !== 'task') return undefined;
  return difference.fields[0]?.split('.').at(-1);
}

/** Whether the wrong value is in the answer to a write, and not what writes are to leave alone. */
function isAnswerShown({ difference }: ViolationResult): boolean {
  return difference?.kind === 'field' && difference.write === undefined;
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
  return `${curl} -X PUT ${address} ${parts.join(' ')} --data-binary ${data} -w '\\n%{http_code}\\n'`;
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
  const lines = difference?.kind === 'field' ? `grep -a -A 5 "$MARK"` : 'grep -ac "$MARK"';
  return [
    'cd "$(mktemp -d)" && echo "Files go to $PWD"',
    `for i in 1 2 3 4 5 6 7 8 9 10; do ${curl} ${address} -H "apikey: $API_KEY" -o ${file}; ${text} | grep -aq "$MARK" && break; sleep 3; done`,
    `${text} | ${lines}`,
  ];
}

// Requests that only read

function exportLines(place: Place): string[] | undefined {
  const { violation, baseUrl, sent, blamed } = place;
  const { difference } = violation;
  const names = new Map(
    sent.map((one, index) => [one.number, `${index + 1}.${fileTypeOf(one)}`] as const),
  );
  const requests = sent.map((one) => {
    const address = urlIn(one.request.url, baseUrl) ?? withKey(one.request.url);
    const headers = one.request.headers.map(([name, value]) =>
      renderHeader(name, value, one.request),
    );
    return { name: names.get(one.number) ?? '', rest: [address, ...headers].join(' ') };
  });
  const [first] = blamed;
  const file = names.get(first?.number ?? 0);
  const others = difference?.kind === 'events' ? (difference.expectedFrom?.exchanges ?? []) : [];
  const expected = others.flatMap((number) => names.get(number) ?? []);
  return [
    'cd "$(mktemp -d)" && echo "Files go to $PWD"',
    `get() { name=$1; shift; ${curl} "$@" -o "$name" -w "$name: %{http_code}, %{size_download} bytes\\n"; }`,
    ...requests.map(({ name, rest }) => `get ${name} ${rest}`),
    ...(difference?.kind === 'events' && file !== undefined
      ? comparedFiles(
          difference,
          file,
          expected,
          blamed.map(({ number }) => names.get(number) ?? ''),
        )
      : shownFiles(
          violation,
          requests.map(({ name }) => name),
          sent,
        )),
    lookFor(violation, false),
  ];
}

/** Prints how many lines a file has too many and too few, measured by others, and the first of them. */
function comparedFiles(
  { expectedFrom, mark, fileType }: EventsDifference,
  file: string,
  others: readonly string[],
  blamed: readonly string[],
): string[] {
  const [, csv] = blamed;
  if (fileType === 'pdf' && csv !== undefined && mark !== undefined) {
    return [
      "command -v pdftotext > /dev/null || echo 'This needs pdftotext, of poppler-utils.'",
      `echo ${shellQuoted(`How often ${printableLine(mark)} is in the CSV, and in the PDF:`)}`,
      `grep -acF ${shellQuoted(mark)} ${csv}`,
      `pdftotext ${file} - | tr -d '[:space:]' | grep -aoF ${shellQuoted(mark)} | grep -c .`,
    ];
  }
  const [one, ...more] = others;
  if (one === undefined || fileType === 'pdf') {
    return [`wc -l ${blamed.join(' ')}`, `head -n 3 ${blamed.join(' ')}`];
  }
  const all = [
    `cat ${one} > expected.csv`,
    ...more.map((other) => `grep -axFf ${other} expected.csv > both.csv; mv both.csv expected.csv`),
  ];
  const lines = expectedFrom?.together === 'all' ? all : [`cat ${others.join(' ')} > expected.csv`];
  return [
    ...lines,
    `echo "Lines too many in ${file}: $(grep -avxcFf expected.csv ${file}); the first:"`,
    `grep -avxFf expected.csv ${file} | head -n 2`,
    `echo "Lines missing in ${file}: $(grep -avxcFf ${file} expected.csv); the first:"`,
    `grep -avxFf ${file} expected.csv | head -n 2`,
  ];
}

function shownFiles(
  violation: ViolationResult,
  files: readonly string[],
  sent: readonly Exchange[],
): string[] {
  const field = shownField(violation);
  const { difference } = violation;
  if (difference?.kind === 'status') return [];
  if (difference?.kind === 'bound') return [`diff ${files.join(' ')}`];
  const isJson = sent.every(
    ({ response }) => response !== undefined && /json/i.test(mediaType(response)),
  );
  if (isJson && field !== undefined) {
    return [showFunction(field), `for file in ${files.join(' ')}; do show < $file; done`];
  }
  return [`head -n 3 ${files.join(' ')}`];
}

// What both have in common

/** The last line: what is right, and what the fault shows. */
function lookFor(violation: ViolationResult, isMarked: boolean): string {
  return `echo ${shellQuoted(`LOOK FOR: ${printableLine(lookedFor(violation, isMarked))}`)}`;
}

function lookedFor({ difference, ...violation }: ViolationResult, isMarked: boolean): string {
  const { expected, actual } = shownBeside(violation.expected, violation.actual, 200);
  switch (difference?.kind) {
    case 'status':
      return `status ${expected}; with the fault it is ${actual}.`;
    case 'field':
      return isMarked && difference.write !== undefined
        ? 'no line is right; with the fault the event of the refused write is there.'
        : fieldLook(difference);
    case 'bound':
      return `the first file is to hold the event whose time is its ${difference.bound}; with the fault only the second does, which the difference shows.`;
    case 'events':
      return eventsLook(difference, expected, actual, isMarked);
    default:
      return `expected: ${expected}; with the fault: ${actual}.`;
  }
}

function fieldLook(difference: FieldDifference): string {
  const { expected, actual } = shownBeside(difference.expected, difference.actual, 200);
  const field = difference.fields[0]?.split('.').at(-1);
  return difference.write === undefined
    ? `${field} is to be ${expected}; with the fault it is ${actual}.`
    : `${field} is to be as it was before the write: ${expected}; with the fault it is ${actual}.`;
}

function eventsLook(
  { mark, fileType, missing, of, expectedFrom }: EventsDifference,
  expected: string,
  actual: string,
  isMarked: boolean,
): string {
  if (isMarked) {
    return missing > 0
      ? 'the number of lines is to be 1 or more; with the fault it is 0.'
      : 'the number of lines is to be 0; with the fault it is 1 or more.';
  }
  if (fileType === 'pdf' && mark !== undefined) {
    return 'both numbers are to be the same; with the fault the PDF has fewer.';
  }
  if (of === 0) {
    return `no more than a line of headings is right; with the fault there are ${actual}.`;
  }
  return expectedFrom === undefined
    ? `expected: ${expected}; with the fault: ${actual}.`
    : 'both numbers are to be 0; with the fault they are not.';
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
