import { type Assignee, bodyThatAssigns } from '../../helpers/api.ts';
import type { Row } from '../../helpers/csv/csv-form.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { nameOfPuttingBack } from '../../helpers/http/exchange.ts';
import { CannotUphold, Inconclusive, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import { plain } from '../../helpers/pdf/plain-text.ts';
import { marksIn } from '../../helpers/tasks/marks.ts';
import { carriesTask, taskOf } from '../../helpers/tasks/task-answer.ts';
import { literal } from '../../helpers/text-pattern.ts';
import { scenario } from '../../runner/scenario.ts';
import type { SoFar, World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { sameId } from '../../schemas/identifier.ts';
import type { Observation } from '../../schemas/observations.ts';
import type { Task } from '../../schemas/task.ts';
import type { UpdateAssignment } from '../../schemas/update-assignment.ts';
import { namesNobody, normalization, normalized } from '../comparing-tasks.ts';
import { answerOf } from '../every-answer.ts';
import { isRefused, judgeEach, requireTwin } from '../expectations.ts';
import { judgeHistory, type WithFacts } from '../history.ts';
import { publicName } from '../shapes.ts';
import { validWriteIn } from '../valid-requests.ts';
import { anotherActor, newComment, oneActorAlone } from '../writes.ts';
import { classification, readerOf } from './csv-observations.ts';
import {
  belongs,
  expectAsAsked,
  isAsAsked,
  isThere,
  type Look,
  lookFor,
  lookInPdf,
  type OwnWrite,
  type Question,
  rowsOf,
  textOf,
  timeOf,
  whose,
} from './own-events.ts';
import { asBothFiles, type BothFiles } from './pdf-events.ts';
import { enoughToCompare } from './prediction.ts';
import { judgeTables, noValues } from './relations.ts';

/*
 * Events: the comments of assignments and unassignments are recorded in the entity's audit record. One task goes from
 * nobody to a user, to another user, to a team and back to nobody. Where two actors are configured, they take turns.
 * The event of each write is looked for in the exports of the task, of the entity and of each actor. The events that
 * all of these show are then asked for by filters in company, by filters that exclude them, and in PDFs.
 *
 * In the end the events of all other commented writes of the run are looked for in the same way.
 */

/** A write with a comment, and the exports that should show its event. */
interface Recorded extends OwnWrite {
  /** The exports by its task, its entity and its actor. */
  readonly looks: readonly Look[];
  /** The first row that shows the event, and the answer that holds this row; missing where no export shows it. */
  readonly shown?: { readonly row: Row; readonly answer: Answer };
}

type RefusedWrite = Pick<OwnWrite, 'of' | 'mark' | 'answer'>;

interface Evidence {
  readonly knowledge: Knowledge;
  /** Shows whether PDFs show comments; undefined where that was not in question. */
  readonly sample: BothFiles | undefined;
  readonly writes: readonly Recorded[];
  readonly refused: readonly RefusedWrite[];
  /** The exports by the task, by the entity and by each actor. */
  readonly records: readonly Look[];
  /** The exports that were asked for when an event had been found in all those of its records. */
  readonly further: readonly Look[];
  readonly elsewhere: Elsewhere;
}

/** The writes of other scenarios. */
interface Elsewhere {
  readonly writes: readonly (Recorded & WithFacts)[];
  readonly refused: readonly RefusedWrite[];
  readonly records: readonly Look[];
}

/** Makes the writes, and asks for exports until they show the events. */
async function writeAndLook(world: World): Promise<Evidence> {
  const { tasks, actor, taskIds } = world;
  if (taskIds.length > 1) {
    // Its event comes first: those of another task of the same assessment may be recorded under its entity.
    await tasks.assign(await tasks.recorded(), world.user(), {
      by: actor,
      comment: newComment(world),
    });
    tasks.giveBack();
  }
  const { actors, task: assigned } = await world.findActors(await tasks.recorded());
  const task = await tasks.bringTo(assigned, null);
  const { writes, refused } = await makeWrites(world, task, actors);
  const time = timeOf(writes, world);
  // A write that failed has no event to wait for.
  const accepted = writes.filter(({ answer }) => answer.succeeded);
  const questions = await questionsAbout(world, task, accepted);
  const records = await lookFor(world, accepted, time, questions.ofRecords);
  const recorded = writes.map((write) => recordedIn(records, write));
  const findable = recorded.filter(known.matches);
  const knowledge = await world.exports.knowledge();
  /** Asked for only where a PDF lacks an event: by whatever else a scenario reads, more may have moved. */
  let sample: BothFiles | undefined;
  const further: Look[] = [];
  if (findable.length > 0) {
    // Asked after the queries that keep the events: a service that answers with the previous file is found out.
    const since = { ...time, first: firstTimeOf(findable, knowledge) };
    further.push(...(await lookFor(world, findable, since, questions.further)));
    // Where the CSV is wrong, the filter is to blame, and not the PDF.
    const inPdf = [...records, ...further].filter(
      (look) => look.alsoInPdf && findable.every((write) => isAsAsked(write)(look)),
    );
    /** Whether a PDF shows all events that belong there; PDFs need not show comments. */
    const isComplete = async (look: Look): Promise<boolean> => {
      const lacking = findable.filter((write) => belongs(write, look) && !isThere(look, write));
      if (lacking.length === 0) return true;
      sample ??= await asBothFiles(world.exports, knowledge.window.sample);
      const files = sample;
      return !lacking.some((write) => isCommentShown(write, files));
    };
    further.push(...(await Promise.all(inPdf.map((look) => lookInPdf(world, look, isComplete)))));
  }
  const own = [...writes, ...refused].map(({ mark }) => mark);
  const elsewhere = await lookElsewhere(world, own);
  return { knowledge, sample, writes: recorded, refused, records, further, elsewhere };
}

/** The earliest time that the rows of these events show, in milliseconds since 1970; undefined where it is not known. */
function firstTimeOf(writes: readonly Recorded[], { columns: { times } }: Knowledge) {
  const rows = writes.flatMap(({ shown }) => (shown ? [shown.row] : []));
  const dates = times && datesOf({ rows }, times);
  return dates && Math.floor(Math.min(...dates.instants) - times.unit);
}

/** A write with the exports that it belongs to, and the first row there that shows its event. */
function recordedIn<Write extends OwnWrite>(
  records: readonly Look[],
  write: Write,
): Write & Recorded {
  const looks = records.filter((look) => belongs(write, look));
  const [shown] = looks.flatMap((look) =>
    rowsOf(look, write).map((row) => ({ row, answer: look.answer })),
  );
  return { ...write, looks, ...(shown && { shown }) };
}

/** Looks for the events of what all other scenarios have written, when they are done. @param own the marks of one's own */
async function lookElsewhere(world: World, own: readonly string[]): Promise<Elsewhere> {
  await world.othersAreDone();
  const { accepted, refused } = writesElsewhere(world.soFar(), own);
  if (accepted.length === 0) return { writes: [], refused, records: [] };
  const questions = Object.entries(clauseOfRecord).flatMap(([filter, clause]) => {
    // The cast: Object.entries forgets the names.
    const values = accepted.map((write) => write.values[filter as keyof typeof clauseOfRecord]);
    return [...new Set(values)].flatMap((value): Question[] =>
      value === null ? [] : [{ clause, filters: { [filter]: [value] } }],
    );
  });
  const records = await lookFor(world, accepted, timeOf(accepted, world), questions);
  return { writes: accepted.map((write) => recordedIn(records, write)), refused, records };
}

/** The clauses of the filters by which each event is looked for. */
const clauseOfRecord = {
  'metadata[task_id]': 'export.filters-by-metadata-task-id',
  'metadata[entity_id]': 'export.filters-by-metadata-entity-id',
  auditee_id: 'export.filters-by-auditee-id',
} as const satisfies Readonly<Record<string, JudgedClause>>;

/** The valid writes of other scenarios whose comment has a mark, and all writes with a mark that were refused. */
function writesElsewhere({ exchanges, baseUrl }: SoFar, own: readonly string[]) {
  const accepted: (OwnWrite & WithFacts)[] = [];
  const refused: RefusedWrite[] = [];
  /** By URL: what the last accepted write has sent. What unassigning an unassigned task does is open. */
  const last = new Map<string, string>();
  const sent = exchanges.filter(({ scenario }) => scenario !== nameOfPuttingBack);
  const isAccepted = new Set(
    sent.flatMap(({ request: { method, body = '' }, response: { status = 500 } = {} }) =>
      method === 'PUT' && status < 400 ? marksIn(body) : [],
    ),
  );
  for (const [index, exchange] of sent.entries()) {
    const { request, response } = exchange;
    if (request.method !== 'PUT' || response === undefined) continue;
    const answer = answerOf(exchange);
    const { kind, fields } = validWriteIn(exchange, baseUrl) ?? {};
    const comment = String(fields?.assignment_comment ?? '');
    const [mark] = marksIn(kind ? comment : (request.body ?? ''));
    const isOwn = mark === undefined || own.includes(mark);
    if (isRefused(answer)) {
      if (!isOwn && !isAccepted.has(mark)) refused.push({ of: 'a write', mark, answer });
      continue;
    }
    const wasUnassigned = last.get(request.url) !== 'update';
    if (kind) last.set(request.url, kind);
    if (isOwn || !kind || !carriesTask(answer) || (kind === 'unassign' && wasUnassigned)) continue;
    // A mark further behind may be lost where a record cuts comments, which is a clause of its own.
    if (comment.indexOf(mark) > 1) continue;
    const { id, entity_id: entity, assignment } = taskOf(answer);
    const before = sent.slice(0, index).findLast(({ scenario }) => scenario === exchange.scenario);
    accepted.push({
      of: kind === 'update' ? 'an assignment' : 'an unassignment',
      to: kind === 'update' ? assigneeOf(assignment) : null,
      comment,
      mark,
      answer,
      values: {
        'metadata[task_id]': id,
        'metadata[entity_id]': entity,
        auditee_id: String(fields?.assigned_by_id),
      },
      facts: [
        ...(assignment ? [`to a ${assignment.assigned_to_type.toLowerCase()}`] : []),
        ...(comment.length > longComment ? ['with a long comment'] : []),
        ...(before ? [`right after ${before.operation} gave ${before.response?.status}`] : []),
      ],
    });
  }
  return { accepted, refused };
}

const longComment = 255;

function assigneeOf(assignment: Task['assignment']): Assignee | null {
  return assignment && { type: assignment.assigned_to_type, id: assignment.assigned_to_id };
}

/** Programs that take a comment for HTML or XML drop or refuse this text, and none runs it. */
const tag = '<if and only if>';

/** Comments with a mark, by what is in them: where the target refuses one, which may be too long, the next is sent. */
const comments = {
  /** Begins with a quote, and holds nothing else for which a CSV must put quotes around the cell. */
  aQuote: (mark: string) => [`"${mark}" ß 👍`],
  aTag: (mark: string) => [`${mark} ${tag} ${mark}`, `${mark}: to be found`],
  /** More than 2,000 characters. All but the last begin with “=”, like a formula, before which a CSV may put a character. */
  allThatACsvCouldTripOver(mark: string) {
    // In “grün” the ü is written as two characters.
    const start = `=${mark}: "quoted",  comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, gru\u0308n, 👩‍👧 👍 50 %25 <b>&amp;</b>`;
    const long = (times: number) => start + ', and so on'.repeat(times);
    return [long(190), long(20), start, `${mark}: "q", c\nß 👍`];
  },
};

/** A write to make; one without a comment has no `commentsWith`. */
interface PlannedWrite {
  /** The kind of write, for messages. */
  readonly of: string;
  readonly to: Assignee | null;
  readonly commentsWith?: (mark: string) => string[];
}

/** Every transition with a comment, and a write without one. */
function plannedWrites(world: World): PlannedWrite[] {
  const { aQuote, aTag, allThatACsvCouldTripOver } = comments;
  const user = world.user();
  const reassignments = (some: readonly Assignee[]): PlannedWrite[] =>
    some.map((to) => ({ of: 'a reassignment', to, commentsWith: aQuote }));
  return [
    { of: 'an assignment', to: user, commentsWith: allThatACsvCouldTripOver },
    ...reassignments(world.users.slice(1, 2)),
    { of: 'a write without a comment', to: user },
    { of: 'an assignment to the same assignee', to: user, commentsWith: aTag },
    ...reassignments(world.teams.slice(0, 1)),
    { of: 'an unassignment', to: null, commentsWith: allThatACsvCouldTripOver },
  ];
}

/**
 * Makes the planned writes one after the other and, before the last one, those to be refused.
 * @param first the task, unassigned: an answer may show another entity by mistake
 * @param actors ids of users, the usual one first; where there are two, no two writes in a row have the same actor
 * @returns the writes with a comment
 */
async function makeWrites(world: World, first: Task, actors: readonly string[]) {
  const { tasks } = world;
  const { id, entity_id: entity } = first;
  const writes: OwnWrite[] = [];
  let refused: readonly RefusedWrite[] = [];
  let task = first;
  let lastActor: string | undefined;
  for (const { of, to, commentsWith } of plannedWrites(world)) {
    if (to === null) refused = await refusedWrites(world, task);
    const by = anotherActor(actors, lastActor, to);
    const mark = world.mark();
    let [comment, ...shorter] = commentsWith?.(mark) ?? [];
    let { before, answer } = await tasks.assign(task, to, { by, comment });
    while (isRefused(answer) && shorter.length > 0) {
      [comment, ...shorter] = shorter;
      ({ before, answer } = await tasks.assign(before, to, { by, comment }));
    }
    // Somebody else has unassigned the task: what unassigning it once more does is open.
    if (to === null && namesNobody(before.assignment)) break;
    task = carriesTask(answer) ? taskOf(answer) : await tasks.read(id);
    if (answer.succeeded) lastActor = by;
    const values = { 'metadata[task_id]': id, 'metadata[entity_id]': entity, auditee_id: by };
    if (comment !== undefined) writes.push({ of, to, comment, mark, answer, values });
  }
  return { writes, refused };
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
    for (const kind of ['assignment', 'unassignment'] as const) {
      const mark = world.mark();
      const remark = { by, comment: `${mark}: to be refused` };
      const valid = bodyThatAssigns(kind === 'assignment' ? user() : null, remark);
      const body = change?.(valid) ?? valid;
      const answer = await api.update(id, { ifMatch, body }, caller);
      refused.push({ of: `an ${kind} ${how}`, mark, answer });
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

/** How many ids may be sent in one request without making it too long. */
const maxPeople = 9;

/**
 * The questions, each with the clause that it is evidence of: by one filter, for the exports of the records that each event
 * names; and further ones, which exclude the events, give two filters, or another range. Of a filter with an empty list
 * there is no value to ask for.
 */
async function questionsAbout(world: World, task: Task, writes: readonly OwnWrite[]) {
  const { tasks, exports, actors, users, taskIds } = world;
  const isActor = (id: string): boolean =>
    writes.some(({ values }) => sameId(values.auditee_id, id));
  // The first assignee comes first.
  const people = [...new Set([...users.map(({ id }) => id), ...actors])];
  const ofActors = people.filter(isActor).map((id) => ({ auditee_id: [id] }));
  const { encoding } = await exports.knowledge();
  const canSendLists = encoding.forTwoValues.length > 0;
  const others = people.filter((id) => !isActor(id)).slice(0, canSendLists ? maxPeople : 1);
  const otherTasks = taskIds.filter((id) => !sameId(id, task.id)).slice(0, 1);
  const entities = await Promise.all(otherTasks.map((id) => tasks.entityOf(id)));
  const otherEntities = entities.flatMap((id) =>
    typeof id === 'string' && !sameId(id, task.entity_id) ? [id] : [],
  );
  const entity = task.entity_id === null ? [] : [task.entity_id];
  const ofTask = { 'metadata[task_id]': [task.id] };
  const ofEntity = { 'metadata[entity_id]': entity };
  const {
    'metadata[task_id]': byTask,
    'metadata[entity_id]': byEntity,
    auditee_id: byActor,
  } = clauseOfRecord;
  const ofRecords: readonly Question[] = [
    { clause: byTask, filters: ofTask, alsoInPdf: true },
    { clause: byEntity, filters: ofEntity },
    ...ofActors.map((filters) => ({ clause: byActor, filters }) as const),
  ];
  const together = 'export.filters-combine';
  const ofKeys = 'export.metadata-keys-combine';
  const inRange = 'export.range-combines-with-filters';
  const further: readonly Question[] = [
    { clause: byActor, filters: { auditee_id: others }, alsoInPdf: true },
    { clause: byTask, filters: { 'metadata[task_id]': otherTasks } },
    // The id of the task under another key.
    { clause: byEntity, filters: { 'metadata[entity_id]': [task.id] }, alsoInPdf: true },
    { clause: together, filters: { ...ofTask, ...ofActors[0] } },
    // An id that events have, but not as their actor.
    { clause: together, filters: { ...ofTask, auditee_id: entity } },
    { clause: ofKeys, filters: { ...ofTask, ...ofEntity } },
    { clause: ofKeys, filters: { ...ofTask, 'metadata[entity_id]': otherEntities } },
    { clause: 'export.range-bounds-are-independent', filters: ofTask, range: 'none' },
    { clause: inRange, filters: ofTask, range: 'before' },
    { clause: inRange, filters: ofTask, range: 'after' },
    { clause: inRange, filters: ofTask, range: 'since' },
    { clause: inRange, filters: ofEntity, range: 'since' },
  ];
  return { ofRecords, further };
}

/** Which writes a clause is about; `lacking` says why nothing is judged where none is of the kind. */
interface Kind {
  readonly matches: (write: Recorded) => boolean;
  readonly lacking: string;
}

const assigning: Kind = {
  matches: ({ to }) => to !== null,
  lacking: 'No task was assigned with a comment.',
};

const unassigning: Kind = {
  matches: ({ to }) => to === null,
  lacking:
    'No task was unassigned with a comment: for that, a task must read as assigned after an assignment.',
};

/** At least one export of its records shows the event. */
const found: Kind = {
  matches: ({ shown }) => shown !== undefined,
  lacking: 'No event with the comment was found, which another clause is about.',
};

/** Every export of its records shows the event of an accepted write: so other exports are judged by it. */
const known: Kind = {
  matches: (write) => write.answer.succeeded && write.looks.every((look) => isThere(look, write)),
  lacking: 'No event of a write was found under all its records.',
};

/** Makes a judge of all evidence from a judge of one write of a kind. */
const judging =
  ({ matches, lacking }: Kind, judge: (write: Recorded, evidence: Evidence) => void) =>
  (evidence: Evidence): void => {
    const { writes, records } = evidence;
    const ofKind = writes.filter(matches);
    if (ofKind.length === 0) {
      const answers = [...writes, ...records].map(({ answer }) => answer);
      throw new Inconclusive(lacking, answers);
    }
    judgeEach(ofKind, (write) => judge(write, evidence));
  };

/** Makes the judge of a clause that questions are evidence of: their answers show each known event as they should. */
const judgingAnswers = (
  clause: JudgedClause,
  expect: (looks: readonly Look[], write: Recorded, evidence: Evidence) => void = (looks, write) =>
    expectAsAsked(looks, write),
) =>
  judging(known, (write, evidence) => {
    const { further } = evidence;
    const looks = [...write.looks, ...further].filter((look) => look.clause === clause);
    if (looks.length === 0) throw new NotJudged('The task does not name what the filter asks for.');
    const readable = looks.filter((look) => isThere(look, write) !== undefined);
    expect(readable.length > 0 ? readable : looks, write, evidence);
  });

/** How many characters may stand before a mark, as a quote, and how many more are to fit into the same line. */
const besideMark = 8;

/** Whether the PDF of the sample shows how every comment begins that is longer than a mark: then any PDF shows the marks. */
function isCommentShown({ mark, shown }: Recorded, { csv, pdf }: BothFiles): boolean {
  const column = shown?.row.findIndex((cell) => cell.includes(mark)) ?? -1;
  const text = textOf(pdf);
  const length = mark.length + besideMark;
  const beginnings = (csv.table?.rows ?? []).map((row) =>
    plain(row[column] ?? '').slice(0, length),
  );
  const comments = beginnings.filter((one) => one.length === length);
  return comments.length >= enoughToCompare && comments.every((one) => text.includes(one));
}

/**
 * @throws Violation where a PDF lacks the event, shows it by a filter that excludes it, or drops the tag of its comment
 * @throws NotJudged where the PDF that the event belongs to does not show the comment, and PDFs may show none
 */
function expectInPdf(looks: readonly Look[], write: Recorded, { sample }: Evidence): void {
  const isShown = sample !== undefined && isCommentShown(write, sample);
  if (!isShown && !looks.some((look) => belongs(write, look) && isThere(look, write)))
    throw new NotJudged('The PDF of the event does not show its comment.');
  expectAsAsked(
    looks.filter((look) => isShown || !belongs(write, look)),
    write,
  );
  const untagged = looks.find(({ text = '' }) => {
    // The marks stand on both sides of the tag. "...": a layout shortened the comment in its middle.
    const [, between] = new RegExp(`${write.mark}(.*?)${write.mark}`, 's').exec(text) ?? [];
    return between !== undefined && !between.includes('...') && !text.includes('<');
  });
  if (untagged === undefined || !write.shown?.row.some((cell) => cell.includes(tag))) return;
  const difference = other('loses a tag in a comment', { expected: tag });
  throw new Violation(difference, [untagged.answer], [write.answer]);
}

/** @throws Violation where an accepted write has no event in the exports that it belongs to */
function expectRecorded(write: Recorded): void {
  requireTwin(write.answer, 'the write that is to be recorded');
  const of = `${write.of}${write.to?.type === 'TEAM' ? ' to a team' : ''}`;
  if (write.shown === undefined)
    expectAsAsked(write.looks, write, `an event with the comment of ${of}`);
}

/**
 * Each export that the event belongs to, as those of its task, of its entity and of its actor, must show it.
 * @throws Violation where one does not, and another export shows the event
 */
function expectInItsExports(write: Recorded, { records }: Evidence): void {
  const { answer, looks: ownLooks, of } = write;
  requireTwin(answer, 'the write that is to be recorded');
  // An export that could not be read to its end counts as one without: `expectAsAsked` says then that it is in doubt.
  const lookWithout = ownLooks.find((look) => !isThere(look, write));
  const lookWith =
    records.find((look) => !ownLooks.includes(look) && isThere(look, write)) ??
    ownLooks.find((look) => isThere(look, write));
  if (lookWithout === undefined || lookWith === undefined) return;
  const where = `${whose(write, lookWithout)}; it is among ${whose(write, lookWith)}`;
  expectAsAsked(ownLooks, write, `the event of ${of} among ${where}`);
}

/** @throws Violation where a refused write's comment is found. @throws Inconclusive where no later, valid write's is */
function expectNothingOfRefused({ writes, ...own }: Evidence): void {
  const refused = [...own.refused, ...own.elsewhere.refused];
  const records = [...own.records, ...own.elsewhere.records];
  const last = writes.at(-1);
  if (!last?.answer.succeeded || last.shown === undefined)
    throw new Inconclusive('No event was found of a valid write that was made after them.');
  const clearlyRefused = refused.filter(({ answer: { status } }) => status >= 400 && status <= 499);
  for (const write of clearlyRefused) {
    const shown = records.find((look) => isThere(look, write));
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
function expectClassified({ shown }: Recorded, { knowledge }: Evidence): void {
  const columns = classification.flatMap((filter) => {
    const { kind, column } = knowledge.filters.known.get(filter)?.shown ?? {};
    return column !== undefined && kind !== 'text' ? [{ filter, column }] : [];
  });
  if (columns.length === 0) {
    const what = 'values of event_type, sub_type and system_source; no column shows them';
    throw noValues(what, knowledge);
  }
  // A filled cell may show its value in any form; an empty one shows none.
  const empty = columns.find(({ column }) => !shown?.row[column])?.filter;
  if (empty === undefined || shown === undefined) return;
  const wrong = 'shows an event without a value';
  throw new Violation(other(wrong, { parameter: empty }), [shown.answer]);
}

/** @throws Violation where an export that holds the event does not show its comment as it was sent */
function expectToTheLetter(write: Recorded, { knowledge }: Evidence): void {
  const { comment, looks, shown } = write;
  const isKept = (look: Look): boolean => {
    // A file of few events may not show its own encoding: that of the whole window counts too.
    const encodings = [look.table?.encoding, knowledge.base.table.encoding];
    const isShown = encodings.includes('windows-1252') ? showsAsFarAsWritable : shows;
    return rowsOf(look, write).some((cells) => cells.some((cell) => isShown(cell, comment)));
  };
  if (looks.every((look) => !isThere(look, write) || isKept(look))) return;
  const cell = shown?.row.find((text) => text.includes(comment.slice(0, 16))) ?? '';
  throw new Violation(
    {
      kind: 'field',
      of: 'recorded event',
      fields: ['comment'],
      expected: JSON.stringify(comment),
      actual: JSON.stringify(cell.slice(0, 400)),
    },
    shown === undefined ? [] : [shown.answer],
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

/** A judge of the scenario's own writes, and of those of all others. */
const everywhere =
  (judge: (evidence: Evidence) => void) =>
  (evidence: Evidence): void => {
    judge(evidence);
    const { writes, records } = evidence.elsewhere;
    judgeHistory(writes, (write) => judge({ ...evidence, writes: [write], records }));
  };

/** How late events appeared, as it is observed. @param waitedMs from the first look to the last; 0 for a single look */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

/** All cells of the rows that hold the mark of a write. */
const cellsOf = (write: Recorded): string[] =>
  write.looks.flatMap((look) => rowsOf(look, write)).flat();

const recorded = scenario({
  name: 'commented writes are recorded to the letter, and found by what their events name and by nothing else; refused ones are not recorded',
  needs: ['writable-task', 'user'],
  shownBy: {
    team: ['audit.records-assignment-comments'],
    'two-users': ['audit.event-names-its-records'],
  },
  act: writeAndLook,
  judges: {
    'audit.records-assignment-comments': everywhere(judging(assigning, expectRecorded)),
    'audit.records-unassignment-comments': everywhere(judging(unassigning, expectRecorded)),
    'audit.event-names-its-records': (evidence) => {
      everywhere(judging(found, expectInItsExports))(evidence);
      const people = new Set(evidence.writes.map(({ values }) => values.auditee_id));
      if (people.size === 1) throw oneActorAlone();
    },
    'audit.events-are-classified': judging(found, expectClassified),
    'audit.comment-is-kept-to-the-letter': everywhere(judging(found, expectToTheLetter)),
    'audit.refused-writes-leave-no-comment': expectNothingOfRefused,
    'export.filters-by-auditee-id': judgingAnswers('export.filters-by-auditee-id'),
    'export.filters-by-metadata-task-id': judgingAnswers('export.filters-by-metadata-task-id'),
    'export.filters-by-metadata-entity-id': judgingAnswers('export.filters-by-metadata-entity-id'),
    'export.filters-combine': judgingAnswers('export.filters-combine'),
    'export.metadata-keys-combine': judgingAnswers('export.metadata-keys-combine'),
    'export.range-combines-with-filters': judgingAnswers('export.range-combines-with-filters'),
    'export.range-bounds-are-independent': (evidence) => {
      judgingAnswers('export.range-bounds-are-independent')(evidence);
      throw new CannotUphold('One event does not show that both sides are unbounded.');
    },
    'export.pdf-holds-the-events-of-the-csv': judgingAnswers(
      'export.pdf-holds-the-events-of-the-csv',
      expectInPdf,
    ),
    'export.csv-is-one-table': ({ records, knowledge }) => {
      // Below title lines, a few events may not be recognized as a table; tables of many events are judged elsewhere.
      if (knowledge.base.table.titleLines.length === 0) judgeTables(records);
    },
  },
  observes: {
    'audit.delay': ({ writes, records }) =>
      writes.every((write) => write.looks.every(isAsAsked(write)))
        ? records.slice(0, 1).map(({ waitedMs }) => delay(waitedMs))
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
      writes.flatMap(({ of, shown }) => {
        if (shown === undefined || (of !== 'a reassignment' && of !== 'an unassignment')) return [];
        return classification.flatMap((filter) => {
          const value = readerOf(filter, filters)?.(shown.row);
          return value === undefined ? [] : [{ of, filter, value: publicName(value) }];
        });
      }),
  },
});

export const auditTrailScenarios = [recorded];
