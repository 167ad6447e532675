import { type Exchange, headerOf } from '../../helpers/http/exchange.ts';
import { jsonObject } from '../../helpers/json-object.ts';
import { isObject } from '../../helpers/validation.ts';
import { shellQuoted } from '../commands.ts';
import { renderHeader, withKey } from '../exchange-text.ts';
import { counted, type Times } from '../wording.ts';
import { curl, isWrite, urlIn } from './shell.ts';
import type { Versions } from './versions.ts';

/*
 * Writes as commands: one by itself, or several at the same time.
 */

/** How often is written: simultaneous writes are sent again where they do not arrive so. */
export function timesOf(writes: readonly Exchange[]): Times {
  const again = groupsOf(writes)
    .filter(({ length }) => length > 1)
    .reduce((sum, { length }) => sum + length * (rounds - 1), 0);
  return { least: writes.length, most: writes.length + again };
}

/** Writes that were under way at the same time together, all else by itself. */
export function groupsOf(exchanges: readonly Exchange[]): [Exchange, ...Exchange[]][] {
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

export const putFunction = `put() { ${curl} -X PUT "$BASE/tasks/$TASK/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $1" -H 'Content-Type: application/json' --data-binary "$2" ${writeOptions}; }`;

/**
 * A write as one command, which prints the status.
 * @param marked the body, as an argument, in place of the one that was sent
 * @param isSaid whether the If-Match was said before, and is in `$sent`
 */
export function writeCommand(
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
    readonly versions: Versions;
    readonly marked: string | undefined;
    readonly isSaid: boolean;
  },
): string {
  const { request } = write;
  const { url, headers, body = '' } = request;
  const data = marked ?? bodyArgument(body);
  const isPlain =
    headers.length === 3 &&
    headerOf(request, 'content-type') === 'application/json' &&
    headerOf(request, 'if-match') &&
    request.key === undefined &&
    url === `${baseUrl}/tasks/${taskId}/update-assignment`;
  const sent = versions.sentWith(write);
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

/** Text that a program has repeated to make a comment long: it is repeated by the command too. */
const repeated = /([\p{L}\d ,.]{2,40}?)\1{9,}/u;

/** A body, as an argument; what is repeated in it stands there once. */
export function bodyArgument(body: string): string {
  const found = repeated.exec(body);
  if (found === null) return shellQuoted(body);
  const [all, unit = ''] = found;
  const end = found.index + all.length;
  const times = all.length / unit.length;
  return `${shellQuoted(body.slice(0, found.index))}"$(printf '${unit}%.0s' $(seq ${times}))"${bodyArgument(body.slice(end))}`;
}

/**
 * Sends writes at the same time; again where they did not arrive so, with a version that is read anew.
 * @param version the variable that holds it
 */
export function raceLines(writes: readonly string[], version: string | undefined): string[] {
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
export function isOfRace(writes: number): string {
  return `echo "$now" | grep -qE '${statusesOfRace(writes)}'`;
}

function statusesOfRace(writes: number): string {
  return `^2[0-9]{2}${' 409'.repeat(writes - 1)}$`;
}

/** What a write sends, in short: "update, 67447d94 to user ab791132, without a comment, with an empty If-Match". */
export function sentText(write: Exchange): string {
  const { body } = write.request;
  const header = headerOf(write.request, 'if-match');
  const condition =
    header === undefined ? ['without If-Match'] : header === '' ? ['with an empty If-Match'] : [];
  return [...bodyText(body), ...condition].join(', ') || 'as below';
}

/** Which object a body holds, and with what comment; nothing of one that is not like the document's. */
function bodyText(body: string | undefined): string[] {
  const [[kind, fields] = ['', null], ...others] = Object.entries(jsonObject(body) ?? {});
  if (others.length > 0 || !isObject(fields)) return [];
  return [kind, ...peopleText(fields), commentText(fields.assignment_comment)];
}

function commentText(comment: unknown): string {
  if (comment === undefined) return 'without a comment';
  if (comment === null) return 'with the comment null';
  if (comment === '') return 'with an empty comment';
  const isLong = typeof comment === 'string' && comment.length > 100;
  return isLong ? `with a comment of ${counted(comment.length, 'character')}` : 'with a comment';
}

/** By whom it is made, and to whom it assigns, by the beginnings of their ids: "67447d94 to user ab791132". */
function peopleText(fields: Readonly<Record<string, unknown>>): string[] {
  const { assigned_by_id: by, assigned_to_id: to, assigned_to_type: type } = fields;
  const short = (id: unknown): string[] => (typeof id === 'string' ? [id.slice(0, 8)] : []);
  const kind = type === 'TEAM' ? 'team ' : type === 'USER' ? 'user ' : '';
  const parts = [...short(by), ...short(to).map((id) => `to ${kind}${id}`)];
  return parts.length === 0 ? [] : [parts.join(' ')];
}

export function statusOf({ response }: Exchange): string {
  return response === undefined ? 'nothing' : `${response.status}`;
}

/** Whether two requests were under way at the same time. */
function areTogether(one: Exchange, other: Exchange): boolean {
  return other.startedAt < one.startedAt + one.durationMs;
}

/** In an order of its own: simultaneous writes have none. */
export function statusesOf(race: readonly Exchange[]): string[] {
  return race.map(statusOf).sort();
}

/** Whether one of simultaneous writes was accepted, and all others were refused. */
export function isRaceAsExpected(race: readonly Exchange[]): boolean {
  return new RegExp(statusesOfRace(race.length)).test(statusesOf(race).join(' '));
}
