import { type Assignee, unassignBody, updateBody } from '../../helpers/api.ts';
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
import { nameOf } from '../shapes.ts';
import { anotherActor, oneActorAlone } from '../writes.ts';
import { judgeTables } from './answers.ts';
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
import { noValues } from './relations.ts';

/*
 * Events: the comments of assignments and unassignments are recorded in the entity's audit record. One task goes from nobody
 * to a user, to another user, to a team and back to nobody, each time in the name of another actor where there are two, and
 * the event of each of these writes is looked for by itself: under the task, the entity and the user who made the write.
 */

/** A write with a comment. */
interface CommentedWrite extends OwnWrite {
  readonly comment: string;
}

/** A write with a comment, and where its event was found, if it was. */
interface Recorded extends CommentedWrite {
  /** The exports that its event belongs to. */
  readonly looks: readonly Look[];
  /** The first that shows it; missing where none does. */
  readonly shown?: { readonly row: Row; readonly answer: Answer };
}

type RefusedWrite = Pick<OwnWrite, 'of' | 'mark' | 'answer'>;

interface Evidence {
  readonly knowledge: Knowledge;
  readonly writes: readonly Recorded[];
  readonly refused: readonly RefusedWrite[];
  readonly looks: readonly Look[];
}

/** Makes the writes, and looks for their events by the task, the entity and the users. */
async function writeAndLook(world: World): Promise<Evidence> {
  const { actors, task: assigned } = await world.findActors(await world.tasks.recorded());
  const task = await world.tasks.bringToUnassigned(assigned);
  const { writes, refused } = await makeWrites(world, task, actors);
  const people = new Set(writes.map(({ values }) => values.auditee_id));
  const looks = await lookFor(world, writes, [
    { filters: { 'metadata[task_id]': [task.id] } },
    { filters: { 'metadata[entity_id]': task.entity_id === null ? [] : [task.entity_id] } },
    ...[...people].map((id) => ({ filters: { auditee_id: [id] } })),
  ]);
  const found = writes.map((write): Recorded => {
    const own = looks.filter((look) => belongs(write, look));
    const [shown] = own.flatMap((look) =>
      rowsOf(look, write).map((row) => ({ row, answer: look.answer })),
    );
    return { ...write, looks: own, ...(shown && { shown }) };
  });
  return { knowledge: await world.exports.knowledge(), writes: found, refused, looks };
}

/**
 * Every transition with a comment, one write without a comment, and before the last of them those that are to be refused.
 * @param actors the usual one first; where there are two, each write is made by another one than the one before it
 */
async function makeWrites(world: World, unassigned: Task, actors: readonly string[]) {
  const { tasks } = world;
  const [one, other = one] = world.users;
  const [team] = world.teams;
  if (one === undefined || other === undefined) throw new Error('No user is configured.');
  const writes: CommentedWrite[] = [];
  let task = unassigned;
  /** In whose name the last write was made that was carried out. */
  let last: string | undefined;
  /** So many of the comments were too long. */
  let tooLong = 0;
  /** Makes a write. @returns undefined where somebody else has unassigned the task that it was to unassign */
  const make = async (to: Assignee | null, comment?: string) => {
    if (to === null && namesNobody(task.assignment)) return undefined;
    const by = anotherActor(actors, last, to);
    const remark = { by, ...(comment !== undefined && { comment }) };
    const { before, answer } =
      to === null ? await tasks.unassign(task, remark) : await tasks.assign(task, to, remark);
    task = carriesTask(answer) ? taskOf(answer) : await tasks.read(task.id);
    if (answer.succeeded) last = by;
    if (to === null && namesNobody(before.assignment)) return undefined;
    const { id, entity_id: entity } = unassigned;
    const values = { 'metadata[task_id]': id, 'metadata[entity_id]': entity, auditee_id: by };
    return { to, answer, values, at: timeOf(answer, world) };
  };
  /** The same with the first comment that is not too long: how long one may be is open. */
  const makeWithComment = async (of: string, to: Assignee | null): Promise<void> => {
    const mark = world.mark();
    // Begins with a quote, and nothing else in it asks for quotes around its cell.
    const quoted = `"${mark}" ß 👍`;
    const comments = of === 'a reassignment' ? [quoted] : commentsWith(mark).slice(tooLong);
    for (const comment of comments) {
      const made = await make(to, comment);
      if (made === undefined) return;
      const { status } = made.answer;
      const isTooLong = [400, 413, 422].includes(status) || status >= 500;
      if (isTooLong && comment !== comments.at(-1)) {
        tooLong += 1;
        continue;
      }
      writes.push({ of, mark, comment, ...made });
      return;
    }
  };
  await makeWithComment('an assignment', one);
  await makeWithComment('a reassignment', other);
  await make(one);
  await makeWithComment('an assignment to the same assignee', one);
  if (team !== undefined) await makeWithComment('a reassignment', team);
  const refused = await refusedWrites(world, task);
  await makeWithComment('an unassignment', null);
  return { writes, refused };
}

/**
 * Comments with this mark and all that a CSV could trip over: one longer than 2,000 characters, and shorter ones. They
 * begin like formulas: a CSV may guard them, by a character before them.
 */
function commentsWith(mark: string): readonly string[] {
  // One letter is written as two characters.
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

/** One assignment and one unassignment for each reason to refuse it, each with a mark in its comment. */
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
      const valid = write === 'assignment' ? updateBody(user(), remark) : unassignBody(remark);
      const body = change?.(valid) ?? valid;
      const answer = await api.update(id, { ifMatch, body }, caller);
      refused.push({ of: `an ${write} ${how}`, mark, answer });
    }
  }
  return refused;
}

/** The body without a required id: whom to assign the task to, or who unassigns it. */
function withoutAnId({ update, unassign }: UpdateAssignment): unknown {
  return update === undefined
    ? { unassign: { ...unassign, assigned_by_id: undefined } }
    : { update: { ...update, assigned_to_id: undefined } };
}

/** A write whose event at least one export shows: only then it has `shown`. */
type Found = Required<Recorded>;
const isFound = (write: Recorded): write is Found =>
  write.looks.some((look) => isThere(look, write));

/** @throws Inconclusive where there are none */
function some<Write>(meant: readonly Write[], lacking: string, { writes, looks }: Evidence) {
  if (meant.length > 0) return meant;
  const answers = [...writes, ...looks].map(({ answer }) => answer);
  throw new Inconclusive(lacking, answers);
}

const judgingFound =
  (judge: (write: Found, evidence: Evidence) => void) =>
  (evidence: Evidence): void => {
    const lacking = 'No event with the comment was found, which another clause is about.';
    const found = some(evidence.writes.filter(isFound), lacking, evidence);
    judgeEach(found, (write) => judge(write, evidence));
  };

/** @throws Violation where there is no event of an accepted write */
function expectRecorded(write: Recorded): void {
  requireTwin(write.answer, 'the write that is to be recorded');
  const of = `${write.of}${write.to?.type === 'TEAM' ? ' to a team' : ''}`;
  if (!isFound(write)) expectAsAsked(write.looks, write, `an event with the comment of ${of}`);
}

/** @throws Violation where an event that was found is not found under each of its records */
function expectUnderItsRecords(write: Found, { looks: all }: Evidence): void {
  const { answer, looks, of } = write;
  requireTwin(answer, 'the write that is to be recorded');
  const missing = looks.find((look) => !isThere(look, write));
  const there =
    all.find((look) => !looks.includes(look) && isThere(look, write)) ??
    looks.find((look) => isThere(look, write));
  if (missing === undefined || there === undefined) return;
  const where = `${whose(write, missing)}; it is among ${whose(write, there)}`;
  expectAsAsked(looks, write, `the event of ${of} among ${where}`);
}

/** The writes that were refused came before the last one whose comment is found: theirs had the same time to appear. */
function expectNothingOfRefused({ writes, refused, looks }: Evidence): void {
  const last = writes.at(-1);
  if (!last?.answer.succeeded || !isFound(last))
    throw new Inconclusive('No event was found of a valid write that was made after them.');
  const meant = refused.filter(({ answer: { status } }) => status >= 400 && status <= 499);
  for (const write of meant) {
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
  if (meant.length > 0) return;
  const answers = refused.map(({ answer }) => answer);
  throw new Inconclusive('No write was refused.', answers);
}

/** @throws Violation where an event shows no value of a column by which it is classified */
function expectClassified({ shown: { row, answer } }: Found, { knowledge }: Evidence): void {
  const columns = classification.flatMap((filter) => {
    const { kind, column } = knowledge.filters.known.get(filter)?.shown ?? {};
    return column !== undefined && kind !== 'text' ? [{ filter, column }] : [];
  });
  if (columns.length === 0) {
    const what = 'values of event_type, sub_type and system_source; no column shows them';
    throw noValues(what, knowledge);
  }
  // A cell of another form may show its value otherwise.
  const empty = columns.find(({ column }) => !row[column])?.filter;
  if (empty === undefined) return;
  const wrong = 'shows an event without a value';
  throw new Violation(other(wrong, { parameter: empty }), [answer]);
}

/** @throws Violation where an export that holds the event does not show its comment as it was sent */
function expectToTheLetter(write: Found, { knowledge }: Evidence): void {
  const { comment, looks, shown } = write;
  const isKept = (look: Look): boolean => {
    // A file of a few events may hold nothing that shows the encoding of the others.
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

/** Whether a cell shows the comment, but for its line ends and its Unicode form. */
function shows(cell: string, comment: string): boolean {
  return textsIn(cell).some((text) => normalized(text).includes(normalized(comment)));
}

/** The same in a file whose encoding has no other scripts: whatever it writes in place of their characters. */
function showsAsFarAsWritable(cell: string, comment: string): boolean {
  const parts = comment.split(/[^\0-\xff]+/u).map(literal);
  return new RegExp(parts.join('[\\s\\S]{0,200}?')).test(cell.replaceAll('\r\n', '\n'));
}

/** Nothing where the comment does not begin the cell. */
function formulaGuard(cell: string, comment: string): Observation<'export.csv-form'>[] {
  const [before] = cell.split(comment.slice(0, 16));
  if (before === '') return [{ formulaGuard: 'none' }];
  if (before === "'") return [{ formulaGuard: 'an apostrophe' }];
  return before === '\t' ? [{ formulaGuard: 'a TAB' }] : [];
}

/** The cell as it is, and every text inside a cell of JSON. */
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

/** @param waitedMs for looking again; 0 where the first look found everything */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

/** What exports show of a write: all cells of the rows that hold its mark. */
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
      judgeEach(some(assigning, lacking, evidence), expectRecorded);
      if (!assigning.some(({ to }) => to?.type === 'TEAM'))
        throw new PartNotConfigured('TEAM_IDS', 'a team');
    },
    'audit.records-unassignment-comments': (evidence) => {
      const unassigning = evidence.writes.filter(({ to }) => to === null);
      const lacking =
        'No task was unassigned with a comment: for that, a task must read as assigned after an assignment.';
      judgeEach(some(unassigning, lacking, evidence), expectRecorded);
    },
    'audit.event-names-its-records': (evidence) => {
      judgingFound(expectUnderItsRecords)(evidence);
      const people = new Set(evidence.writes.map(({ values }) => values.auditee_id));
      if (people.size === 1) throw oneActorAlone();
    },
    'audit.events-are-classified': judgingFound(expectClassified),
    'audit.comment-is-kept-to-the-letter': judgingFound(expectToTheLetter),
    'audit.refused-writes-leave-no-comment': expectNothingOfRefused,
    'export.csv-is-one-table': ({ looks, knowledge }) => {
      // Among title lines a few events may not show the table; that of many events is judged elsewhere.
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
          return value === undefined ? [] : [{ of, filter, value: nameOf(value) }];
        });
      }),
  },
});

export const auditTrailScenarios = [recorded];
