import type { Assignee } from '../../helpers/api.ts';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { pause } from '../../helpers/http/waiting.ts';
import { CannotUphold, Inconclusive, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import { plain } from '../../helpers/pdf/plain-text.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import { sameId } from '../../schemas/identifier.ts';
import type { Task } from '../../schemas/task.ts';
import { isRefused, requireTwin } from '../expectations.ts';

/*
 * The event of a commented write of this run is known, whatever columns an export has: its task, entity and actor,
 * about when it happened, and a mark in the comment that stands nowhere else. So it is known which queries keep it.
 * They are sent again until each shows the event, or the time-out is over; then the exports are judged.
 */

const filterNames = ['metadata[task_id]', 'metadata[entity_id]', 'auditee_id'] as const;
type FilterName = (typeof filterNames)[number];

/** A write whose event is looked for. */
export interface OwnWrite {
  /** The kind of write, for messages: "an unassignment". */
  readonly of: string;
  /** To whom it assigns the task; null where it removes the assignment. */
  readonly to: Assignee | null;
  /** A text that stands in the comment of this write, and nowhere else. */
  readonly mark: string;
  readonly answer: Answer;
  /** The filter values that keep its event. */
  readonly values: {
    readonly 'metadata[task_id]': string;
    readonly 'metadata[entity_id]': string | null;
    readonly auditee_id: string;
  };
  /** When the event may have happened, by the clock of the target. */
  readonly at: TimeRange;
}

/** An export that is asked for in search of events. */
export interface Question {
  /** Values by filter. A question in which a filter has an empty list is not asked. */
  readonly filters: { readonly [Name in FilterName]?: readonly string[] };
  /** Left out where it is the time in which all the writes may have happened. */
  readonly range?: Partial<TimeRange>;
}

/** A question with its last answer. */
export interface Look extends Question {
  readonly query: ExportQuery;
  readonly answer: Answer;
  readonly table: CsvTable | undefined;
  /** The text of a PDF, as `plain` makes it; left out of a CSV. */
  readonly text?: string;
  /** Whether the file could be read to its end. */
  readonly isWhole: boolean;
  /** How long questions were asked again after the first look; 0 where that showed every event. */
  readonly waitedMs: number;
}

/** How far the clock that dates events may be behind our clock and that of the answers, and how far ahead of them. */
const behindMs = 60 * 60_000;
const aheadMs = 5 * 60_000;

/** When the event of a write that was just made may have happened, by all clocks that are known. */
export function timeOf(answer: Answer, { now, auditTimeoutMs }: World): TimeRange {
  const date = Date.parse(answer.header('date') ?? '');
  const clocks = [now(), ...(Number.isNaN(date) ? [] : [date])];
  return {
    start: Math.min(...clocks) - behindMs,
    end: Math.max(...clocks) + auditTimeoutMs + aheadMs,
  };
}

/** The parameters of a question that exclude the event of a write, as `auditee_id`; [] where it belongs there. */
function excluding({ values, at }: OwnWrite, { filters, range = at }: Question): string[] {
  const { start = at.start, end = at.end } = range;
  const isOther = (name: FilterName): boolean =>
    filters[name]?.every((value) => !sameId(value, values[name])) === true;
  return [
    ...filterNames.filter(isOther),
    ...(start > at.end ? ['range_start'] : []),
    ...(end < at.start ? ['range_end'] : []),
  ];
}

/** Whether the export that a question asks for should hold the event of a write. */
export function belongs(write: OwnWrite, question: Question): boolean {
  return excluding(write, question).length === 0;
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/**
 * Asks all questions, and asks again those whose exports lack an event that belongs there, which may appear late: until
 * the time-out, and once more when all other scenarios are done, as the time-out may be too short.
 */
export async function lookFor(
  world: World,
  writes: readonly OwnWrite[],
  questions: readonly Question[],
): Promise<Look[]> {
  const { exports, auditTimeoutMs, othersAreDone } = world;
  const rangeOfWrites = {
    start: Math.min(...writes.map(({ at }) => at.start)),
    end: Math.max(...writes.map(({ at }) => at.end)),
  };
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  let waitedMs = 0;
  const ask = async (question: Question): Promise<Look> => {
    const { filters, range = rangeOfWrites } = question;
    const { query, answer, table, overflowed } = await exports.anew({ filters, ...range });
    const isWhole = table !== undefined && !overflowed;
    return { ...question, query, answer, table, isWhole, waitedMs };
  };
  const isComplete = (look: Look): boolean =>
    writes.every((write) => !belongs(write, look) || isThere(look, write));
  const withValues = questions.filter(({ filters }) =>
    Object.values(filters).every((values) => values.length > 0),
  );
  let looks = await Promise.all(withValues.map(ask));
  const lookAgain = async (): Promise<void> => {
    waitedMs = Math.round(elapsed());
    looks = await Promise.all(looks.map((look) => (isComplete(look) ? look : ask(look))));
  };
  // An event that appears at the last moment is in time: the last look begins when the time is over.
  for (let wait = firstPauseMs; waitedMs < auditTimeoutMs; wait = Math.min(wait * 2, maxPauseMs)) {
    if (looks.every(isComplete)) break;
    await pause(Math.min(wait, Math.max(0, auditTimeoutMs - elapsed())));
    await lookAgain();
  }
  if (!looks.every(isComplete)) {
    await othersAreDone();
    await lookAgain();
  }
  return looks.map((look) => ({ ...look, waitedMs }));
}

type Marked = Pick<OwnWrite, 'mark'>;

/** The rows of an export that hold the mark of a write. The whole text of a PDF counts as one row of one cell. */
export function rowsOf({ table, text = '' }: Look, { mark }: Marked): Row[] {
  return (table?.rows ?? [[text]]).filter((cells) => cells.some((cell) => cell.includes(mark)));
}

/** Whether an export shows the event of a write; undefined where it does not, and could not be read to its end. */
export function isThere(look: Look, write: Marked): boolean | undefined {
  if (rowsOf(look, write).length > 0) return true;
  return look.isWhole ? false : undefined;
}

/** Whether an export shows the event of a write if and only if it should. */
export const isAsAsked =
  (write: OwnWrite) =>
  (look: Look): boolean =>
    isThere(look, write) === belongs(write, look);

/** A question in words, seen from a write: "the events of its metadata[task_id] and of another auditee_id". */
export function whose(write: OwnWrite, { filters, range }: Question): string {
  const others = excluding(write, { filters });
  const names = filterNames.filter((name) => name in filters);
  const phrases = names.map((name) => `of ${others.includes(name) ? 'another' : 'its'} ${name}`);
  const bounds = Object.keys(range ?? {}).map((bound) => `range_${bound}`);
  if (range !== undefined) phrases.push(`with ${bounds[0] ?? 'no range'}`);
  return `the events ${phrases.join(' and ')}`;
}

/**
 * @param when what the violation is said of, as a phrase; left out: the first export that is wrong
 * @throws Violation where an export lacks the event of a write that belongs there, or shows one that does not
 * @throws Inconclusive where an export without the event could not be read to its end
 */
export function expectAsAsked(looks: readonly Look[], write: OwnWrite, when?: string): void {
  const wrong = looks.filter((look) => !isAsAsked(write)(look));
  const [first] = wrong;
  if (first === undefined) return;
  // A file that is cut short, or is not one table, may hide the event.
  const unread = wrong.filter(
    (look) => !isThere(look, write) && !(look.isWhole && look.table?.problems.length === 0),
  );
  if (unread.length > 0) {
    throw new Inconclusive(
      'The event was looked for in vain, and not every export could be read to its end.',
      unread.map(({ answer }) => answer),
    );
  }
  const { filters, query, waitedMs } = first;
  const [ignored, ...more] = excluding(write, first);
  // A filter by the assignee that keeps the event may be honoured: the service takes the assignee for the actor.
  const isIgnored = more.length === 0 && filters.auditee_id?.[0] !== write.to?.id;
  throw new Violation(
    {
      kind: 'events',
      when: when ?? `the event of ${write.of} among ${whose(write, first)}`,
      isOneEvent: true,
      fileType: query.fileType === 'pdf' ? 'pdf' : 'csv',
      ...(ignored === undefined ? { missing: 1, extra: 0, waitedMs } : { missing: 0, extra: 1 }),
      ...(ignored !== undefined &&
        isIgnored && {
          ignored: [ignored],
          beside: Object.keys(filters).filter((name) => name !== ignored),
        }),
    },
    (when === undefined ? [first] : wrong).map(({ answer }) => answer),
    [write.answer],
  );
}

// Filters, alone and with a range, are judged by the event of one write: its values of all three filters are known.

interface OwnEvent {
  readonly write: OwnWrite;
  /** A second mark, at the end of the comment, behind the tag. */
  readonly end: string;
  /** Exports by one filter that keeps the event. Unless each shows it, its absence from `further` proves nothing. */
  readonly alone: readonly Look[];
  /** Exports by filters that exclude the event, by two filters at once, and with another range. */
  readonly further: readonly Look[];
  readonly inPdf: readonly Look[];
}

/** Programs that take a comment for HTML or XML drop or refuse this text, and none runs it. */
const tag = '<if and only if>';

const maxPdfs = 3;

/** How many more ids may be sent in one request without making it too long. */
const maxBystanders = 8;

/** Makes one commented write and looks for its event: by single filters, by filters in company, and in PDFs. */
async function lookForOne(world: World): Promise<OwnEvent> {
  const { tasks, anotherUser, actor } = world;
  const task = await tasks.recorded();
  // The task goes to somebody other than the actor: an export by auditee_id must hold events of the actor alone.
  const to = [anotherUser(task), world.user(0), world.user(1)].find(({ id }) => !sameId(id, actor));
  if (to === undefined)
    throw new NotJudged(
      'Every user of USER_IDS is the one of ASSIGNED_BY_ID: another one is needed.',
    );
  const end = world.mark();
  const write = await assignWithTag(world, task, to, end);
  // A write that failed has no event to wait for.
  if (!write.answer.succeeded) return { write, end, alone: [], further: [], inPdf: [] };

  const ask = (questions: readonly Question[]) => lookFor(world, [write], questions);
  const alone = await ask([{ filters: { 'metadata[task_id]': [task.id] } }]);
  const further: Look[] = [];
  if (alone.every(isAsAsked(write))) {
    const { excluding, inCompany, ofOneFilter } = await questionsAbout(write, world, task, to);
    // Asked right after the query that keeps the event: a service that answers with the previous file is found out.
    further.push(...(await ask(excluding)), ...(await ask(inCompany)));
    // Where two filters lose the event together, each is asked alone: it may be the one that loses it.
    const isKept = further.every((look) => !belongs(write, look) || isThere(look, write));
    if (!isKept) alone.push(...(await ask(ofOneFilter)));
  }
  const inPdf = (alone.every(isAsAsked(write)) ? [...alone, ...further] : [])
    // Where the CSV is wrong, the filter is to blame, and not the PDF.
    .filter((look) => look.range === undefined && isAsAsked(write)(look))
    .filter((look) => !belongs(write, look) || 'metadata[task_id]' in look.filters)
    .slice(0, maxPdfs)
    .map((look) => lookInPdf(world, look));
  return { write, end, alone, further, inPdf: await Promise.all(inPdf) };
}

/** Assigns the task with a comment of a mark, a tag and a second mark, `end`; with a mark alone where that is refused. */
async function assignWithTag(
  world: World,
  task: Task,
  to: Assignee,
  end: string,
): Promise<OwnWrite> {
  const { tasks, actor: by } = world;
  const mark = world.mark();
  const values = {
    'metadata[task_id]': task.id,
    'metadata[entity_id]': task.entity_id,
    auditee_id: by,
  };
  const assign = async (comment: string): Promise<OwnWrite> => {
    const { answer } = await tasks.assign(task, to, { by, comment });
    return { of: 'a write', to, mark, answer, values, at: timeOf(answer, world) };
  };
  const tagged = await assign(`${mark}: to be found, ${tag} ${end}`);
  // A service, or a firewall before it, may refuse a comment that looks like a tag.
  return isRefused(tagged.answer) ? await assign(`${mark}: to be found`) : tagged;
}

/** Exports that exclude the event by one filter; those of two filters, or of another range; and by one that keeps it. */
async function questionsAbout(write: OwnWrite, world: World, task: Task, to: Assignee) {
  const { people, otherTaskIds, otherEntityIds } = await valuesThatExclude(world, task, to);
  const ofTask = { 'metadata[task_id]': [task.id] };
  const ofEntity = { 'metadata[entity_id]': task.entity_id === null ? [] : [task.entity_id] };
  const byActor = { auditee_id: [world.actor] };
  const excluding: readonly Question[] = [
    { filters: { auditee_id: people } },
    { filters: { 'metadata[task_id]': otherTaskIds } },
    // The id of the task under another key.
    { filters: { 'metadata[entity_id]': [task.id] } },
  ];
  const inCompany: readonly Question[] = [
    { filters: { ...ofTask, ...byActor } },
    // An id that events have, but not as their actor.
    { filters: { ...ofTask, auditee_id: [task.entity_id ?? to.id] } },
    { filters: { ...ofTask, ...ofEntity } },
    { filters: { ...ofTask, 'metadata[entity_id]': otherEntityIds } },
    { filters: ofTask, range: {} },
    { filters: ofTask, range: { end: write.at.start - 1 } },
    { filters: ofTask, range: { start: write.at.end + 1 } },
  ];
  return { excluding, inCompany, ofOneFilter: [{ filters: byActor }, { filters: ofEntity }] };
}

/**
 * Filter values that exclude the event of a write by the actor: other people, the assignee first, with bystanders where
 * lists can be sent; another task, and its entity. An empty list is a question that is not asked.
 */
async function valuesThatExclude(world: World, task: Task, to: Assignee) {
  const { tasks, exports, actor, actors, users, taskIds } = world;
  const { encoding } = await exports.knowledge();
  const bystanders = [...new Set([...actors, ...users.map(({ id }) => id)])].filter(
    (id) => !sameId(id, actor) && !sameId(id, to.id),
  );
  const canSendLists = encoding.forTwoValues.length > 0;
  const otherTaskIds = taskIds.filter((id) => !sameId(id, task.id)).slice(0, 1);
  const entities = await Promise.all(otherTaskIds.map((id) => tasks.entityOf(id)));
  return {
    people: [to.id, ...bystanders.slice(0, canSendLists ? maxBystanders : 0)],
    otherTaskIds,
    otherEntityIds: entities.flatMap((id) =>
      typeof id === 'string' && !sameId(id, task.entity_id) ? [id] : [],
    ),
  };
}

/** Asks for the PDF of the query of a look, and takes its text: `plain` makes line breaks irrelevant. */
async function lookInPdf({ exports }: World, look: Look): Promise<Look> {
  const { query, answer, reading } = await exports.pdfAnytime(look.query);
  const texts = reading?.pages.flatMap((page) => page.texts.map(({ text }) => text));
  const text = plain(texts?.join('') ?? '');
  return { ...look, query, answer, table: undefined, text, isWhole: texts !== undefined };
}

/** The looks that show whether the event is in the export. @throws Inconclusive unless the event was found at all */
function readableOf({ write, alone }: OwnEvent, looks: readonly Look[], isFound: boolean): Look[] {
  requireTwin(write.answer, 'the write that is to be recorded');
  const answers = alone.map(({ answer }) => answer);
  if (!isFound)
    throw new Inconclusive('The event of the write was not found under its records.', answers);
  return looks.filter((look) => isThere(look, write) !== undefined);
}

/** Makes the test whether a question has exactly these filters, and no range of its own. */
const by =
  (...names: readonly FilterName[]) =>
  ({ filters, range }: Question): boolean =>
    range === undefined && filterNames.every((name) => name in filters === names.includes(name));

const isWithoutRange = ({ range = { start: 0 } }: Question) => Object.keys(range).length === 0;
const hasOneBound = ({ range = {} }: Question) => Object.keys(range).length === 1;

/** Makes the judge of a clause: the exports of the questions that the clause is about show the event as they should. */
const judging =
  (isOfClause: (question: Question) => boolean) =>
  (evidence: OwnEvent): void => {
    const { write, alone, further } = evidence;
    const asked = [...alone, ...further].filter(isOfClause);
    const readable = readableOf(evidence, asked, alone.every(isAsAsked(write)));
    if (asked.length === 0) throw new NotJudged('The task does not name what the filter asks for.');
    expectAsAsked(readable.length > 0 ? readable : asked, write);
  };

/** @throws Violation where a PDF shows the event by a filter that excludes it, or drops the tag that the CSV shows */
function expectInPdf(evidence: OwnEvent): void {
  const { write, end, alone, inPdf } = evidence;
  const readable = readableOf(evidence, inPdf, alone.every(isAsAsked(write)));
  // Whether and how a PDF shows comments is open.
  if (!readable.some((look) => belongs(write, look) && isThere(look, write))) {
    throw new NotJudged('The PDF of the event does not show its comment.');
  }
  expectAsAsked(
    readable.filter((look) => !belongs(write, look)),
    write,
  );
  const inCsv = alone.flatMap((look) => rowsOf(look, write)).flat();
  if (!inCsv.some((cell) => cell.includes(tag))) return;
  const untagged = readable.find(({ text = '' }) => {
    const [, comment] = new RegExp(`${write.mark}(.*?)${end}`, 's').exec(text) ?? [];
    // "...": a layout shortened the comment in its middle. Nothing else in these small PDFs holds a "<".
    return comment !== undefined && !comment.includes('...') && !text.includes('<');
  });
  if (untagged === undefined) return;
  const difference = other('loses a tag in a comment', { expected: tag });
  throw new Violation(difference, [untagged.answer], [write.answer]);
}

const ownEvent = scenario({
  name: 'an event of the run’s own is kept by the filters that name its task, its entity and its actor, and by no others',
  needs: ['writable-task', 'two-users'],
  act: lookForOne,
  judges: {
    'audit.event-names-its-records': (evidence) => {
      const { write, alone } = evidence;
      expectAsAsked(readableOf(evidence, alone, alone.some(isAsAsked(write))), write);
    },
    'export.filters-by-auditee-id': judging(by('auditee_id')),
    'export.filters-by-metadata-task-id': judging(by('metadata[task_id]')),
    'export.filters-by-metadata-entity-id': judging(by('metadata[entity_id]')),
    'export.filters-combine': judging(by('metadata[task_id]', 'auditee_id')),
    'export.metadata-keys-combine': judging(by('metadata[task_id]', 'metadata[entity_id]')),
    'export.range-combines-with-filters': judging(hasOneBound),
    'export.range-bounds-are-independent': (evidence) => {
      judging(isWithoutRange)(evidence);
      throw new CannotUphold('One event does not show that both sides are unbounded.');
    },
    'export.pdf-holds-the-events-of-the-csv': expectInPdf,
  },
});

export const ownEventScenarios = [ownEvent];
