import type { Exchange } from '../../helpers/http/exchange.ts';
import { jsonObject } from '../../helpers/json-object.ts';
import { isObject } from '../../helpers/validation.ts';
import type { ClauseId } from '../../schemas/clauses.ts';
import type { FieldDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { answered } from '../exchange-text.ts';
import { printableLine } from '../printable.ts';
import { timesText } from '../wording.ts';
import { closing, type Told } from './ending.ts';
import { afterTheWrite, beforeTheWrite, mailboxLines } from './mailbox-commands.ts';
import { exportFunction, markedBody, markedExport, toldOfMark } from './marked-events.ts';
import { puttingBack } from './putting-back.ts';
import {
  beginningOf,
  curl,
  folder,
  isExport,
  isOfEmail,
  isWrite,
  type Place,
  pauseBefore,
  showFunctions,
  shownField,
  taskIdOf,
  unseen,
  urlIn,
  waiting,
  withoutFolder,
} from './shell.ts';
import { ifMatchOf, Versions, versionIn, withoutUnusedVersions } from './versions.ts';
import {
  groupsOf,
  isOfRace,
  isRaceAsExpected,
  putFunction,
  raceLines,
  sentText,
  statusesOf,
  statusOf,
  timesOf,
  writeCommand,
} from './write-commands.ts';

/*
 * Commands that write to a task, and read tasks, assessments and exports after that.
 */

/** Commands that write to the task as the run did, and show what is wrong; undefined where that takes what no command can send. */
export function taskLines(place: Place): string[] | undefined {
  const plan = planOf(place);
  const steps = plan && stepsOf(plan);
  if (plan === undefined || steps === undefined) return undefined;
  const { violation, sent, changing } = plan;
  return [
    ...functionsFor(steps, plan),
    ...opening(plan),
    ...puttingBack(sent.filter(isWrite)),
    ...steps,
    ...(changing === undefined ? [] : ['now=$(read_task | show)']),
    ...(isOfEmail(violation) ? afterTheWrite : []),
    ...closing(violation, toldOf(plan)),
  ];
}

/** What the steps call, and no more. */
function functionsFor(steps: readonly string[], plan: Plan): string[] {
  const { target, violation, baseUrl, taskId, field, marked, asked } = plan;
  return [
    `TASK=${shellQuoted(taskId)}`,
    ...folder,
    '# Reads the task; prints its version; writes with a version and a body, and prints the status.',
    `read_task() { ${curl} "$BASE/tasks/$TASK" -H "apikey: $API_KEY" "$@"; }`,
    `version() { read_task | grep -oE '"updated_at" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }`,
    putFunction,
    ...(steps.includes(accepted)
      ? [
          `${accepted}() { case $now in 2*) ;; *) echo "That write was not accepted: what comes after it shows nothing."; exit ${unseen};; esac; }`,
        ]
      : []),
    ...(steps.some((step) => /\bshow\b/.test(step)) ? showFunctions(field ?? '') : []),
    ...(marked === undefined || asked === undefined
      ? []
      : ['MARK=$(date +%s)$$', ...exportFunction(asked, baseUrl, violation)]),
    ...(isOfEmail(violation) ? mailboxLines(target) : []),
  ];
}

/** Says what is going to be written, and ends where the task cannot be read. */
function opening({ taskId, sent, isOfUnknown }: Plan): string[] {
  const times = timesText(timesOf(sent.filter(isWrite)));
  const after = isOfUnknown
    ? 'which should not be there'
    : 'then assigns it as it was; who it is assigned to gets email';
  const isReached = isOfUnknown ? 'accepts_key' : '[ -n "$(version)" ]';
  return [
    `echo ${shellQuoted(`Writes ${times} to task ${taskId}, ${after}.`)}`,
    ...(isOfUnknown
      ? [
          "accepts_key() { case $(read_task -o /dev/null -w '%{http_code}') in 000|401) false;; esac; }",
        ]
      : []),
    `${isReached} || { echo "The task cannot be read at $BASE ($(read_task -o /dev/null -w '%{http_code}')): nothing is to be seen."; ${withoutFolder}; exit ${unseen}; }`,
  ];
}

/** What the requests of a violation are to the commands that show it. */
interface Plan extends Place {
  readonly taskId: string;
  /** The field that is shown; undefined where it is about none. */
  readonly field: string | undefined;
  /** What is sent in turn; together, what was under way at the same time. */
  readonly groups: readonly (readonly [Exchange, ...Exchange[]])[];
  readonly firstWrite: Exchange | undefined;
  readonly lastWrite: Exchange | undefined;
  /** Where the task was read before it was written to. */
  readonly reading: Exchange | undefined;
  /** The task is one that should not be there. */
  readonly isOfUnknown: boolean;
  /** The export that is asked for what was written. */
  readonly asked: Exchange | undefined;
  /** The body of the last write, with a mark that its event is known by. */
  readonly marked: string | undefined;
  /** What writes are to leave alone, or to change, is compared with what was there before. */
  readonly isComparedWithBefore: boolean;
  /** The write before which that is read. */
  readonly changing: Exchange | undefined;
}

/** What a write has changed there before, by mistake, is as it has left it. */
const kept: ClauseId = 'update.keeps-the-other-fields';

/** undefined where the event of the last write could not be told from that of the run. */
function planOf(place: Place): Plan | undefined {
  const { violation, sent, blamed } = place;
  const { difference } = violation;
  const firstWrite = sent.find(isWrite);
  const lastWrite = sent.findLast(isWrite);
  const taskId = taskIdOf(firstWrite) ?? '';
  const reading = sent.find(
    (one) => taskIdOf(one) === taskId && !isWrite(one) && one.number < (firstWrite?.number ?? 0),
  );
  const asked = [...blamed, ...sent].find(isExport);
  const marked = asked && markedBody(lastWrite);
  if (asked !== undefined && marked === undefined) return undefined;
  const isOfKept = violation.clause === kept && blamed[0] !== undefined && !isWrite(blamed[0]);
  const isComparedWithBefore =
    difference?.kind === 'field' &&
    (difference.write !== undefined || isOfVersion(difference) || isOfKept) &&
    asked === undefined;
  return {
    ...place,
    taskId,
    field: shownField(violation),
    groups: groupsOf(sent.filter((one) => one !== reading && (!isExport(one) || one === asked))),
    firstWrite,
    lastWrite,
    reading,
    isOfUnknown:
      difference?.kind === 'status' &&
      (difference.expected === '404' || (difference.actual === 404 && reading === undefined)),
    asked,
    marked,
    isComparedWithBefore,
    changing: isComparedWithBefore ? blamed.find(isWrite) : undefined,
  };
}

/** What the last lines say in place of what the violation says. */
function toldOf({ violation, groups, changing, asked }: Plan): Told {
  const race = groups.find((group) => group.length > 1 && !isRaceAsExpected(group));
  // Else it is what simultaneous writes leave behind that is wrong.
  if (race !== undefined) return { isRight: isOfRace(race.length) };
  if (changing !== undefined) return toldOfBefore(violation);
  if (isOfEmail(violation)) return toldOfEmail(violation);
  return asked === undefined ? {} : toldOfMark(violation);
}

/** A request, or several at the same time, as commands. */
interface Step {
  /** Stand before it is said what is done. */
  readonly before?: readonly string[];
  readonly title: string;
  readonly lines: readonly string[];
}

/** The requests in turn, numbered; undefined where one goes to another address. */
function stepsOf(plan: Plan): string[] | undefined {
  const { firstWrite, reading, groups, blamed } = plan;
  const versions = new Versions();
  // What was accepted had the version that was current then, unless that is what is wrong with it.
  const isRight = hasSucceeded(firstWrite) && !isToBeRefused(plan, firstWrite);
  const lines = versions.read(isRight ? ifMatchOf(firstWrite) : reading && versionIn(reading));
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const isToLookAt = !isWrite(first) || blamed.includes(first);
    const pause = isToLookAt ? pauseBefore(first, groups[index - 1] ?? []) : 0;
    const step = stepOf(group, { ...plan, pause }, versions);
    if (step === undefined) return undefined;
    const title = `echo ${shellQuoted(printableLine(`${index + 1}. ${step.title}`))}`;
    lines.push(...(step.before ?? []), title, ...waiting(pause), ...step.lines);
    const isFollowed = groups.slice(index + 1).some(([next]) => isWrite(next));
    if (group.length === 1 && isWrite(first) && hasSucceeded(first) && isFollowed) {
      lines.push(...versions.read(versionIn(first)));
    }
  }
  return withoutUnusedVersions(lines);
}

function stepOf(
  group: readonly [Exchange, ...Exchange[]],
  plan: Plan & { readonly pause: number },
  versions: Versions,
): Step | undefined {
  const { violation, pause, blamed, changing, firstWrite, marked } = plan;
  const [one] = group;
  const isOfBlamedEmail = isOfEmail(violation) && one === blamed.find(isWrite);
  const before = [
    ...(changing !== undefined && group.includes(changing) ? ['before=$(read_task | show)'] : []),
    ...(isOfBlamedEmail ? beforeTheWrite(one === firstWrite) : []),
  ];
  if (group.length > 1) return { before, ...race(group, plan, versions) };
  if (isWrite(one)) return write(one, { ...plan, before }, versions);
  if (isExport(one) && marked !== undefined) {
    const lines = [answered(one), ...markedExport(one, violation, pause)];
    return { title: 'The export of the events:', lines };
  }
  return read(one, plan);
}

function race(group: readonly Exchange[], plan: Plan, versions: Versions): Step {
  const commands = group.map((one) => commandOf(one, plan, { versions, isSaid: false }));
  return {
    title: `${group.length} writes at the same time, answered with ${statusesOf(group).join(', ')} in the run:`,
    lines: [...group.map(answered), ...raceLines(commands, versions.last)],
  };
}

/** Called after a write that was to come before: what it has not done shows nothing. */
const accepted = 'accepted';

function write(
  one: Exchange,
  { before, ...plan }: Plan & { readonly before: readonly string[] },
  versions: Versions,
): Step {
  const { blamed, marked, firstWrite, lastWrite, isOfUnknown, field } = plan;
  const isMarked = one === lastWrite && marked !== undefined;
  const isToLookAt = blamed.includes(one) || isMarked;
  const version = versions.sentWith(one);
  // An unknown id that finds a task has the version of that.
  const sent = isOfUnknown
    ? `$(version); sent=\${sent:-${version}}`
    : isToBeAccepted(plan, one)
      ? '$(version)'
      : version;
  const command = commandOf(one, plan, { versions, isSaid: version !== undefined });
  return {
    before: [...before, ...(isMarked ? ['export_events > earlier'] : [])],
    title: `${isToLookAt ? 'The write to look at' : one === firstWrite ? 'First a write' : 'Then a write'} (${sentText(one)}), answered with ${statusOf(one)} in the run:`,
    lines: [
      answered(one),
      ...(version !== undefined && isToLookAt ? ['echo "   updated_at: $(version)"'] : []),
      ...(version === undefined ? [] : [`sent=${sent}; echo "   If-Match:   $sent"`]),
      isToLookAt || one !== firstWrite || !isUnassignment(one)
        ? `now=$(${command}); echo "   answer:     $now"`
        : `if read_task | grep -qE '"assignment" *: *[{]'; then now=$(${command}); else now='200: it is assigned to nobody already'; fi; echo "   answer:     $now"`,
      ...(hasSucceeded(one) && !blamed.includes(one) ? [accepted] : []),
      ...(one === blamed[0] && field !== undefined ? ['now=$(show < answer)'] : []),
    ],
  };
}

function commandOf(
  one: Exchange,
  { taskId, baseUrl, marked, lastWrite }: Plan,
  how: { readonly versions: Versions; readonly isSaid: boolean },
): string {
  const body = one === lastWrite ? marked : undefined;
  return writeCommand(one, { taskId, baseUrl, marked: body, ...how });
}

/** Of a task, an assessment, or an export that is not looked into. */
function read(one: Exchange, plan: Plan): Step | undefined {
  const { baseUrl, blamed, taskId, field, isComparedWithBefore } = plan;
  const path = urlIn(one.request.url, baseUrl);
  if (path === undefined) return undefined;
  const isOfTask = taskIdOf(one) === taskId;
  const { pathname } = new URL(one.request.url);
  const command = isOfTask ? 'read_task' : `${curl} ${path} -H "apikey: $API_KEY"`;
  const shown = field === undefined ? beginningOf(command) : `${command} | show`;
  return {
    title: isOfTask ? 'The task as it is then:' : `${one.request.method} ${pathname}`,
    lines: [
      answered(one),
      one === blamed[0] || isComparedWithBefore ? `now=$(${shown}); echo "$now"` : `${shown}; echo`,
    ],
  };
}

/** Of other values that stay it is known what they should be. */
function isOfVersion({ fields: [field], wrong }: FieldDifference): boolean {
  return wrong === 'stays' && field === 'updated_at';
}

/** What was there before is to stay, or to be another one. */
function toldOfBefore({ difference }: ViolationResult): Told {
  if (difference?.kind !== 'field' || !isOfVersion(difference)) return { isBefore: true };
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

function isUnassignment({ request }: Exchange): boolean {
  return isObject(jsonObject(request.body)?.unassign);
}

/** Whether a write was to be accepted: it is, with the version that is read then. */
function isToBeAccepted({ violation, blamed }: Place, write: Exchange): boolean {
  const { difference } = violation;
  return difference?.kind === 'status' && difference.expected === '2xx' && blamed.includes(write);
}

/** Whether a write was accepted that should have been refused. */
function isToBeRefused({ violation, blamed }: Place, write: Exchange): boolean {
  const { difference } = violation;
  return difference?.kind === 'status' && difference.expected !== '2xx' && blamed.includes(write);
}

function hasSucceeded(exchange: Exchange | undefined): exchange is Exchange {
  const { response } = exchange ?? {};
  return response !== undefined && response.status < 300;
}
