import { type Assignee, bodyThatAssigns } from '../../helpers/api.ts';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, other, PartNotConfigured, Violation } from '../../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../../helpers/tasks/task-answer.ts';
import { literal } from '../../helpers/text-pattern.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { Observation } from '../../schemas/observations.ts';
import type { Task } from '../../schemas/task.ts';
import type { UpdateAssignment } from '../../schemas/update-assignment.ts';
import { namesNobody, normalization, normalized } from '../comparing-tasks.ts';
import { judgeEach, requireTwin } from '../expectations.ts';
import { publicName } from '../shapes.ts';
import { anotherActor, oneActorAlone } from '../writes.ts';
import { classification, readerOf } from './csv-observations.ts';
import {
  belongs,
  expectAsAsked,
  isAsAsked,
  isThere,
  type Look,
  lookFor,
  type OwnWrite,
  rowsOf,
  timeOf,
  whose,
} from './own-events.ts';
import { judgeTables, noValues } from './relations.ts';

/*
 * Events: the comments of assignments and unassignments are recorded in the entity's audit record. One task goes from
 * nobody to a user, to another user, to a team and back to nobody. Where two actors are configured, they take turns.
 * The event of each write is looked for in the exports of the task, of the entity and of the user who made the write.
 */

interface CommentedWrite extends OwnWrite {
  readonly comment: string;
}

/** A write with a comment, and the exports that should show its event. */
interface Recorded extends CommentedWrite {
  /** The exports that its event belongs to. */
  readonly looks: readonly Look[];
  /** The first row that shows the event, and the answer that holds this row; missing where no export shows it. */
  readonly shown?: { readonly row: Row; readonly answer: Answer };
}

type RefusedWrite = Pick<OwnWrite, 'of' | 'mark' | 'answer'>;

interface Evidence {
  readonly knowledge: Knowledge;
  readonly writes: readonly Recorded[];
  readonly refused: readonly RefusedWrite[];
  /** The exports of the task, of the entity and of each user. */
  readonly looks: readonly Look[];
}

/** Makes the writes, and asks for exports of the task, the entity and each user until they show the events. */
async function writeAndLook(world: World): Promise<Evidence> {
  const { actors, task: assigned } = await world.findActors(await world.tasks.recorded());
  const task = await world.tasks.bringTo(assigned, null);
  const { writes, refused } = await makeWrites(world, task, actors);
  const people = new Set(writes.map(({ values }) => values.auditee_id));
  const looks = await lookFor(world, writes, [
    { filters: { 'metadata[task_id]': [task.id] } },
    { filters: { 'metadata[entity_id]': task.entity_id === null ? [] : [task.entity_id] } },
    ...[...people].map((id) => ({ filters: { auditee_id: [id] } })),
  ]);
  const recordedWrites = writes.map((write): Recorded => {
    const ownLooks = looks.filter((look) => belongs(write, look));
    const [shown] = ownLooks.flatMap((look) =>
      rowsOf(look, write).map((row) => ({ row, answer: look.answer })),
    );
    return { ...write, looks: ownLooks, ...(shown && { shown }) };
  });
  return { knowledge: await world.exports.knowledge(), writes: recordedWrites, refused, looks };
}

/**
 * Makes every transition with a comment, one write without a comment, and, before the last write, those to be refused.
 * @param actors ids of users, the usual one first; where there are two, no two writes in a row have the same actor
 */
async function makeWrites(world: World, unassigned: Task, actors: readonly string[]) {
  const [user, otherUser = user] = world.users;
  const [team] = world.teams;
  if (user === undefined || otherUser === undefined) throw new Error('No user is configured.');
  const history = new WriteHistory(world, unassigned, actors);
  await history.writeWithComment('an assignment', user);
  await history.writeWithComment('a reassignment', otherUser);
  await history.write(user);
  await history.writeWithComment('an assignment to the same assignee', user);
  if (team !== undefined) await history.writeWithComment('a reassignment', team);
  const refused = await refusedWrites(world, history.task);
  await history.writeWithComment('an unassignment', null);
  return { writes: history.writes, refused };
}

/** Writes to one task, one after the other, and keeps those that had a comment. */
class WriteHistory {
  readonly #world: World;
  readonly #actors: readonly string[];
  /** The task before the first write: an answer may show another entity by mistake. */
  readonly #first: Task;
  readonly writes: CommentedWrite[] = [];
  /** The task after the last write. */
  task: Task;
  /** The actor of the last write that succeeded. */
  #lastActor: string | undefined;
  /** How many comments of `commentsWith` the target refused as too long. */
  #tooLong = 0;

  constructor(world: World, task: Task, actors: readonly string[]) {
    this.#world = world;
    this.#actors = actors;
    this.#first = task;
    this.task = task;
  }

  /** Makes one write. @returns undefined where the task is to be unassigned, and somebody else has done so already */
  async write(to: Assignee | null, comment?: string) {
    if (to === null && namesNobody(this.task.assignment)) return undefined;
    const { tasks } = this.#world;
    const by = anotherActor(this.#actors, this.#lastActor, to);
    const { before, answer } = await tasks.assign(this.task, to, { by, comment });
    const { id, entity_id: entity } = this.#first;
    this.task = carriesTask(answer) ? taskOf(answer) : await tasks.read(id);
    if (answer.succeeded) this.#lastActor = by;
    if (to === null && namesNobody(before.assignment)) return undefined;
    const values = { 'metadata[task_id]': id, 'metadata[entity_id]': entity, auditee_id: by };
    return { to, answer, values, at: timeOf(answer, this.#world) };
  }

  /** Makes one write with the longest comment that the target takes: how long a comment may be is open. */
  async writeWithComment(of: string, to: Assignee | null): Promise<void> {
    const mark = this.#world.mark();
    // Begins with a quote, and holds nothing else for which a CSV must put quotes around the cell.
    const quoted = `"${mark}" ß 👍`;
    const comments = of === 'a reassignment' ? [quoted] : commentsWith(mark).slice(this.#tooLong);
    for (const comment of comments) {
      const made = await this.write(to, comment);
      if (made === undefined) return;
      const { status } = made.answer;
      const isTooLong = [400, 413, 422].includes(status) || status >= 500;
      if (!isTooLong || comment === comments.at(-1)) {
        this.writes.push({ of, mark, comment, ...made });
        return;
      }
      this.#tooLong += 1;
    }
  }
}

/**
 * Four comments with this mark and everything that a CSV could trip over, the longest first: more than 2,000
 * characters. All but the last begin with “=”, like a formula, before which a CSV may put a character.
 */
function commentsWith(mark: string): readonly string[] {
  // In “grün” the ü is written as two characters.
  const hard =
    '"quoted",  comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, gru\u0308n, 👩‍👧 👍 50 %25 <b>&amp;</b>';
  const short = `=${mark}: ${hard}`;
  const and = ', and so on';
  return [
    `${short}${and.repeat(190)}`,
    `${short}${and.repeat(20)}`,
    short,
    `${mark}: "q", c\nß 👍`,
  ];
}

/** Sends an assignment and an unassignment for each reason to refuse a write, each with its own mark. */
async function refusedWrites(world: World, task: Task): Promise<RefusedWrite[]> {
  const { api, user, actor: by, faker } = world;
  const key = faker.string.alphanumeric({ length: 32 });
  const reasons = [
    { how: 'without a valid key', caller: { key } },
    { how: 'to an unknown task', id: faker.string.uuid() },
    { how: 'with an If-Match of long ago', ifMatch: '2000-01-01T00:00:00.000Z' },
    { how: 'without a required id', change: withoutAnId },
  ];
  const refused: RefusedWrite[] = [];
  for (const { how, id = task.id, ifMatch = task.updated_at, caller, change } of reasons) {
    for (const write of ['assignment', 'unassignment'] as const) {
      const mark = world.mark();
      const remark = { by, comment: `${mark}: to be refused` };
      const valid = bodyThatAssigns(write === 'assignment' ? user() : null, remark);
      const body = change?.(valid) ?? valid;
      const answer = await api.update(id, { ifMatch, body }, caller);
      refused.push({ of: `an ${write} ${how}`, mark, answer });
    }
  }
  return refused;
}

/** The body without a required id: `assigned_to_id` of an `update`, `assigned_by_id` of an `unassign`. */
function withoutAnId({ update, unassign }: UpdateAssignment): unknown {
  return update === undefined
    ? { unassign: { ...unassign, assigned_by_id: undefined } }
    : { update: { ...update, assigned_to_id: undefined } };
}

/** A write whose event at least one export shows: `shown` is there. */
type Found = Required<Recorded>;
const isFound = (write: Recorded): write is Found =>
  write.looks.some((look) => isThere(look, write));

/** Returns the writes that a clause is about. @throws Inconclusive with the message `lacking` where there are none */
function atLeastOne<Write>(judged: readonly Write[], lacking: string, { writes, looks }: Evidence) {
  if (judged.length > 0) return judged;
  const answers = [...writes, ...looks].map(({ answer }) => answer);
  throw new Inconclusive(lacking, answers);
}

/** Makes a judge of all evidence from a judge of one write whose event was found. */
const judgingFound =
  (judge: (write: Found, evidence: Evidence) => void) =>
  (evidence: Evidence): void => {
    const lacking = 'No event with the comment was found, which another clause is about.';
    const found = atLeastOne(evidence.writes.filter(isFound), lacking, evidence);
    judgeEach(found, (write) => judge(write, evidence));
  };

/** @throws Violation where an accepted write has no event in the exports that it belongs to */
function expectRecorded(write: Recorded): void {
  requireTwin(write.answer, 'the write that is to be recorded');
  const of = `${write.of}${write.to?.type === 'TEAM' ? ' to a team' : ''}`;
  if (!isFound(write)) expectAsAsked(write.looks, write, `an event with the comment of ${of}`);
}

/**
 * Each export that the event belongs to, as those of its task, of its entity and of its actor, must show it.
 * @throws Violation where one does not, and another export shows the event
 */
function expectInItsExports(write: Found, { looks: allLooks }: Evidence): void {
  const { answer, looks: ownLooks, of } = write;
  requireTwin(answer, 'the write that is to be recorded');
  // An export that could not be read to its end counts as one without: `expectAsAsked` says then that it is in doubt.
  const lookWithout = ownLooks.find((look) => !isThere(look, write));
  const lookWith =
    allLooks.find((look) => !ownLooks.includes(look) && isThere(look, write)) ??
    ownLooks.find((look) => isThere(look, write));
  if (lookWithout === undefined || lookWith === undefined) return;
  const where = `${whose(write, lookWithout)}; it is among ${whose(write, lookWith)}`;
  expectAsAsked(ownLooks, write, `the event of ${of} among ${where}`);
}

/** @throws Violation where a refused write's comment is found. @throws Inconclusive where no later, valid write's is */
function expectNothingOfRefused({ writes, refused, looks }: Evidence): void {
  const last = writes.at(-1);
  if (!last?.answer.succeeded || !isFound(last))
    throw new Inconclusive('No event was found of a valid write that was made after them.');
  const clearlyRefused = refused.filter(({ answer: { status } }) => status >= 400 && status <= 499);
  for (const write of clearlyRefused) {
    const shown = looks.find((look) => isThere(look, write));
    if (shown === undefined) continue;
    throw new Violation(
      {
        kind: 'field',
        of: 'recorded event',
        fields: ['comment'],
        expected: 'none',
        actual: 'the comment of the write',
        write: { how: write.of, statuses: [write.answer.status], isSent: true },
      },
      [write.answer, shown.answer],
    );
  }
  if (clearlyRefused.length > 0) return;
  const answers = refused.map(({ answer }) => answer);
  throw new Inconclusive('No write was refused.', answers);
}

/** @throws Violation where the cell of an event is empty in a column of event_type, sub_type or system_source */
function expectClassified({ shown: { row, answer } }: Found, { knowledge }: Evidence): void {
  const columns = classification.flatMap((filter) => {
    const { kind, column } = knowledge.filters.known.get(filter)?.shown ?? {};
    return column !== undefined && kind !== 'text' ? [{ filter, column }] : [];
  });
  if (columns.length === 0) {
    const what = 'values of event_type, sub_type and system_source; no column shows them';
    throw noValues(what, knowledge);
  }
  // A filled cell may show its value in any form; an empty one shows none.
  const empty = columns.find(({ column }) => !row[column])?.filter;
  if (empty === undefined) return;
  const wrong = 'shows an event without a value';
  throw new Violation(other(wrong, { parameter: empty }), [answer]);
}

/** @throws Violation where an export that holds the event does not show its comment as it was sent */
function expectToTheLetter(write: Found, { knowledge }: Evidence): void {
  const { comment, looks, shown } = write;
  const isKept = (look: Look): boolean => {
    // A file of few events may not show its own encoding: that of the whole window counts too.
    const encodings = [look.table?.encoding, knowledge.base.table.encoding];
    const isShown = encodings.includes('windows-1252') ? showsAsFarAsWritable : shows;
    return rowsOf(look, write).some((cells) => cells.some((cell) => isShown(cell, comment)));
  };
  if (looks.every((look) => !isThere(look, write) || isKept(look))) return;
  const cell = shown.row.find((text) => text.includes(comment.slice(0, 16))) ?? '';
  throw new Violation(
    {
      kind: 'field',
      of: 'recorded event',
      fields: ['comment'],
      expected: JSON.stringify(comment),
      actual: JSON.stringify(cell.slice(0, 400)),
    },
    [shown.answer],
    [write.answer],
  );
}

/** Whether a cell shows the comment; line ends and the Unicode normal form may differ. */
function shows(cell: string, comment: string): boolean {
  return textsIn(cell).some((text) => normalized(text).includes(normalized(comment)));
}

/** As `shows`, in a file of windows-1252: any text may stand in place of characters that this encoding cannot write. */
function showsAsFarAsWritable(cell: string, comment: string): boolean {
  const writable = comment.split(/[^\0-\xff]+/u).map(literal);
  return new RegExp(writable.join('[\\s\\S]{0,200}?')).test(cell.replaceAll('\r\n', '\n'));
}

/** What a cell shows before a comment that begins like a formula; an empty list where it is no known guard. */
function formulaGuard(cell: string, comment: string): Observation<'export.csv-form'>[] {
  const [before] = cell.split(comment.slice(0, 16));
  if (before === '') return [{ formulaGuard: 'none' }];
  if (before === "'") return [{ formulaGuard: 'an apostrophe' }];
  return before === '\t' ? [{ formulaGuard: 'a TAB' }] : [];
}

/** The cell as it is and, where it is JSON, every text in it. */
function textsIn(cell: string): string[] {
  const texts = [cell];
  try {
    JSON.parse(cell, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // A cell that is no JSON holds no further texts.
  }
  return texts;
}

/** How late events appeared, as it is observed. @param waitedMs from the first look to the last; 0 for a single look */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

/** All cells of the rows that hold the mark of a write. */
const cellsOf = (write: Recorded): string[] =>
  write.looks.flatMap((look) => rowsOf(look, write)).flat();

const recorded = scenario({
  name: 'the comments of an assignment, of reassignments and of an unassignment are recorded and exported to the letter, those of refused writes are not recorded',
  needs: ['writable-task', 'user'],
  act: writeAndLook,
  judges: {
    'audit.records-assignment-comments': (evidence) => {
      const assigning = evidence.writes.filter(({ to }) => to !== null);
      const lacking = 'No task was assigned with a comment.';
      judgeEach(atLeastOne(assigning, lacking, evidence), expectRecorded);
      if (!assigning.some(({ to }) => to?.type === 'TEAM'))
        throw new PartNotConfigured('TEAM_IDS', 'a team');
    },
    'audit.records-unassignment-comments': (evidence) => {
      const unassigning = evidence.writes.filter(({ to }) => to === null);
      const lacking =
        'No task was unassigned with a comment: for that, a task must read as assigned after an assignment.';
      judgeEach(atLeastOne(unassigning, lacking, evidence), expectRecorded);
    },
    'audit.event-names-its-records': (evidence) => {
      judgingFound(expectInItsExports)(evidence);
      const people = new Set(evidence.writes.map(({ values }) => values.auditee_id));
      if (people.size === 1) throw oneActorAlone();
    },
    'audit.events-are-classified': judgingFound(expectClassified),
    'audit.comment-is-kept-to-the-letter': judgingFound(expectToTheLetter),
    'audit.refused-writes-leave-no-comment': expectNothingOfRefused,
    'export.csv-is-one-table': ({ looks, knowledge }) => {
      // Below title lines, a few events may not be recognized as a table; tables of many events are judged elsewhere.
      if (knowledge.base.table.titleLines.length === 0) judgeTables(looks);
    },
  },
  observes: {
    'audit.delay': ({ writes, looks }) =>
      writes.every((write) => write.looks.every(isAsAsked(write)))
        ? looks.slice(0, 1).map(({ waitedMs }) => delay(waitedMs))
        : [],
    'comment.normalization': ({ writes }) =>
      writes.flatMap((write) =>
        cellsOf(write)
          .flatMap(textsIn)
          .flatMap((text) => normalization('audit record', write.comment, text)),
      ),
    'export.csv-form': ({ writes }) =>
      writes.flatMap((write) => {
        const { comment } = write;
        const cell = cellsOf(write).find((text) => text.includes(comment.slice(0, 16)));
        return cell === undefined ? [] : formulaGuard(cell, comment);
      }),
    'audit.classification-values': ({ writes, knowledge: { filters } }) =>
      writes.filter(isFound).flatMap(({ of, shown: { row } }) => {
        if (of !== 'a reassignment' && of !== 'an unassignment') return [];
        return classification.flatMap((filter) => {
          const value = readerOf(filter, filters)?.(row);
          return value === undefined ? [] : [{ of, filter, value: publicName(value) }];
        });
      }),
  },
});

export const auditTrailScenarios = [recorded];
