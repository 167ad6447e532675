import type { Exchange } from '../../helpers/http/exchange.ts';
import { jsonObject } from '../../helpers/json-object.ts';
import { isObject } from '../../helpers/validation.ts';
import type { FieldDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { answered, inDoubleQuotes, renderHeader, withKey } from '../exchange-text.ts';
import { printableLine } from '../printable.ts';
import { counted, timesText } from '../wording.ts';
import { closing, type Told, unseen } from './ending.ts';
import { afterTheWrite, beforeTheWrite, mailboxLines } from './mailbox-commands.ts';
import { puttingBack } from './putting-back.ts';
import {
  beginningOf,
  curl,
  folder,
  isExport,
  isOfEmail,
  isWrite,
  type Place,
  showFunctions,
  shownField,
  taskIdOf,
  urlIn,
  withoutFolder,
} from './shell.ts';

/*
 * Commands that write to a task, and read tasks, assessments and exports after that.
 */

/** Commands that write to the task as the run did, and show what is wrong; undefined where that takes what no command can send. */
export function taskLines(place: Place): string[] | undefined {
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
    const name = `V${versions.size}`;
    steps.push(`${name}=$(version)`);
  };
  const [firstWrite] = sent.filter(isWrite);
  const [reading] = own.filter((one) => !isWrite(one) && one.number < (firstWrite?.number ?? 0));
  // What was accepted had the version that was current then, unless that is what is wrong with it.
  const isRight = hasSucceeded(firstWrite) && !isToBeRefused(violation, blamed, firstWrite);
  note(isRight ? ifMatchOf(firstWrite) : reading && versionIn(reading));
  const isOfUnknown = difference?.kind === 'status' && difference.expected === '404';
  const isMarked = sent.some(isExport);
  const last = sent.findLast(isWrite);
  const marked = isMarked ? markedBody(last) : undefined;
  if (isMarked && marked === undefined) return undefined;
  const [firstExport] = [...blamed, ...sent].filter(isExport);
  // What writes are to leave alone is compared with what was there before.
  const isKept =
    difference?.kind === 'field' &&
    (difference.write !== undefined || difference.stays === true) &&
    !isMarked;
  const changing = isKept ? blamed.find(isWrite) : undefined;
  const blamedWrite = blamed.find(isWrite);
  let told: Told =
    changing !== undefined
      ? toldOfBefore(violation)
      : isOfEmail(violation)
        ? toldOfEmail(violation)
        : isMarked
          ? toldOfMark(violation)
          : {};
  let number = 0;
  const say = (text: string): string =>
    `echo ${shellQuoted(printableLine(`${++number}. ${text}`))}`;
  const later = sent.filter((one) => one !== reading && (!isExport(one) || one === firstExport));
  const command = (write: Exchange, isSaid: boolean): string =>
    writeCommand(write, {
      taskId,
      baseUrl,
      versions,
      marked: write === last ? marked : undefined,
      isSaid,
    });
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
      const statuses = group.map(statusOf).sort();
      steps.push(
        say(
          `${group.length} writes at the same time, answered with ${statuses.join(', ')} in the run:`,
        ),
        ...group.map(answered),
        ...raceLines(
          group.map((write) => command(write, false)),
          [...versions.values()].at(-1),
        ),
      );
      // Else it is what they leave behind that is wrong.
      if (!new RegExp(statusesOfRace(group.length)).test(statuses.join(' '))) {
        told = { isRight: isOfRace(group.length) };
      }
    } else if (isWrite(one)) {
      const isToLookAt = blamed.includes(one) || (one === last && marked !== undefined);
      const what = isToLookAt ? 'The write to look at' : 'First a write';
      const version = versionOf(one, versions);
      if (one === last && marked !== undefined) steps.push('export_events > earlier');
      steps.push(
        say(`${what} (${sentText(one)}), answered with ${statusOf(one)} in the run:`),
        answered(one),
        ...(version === undefined
          ? []
          : [
              ...(isToLookAt ? ['echo "   updated_at: $(version)"'] : []),
              // An unknown id that finds a task has the version of that.
              `sent=${isOfUnknown ? `$(version); sent=\${sent:-${version}}` : isOfCurrent(violation, blamed, one) ? '$(version)' : version}; echo "   If-Match:   $sent"`,
            ]),
        `now=$(${command(one, version !== undefined)}); echo "   answer:     $now"`,
        // What a write that was to come before has not done shows nothing.
        ...(hasSucceeded(one) && !isToBeRefused(violation, blamed, one) && !blamed.includes(one)
          ? ['accepted']
          : []),
        ...(isShown && field !== undefined ? ['now=$(show < answer)'] : []),
      );
      const isNeeded = groups.slice(index + 1).some(([next]) => isWrite(next));
      if (hasSucceeded(one) && isNeeded) note(versionIn(one));
    } else if (isExport(one) && marked !== undefined) {
      steps.push(say('The export of the events:'), answered(one), ...markedExport(one, violation));
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
  return [
    `TASK=${shellQuoted(taskId)}`,
    ...folder,
    '# Reads the task; prints its version; writes with a version and a body, and prints the status.',
    `read_task() { ${curl} "$BASE/tasks/$TASK" -H "apikey: $API_KEY" "$@"; }`,
    `version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }`,
    putFunction,
    ...(steps.some((step) => step === 'accepted')
      ? [
          `accepted() { case $now in 2*) ;; *) echo "That write was not accepted: what comes after it shows nothing."; exit ${unseen};; esac; }`,
        ]
      : []),
    ...(steps.some((step) => /\bshow\b/.test(step)) ? showFunctions(field ?? '') : []),
    ...(marked === undefined || firstExport === undefined
      ? []
      : ['MARK=$(date +%s)$$', ...exportFunction(firstExport, baseUrl)]),
    ...(isOfEmail(violation) ? mailboxLines(place.target) : []),
    `echo ${shellQuoted(`Writes ${timesText(timesOf(sent.filter(isWrite)))} to task ${taskId}, then assigns it as it was; who it is assigned to gets email.`)}`,
    ...(isOfUnknown
      ? [
          "accepts_key() { case $(read_task -o /dev/null -w '%{http_code}') in 000|401) false;; esac; }",
        ]
      : []),
    `${isOfUnknown ? 'accepts_key' : '[ -n "$(version)" ]'} || { echo "The task cannot be read at $BASE: nothing is to be seen."; ${withoutFolder}; exit ${unseen}; }`,
    ...puttingBack(sent.filter(isWrite)),
    ...withoutUnusedVersions(steps),
    ...(changing === undefined ? [] : ['now=$(read_task | show)']),
    ...(isOfEmail(violation) ? afterTheWrite : []),
    ...closing(violation, told),
  ];
}

/** Versions that nothing is sent with need not be read. */
function withoutUnusedVersions(steps: readonly string[]): string[] {
  return steps.filter((step) => {
    const name = /^(V\d+)=/.exec(step)?.[1];
    const isIn = (other: string): boolean =>
      other !== step && new RegExp(`\\$\\{?${name}\\b`).test(other);
    return name === undefined || steps.some(isIn);
  });
}

/**
 * Sends writes at the same time; again where they did not arrive so, with a version that is read anew.
 * @param version the variable that holds it
 */
function raceLines(writes: readonly string[], version: string | undefined): string[] {
  return [
    '# Each in the background, so that they arrive together; again where they did not.',
    `for round in ${Array.from({ length: rounds }, (_, round) => round + 1).join(' ')}; do`,
    ...(version === undefined ? [] : [`${version}=$(version)`]),
    'now=$({',
    ...writes.map((write) => `${write} &`),
    "wait; } | sort | paste -s -d ' ' -)",
    'echo "$now"',
    `${isOfRace(writes.length)} || break`,
    'done',
  ];
}

/** A command that succeeds where one of several simultaneous writes is accepted, and all others are refused. */
function isOfRace(writes: number): string {
  return `echo "$now" | grep -qE '${statusesOfRace(writes)}'`;
}

function statusesOfRace(writes: number): string {
  return `^2[0-9]{2}${' 409'.repeat(writes - 1)}$`;
}

/** What was there before is to stay, or to be another one. */
function toldOfBefore({ difference }: ViolationResult): Told {
  if (difference?.kind !== 'field' || difference.stays !== true) return { isBefore: true };
  return {
    expected: 'another value than before the write',
    isRight: '[ -n "$now" ] && [ "$now" != "$before" ]',
  };
}

/** One message at least, or none; how many the members of a team should get is not known here. */
function toldOfEmail({ difference }: ViolationResult): Told {
  const wrong = difference?.kind === 'other' ? difference.wrong : '';
  const isAny = wrong === 'sends no email to the user';
  if (!isAny && wrong !== 'sends email') return {};
  // Without a mailbox that can be read nothing is known.
  return {
    isRight: `[ "\${new:-${isAny ? 0 : 1}}" -${isAny ? 'gt' : 'eq'} 0 ]`,
    isWrong: '[ -n "$new" ]',
  };
}

/** Whether an event that holds the mark should be there, and what it should hold. */
function toldOfMark({ difference }: ViolationResult): Told {
  if (difference?.kind === 'field') return toldOfComment(difference);
  if (difference?.kind !== 'events') return {};
  return { isRight: difference.missing > 0 ? '[ "$count" -gt 0 ]' : '[ "$count" -eq 0 ]' };
}

/** How often is written, at most. */
export function timesOf(writes: readonly Exchange[]): number {
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

const writeOptions = "-o answer -w '%{http_code}\\n'";

const putFunction = `put() { ${curl} -X PUT "$BASE/tasks/$TASK/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $1" -H 'Content-Type: application/json' --data-binary "$2" ${writeOptions}; }`;

/**
 * @param marked the body, as an argument, in place of the one that was sent
 * @param isSaid whether the If-Match was said before, and is in `$sent`
 */
function writeCommand(
  write: Exchange,
  {
    taskId,
    baseUrl,
    versions,
    marked,
    isSaid,
  }: {
    readonly taskId: string;
    readonly baseUrl: string;
    readonly versions: ReadonlyMap<string, string>;
    readonly marked: string | undefined;
    readonly isSaid: boolean;
  },
): string {
  const { request } = write;
  const { url, headers, body = '' } = request;
  const data = marked ?? bodyArgument(body);
  const of = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const isPlain =
    headers.length === 3 &&
    of('content-type') === 'application/json' &&
    of('if-match') &&
    request.key === undefined &&
    url === `${baseUrl}/tasks/${taskId}/update-assignment`;
  const sent = of('if-match') ? versionOf(write, versions) : undefined;
  const version = isSaid ? '"$sent"' : (sent ?? "''");
  if (isPlain) return `put ${version} ${data}`;
  const parts = headers.map(([name, value]) =>
    name.toLowerCase() === 'if-match' && value !== ''
      ? `-H ${isSaid ? `"${name}: $sent"` : `"${name}: "${version}`}`
      : renderHeader(name, value, request),
  );
  const address = urlIn(url, baseUrl) ?? withKey(url);
  return `${curl} -X PUT ${address} ${parts.join(' ')} --data-binary ${data} ${writeOptions}`;
}

/** The If-Match of a write, as an argument; undefined where it has none, or an empty one. */
function versionOf(
  { request }: Exchange,
  versions: ReadonlyMap<string, string>,
): string | undefined {
  const [, header] = request.headers.find(([name]) => name.toLowerCase() === 'if-match') ?? [];
  return header === undefined || header === '' ? undefined : withVersions(header, versions);
}

/** Whether a write was to be accepted: it is, with the version that is read then. */
function isOfCurrent(
  { difference }: ViolationResult,
  blamed: readonly Exchange[],
  write: Exchange,
): boolean {
  return difference?.kind === 'status' && difference.expected === '2xx' && blamed.includes(write);
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

/** Text that a program has repeated to make a comment long: it is repeated by the command too. */
const repeated = /([\p{L}\d ,.]{2,40}?)\1{9,}/u;

/** A body, as an argument; what is repeated in it stands there once. */
function bodyArgument(body: string): string {
  const found = repeated.exec(body);
  if (found === null) return shellQuoted(body);
  const [all, unit = ''] = found;
  const end = found.index + all.length;
  const times = all.length / unit.length;
  return `${shellQuoted(body.slice(0, found.index))}"$(printf '${unit}%.0s' $(seq ${times}))"${bodyArgument(body.slice(end))}`;
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
  return `${shellQuoted(body.slice(0, end))}"$MARK "${bodyArgument(body.slice(end))}`;
}

/** Downloads an export of what is written now: without the range of the run, which is over. */
function exportFunction({ request }: Exchange, baseUrl: string): string[] {
  const url = new URL(request.url);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => !/^range_(?:start|end)=/.test(part))
    .join('&');
  const address = urlIn(`${url.origin}${url.pathname}?${kept}`, baseUrl) ?? shellQuoted(url.href);
  return [
    '# Exports the events, and prints them as text.',
    `export_events() { ${curl} ${address} -H "apikey: $API_KEY" -o export; ${isOfPdf(request.url) ? 'pdftotext export -' : 'cat export'}; }`,
  ];
}

function isOfPdf(url: string): boolean {
  return /[?&]file_type=pdf/.test(url);
}

/** Looks for what was just written, and shows what has been recorded since; before the last write, what there was is noted. */
function markedExport({ request }: Exchange, { difference }: ViolationResult): string[] {
  return [
    'printf %s "   Looked for comments with $MARK, for half a minute at the most:"',
    'for waited in 0 3 6 9 12 15 18 21 24 27; do',
    'export_events > events; grep -aq "$MARK" events && break',
    'printf %s " $((waited + 3)) s"; sleep 3',
    'done; echo',
    // Lines of a PDF are no events.
    ...(isOfPdf(request.url)
      ? []
      : [
          `echo '   The headings, and what has been recorded since the last write:'`,
          'head -n 1 events; grep -avxFf earlier events | head -n 5 | cut -c 1-300',
        ]),
    ...(difference?.kind === 'field'
      ? [
          `grep -a -A ${linesOf(difference.expected).length} "$MARK" events > recorded`,
          `now=$(${beginningOf('cat recorded')})`,
        ]
      : ['count=$(grep -ac "$MARK" events); now="$count with the comment"']),
  ];
}

/** The comment of a recorded event, line by line: quotes are doubled in a CSV. */
function toldOfComment({ expected, actual }: FieldDifference): Told {
  const [right, wrong] = [linesOf(expected), linesOf(actual)];
  if (right.length === 0 || wrong.length === 0) return {};
  const holds = (lines: readonly string[]): string =>
    lines
      .map(
        (line) =>
          `grep -aqF -e ${shellQuoted(line)} -e ${shellQuoted(line.replaceAll('"', '""'))} recorded`,
      )
      .join(' && ');
  // What was cut is found in what is whole as well.
  const isPart = right.join('\n').includes(wrong.join('\n'));
  return {
    isRight: isPart ? holds(right) : `${holds(right)} && ! { ${holds(wrong)}; }`,
    isWrong: holds(wrong),
  };
}

/** The lines of a text that is given as JSON; none where it is none, or too long to compare. */
function linesOf(json: string): string[] {
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text !== 'string' || text.length > maxCompared) return [];
    return text.split(/\r?\n/).filter((line) => line !== '');
  } catch {
    return [];
  }
}

const maxCompared = 5000;

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
  if (comment === '') return [kind, 'with an empty comment'];
  const isLong = typeof comment === 'string' && comment.length > 100;
  return [
    kind,
    isLong ? `with a comment of ${counted(comment.length, 'character')}` : 'with a comment',
  ];
}

function statusOf({ response }: Exchange): string {
  return response === undefined ? 'nothing' : `${response.status}`;
}

/** Whether two requests were under way at the same time. */
function areTogether(one: Exchange, other: Exchange): boolean {
  return other.startedAt < one.startedAt + one.durationMs;
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
