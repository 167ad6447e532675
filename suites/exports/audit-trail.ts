import type { Assignee } from '../../helpers/api.ts';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { PdfDownload } from '../../helpers/exports/downloads.ts';
import {
  bracketStyles,
  bracketsHonoured,
  encodingsForOne,
} from '../../helpers/exports/encoding.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { groupBy } from '../../helpers/group-by.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { nameOfPuttingBack } from '../../helpers/http/exchange.ts';
import { pause } from '../../helpers/http/waiting.ts';
import {
  CannotUphold,
  Inconclusive,
  NothingSeen,
  NotJudged,
  other,
  Violation,
} from '../../helpers/outcomes.ts';
import { isShowable, plain } from '../../helpers/pdf/plain-text.ts';
import { marksIn } from '../../helpers/tasks/marks.ts';
import { carriesTask, taskOf } from '../../helpers/tasks/task-answer.ts';
import { literal } from '../../helpers/text-pattern.ts';
import { scenario } from '../../runner/scenario.ts';
import type { SoFar, World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Observation } from '../../schemas/observations.ts';
import { sameId } from '../../schemas/resources.ts';
import { validWriteIn } from '../answers.ts';
import { normalization, normalized } from '../comparing-tasks.ts';
import { answerOf } from '../every-answer.ts';
import { isRefused, judgeEach, type WithFacts } from '../expectations.ts';
import { commenting } from '../open-writes.ts';
import { tag } from '../sequence-plan.ts';
import { sequences } from '../sequences.ts';
import { publicName } from '../shapes.ts';
import {
  factsOfComment,
  oneActorAlone,
  type Step,
  type Steps,
  stepJudges,
  takeStep,
} from '../writes.ts';
import { readerOf } from './csv.ts';
import { clauseByFilter, namedLists } from './filter-levels.ts';
import { asBothFiles, type BothFiles } from './pdf.ts';
import { enoughToCompare } from './prediction.ts';
import { judgeTables, noValues, outcomeOf } from './relations.ts';
import { expectDatesInZone, type Zoned, zoneOfQuarters } from './timezone.ts';

/*
 * Events: comments are recorded in the entity's audit record. The event of every commented write is looked for in the exports
 * of its task, entity and actor; then those that all show are asked for by filters in company, or excluding them, and in PDFs.
 * An event is known, whatever columns an export has: its task, entity, actor and about its time, and a mark in its comment. So
 * it is known which questions keep it, and each answer is judged by each event.
 */

/** The filters by the records that an event names. */
const filtersOfRecords = ['metadata[task_id]', 'metadata[entity_id]', 'auditee_id'] as const;
/** And by the types, subtypes and sources that its row shows. */
const filtersOfEvents = [...filtersOfRecords, ...namedLists] as const;
type FilterName = (typeof filtersOfEvents)[number];
type NamedList = (typeof namedLists)[number];

/** A write whose event is looked for. */
interface OwnWrite {
  /** The kind of write, for messages: "an unassignment". */
  readonly of: string;
  /** To whom it assigns the task; null where it removes the assignment. */
  readonly to: Assignee | null;
  readonly comment: string;
  /** A text that stands in the comment of this write, and nowhere else. */
  readonly mark: string;
  readonly answer: Answer;
  /** The filter values that keep its event; null where none does, as the task has no entity. */
  readonly values: Readonly<
    Record<'metadata[task_id]' | 'metadata[entity_id]', string | null> &
      Record<'auditee_id', string> & { readonly [List in NamedList]?: string }
  >;
}

/** An export that is asked for in search of events. */
interface Question {
  /** The clause that the answer is evidence of. */
  readonly clause: JudgedClause;
  /** Values by filter. A question in which a filter has an empty list is not asked. */
  readonly filters: { readonly [Name in FilterName]?: readonly string[] };
  /** Left out where it is the time in which all the writes may have happened. */
  readonly range?: keyof typeof otherRanges;
  /** Whether the PDF is looked at too, where the CSV is right. */
  readonly alsoInPdf?: true;
}

/** A question with its last answer. */
interface Look extends Question {
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

/** Ranges by the time of the writes, in words; and the parameters that exclude all their events there. */
const otherRanges = {
  none: { words: 'no range', excludes: [], boundsFor: () => ({}) },
  before: {
    words: 'range_end',
    excludes: ['range_end'],
    boundsFor: ({ start }: TimeRange) => ({ end: start - 1 }),
  },
  after: {
    words: 'range_start',
    excludes: ['range_start'],
    boundsFor: ({ end }: TimeRange) => ({ start: end + 1 }),
  },
  since: {
    words: 'a range_start right before it',
    excludes: [],
    boundsFor: ({ start, end, first = start }: TimeOfWrites) => ({ start: first, end }),
  },
} as const;

/** When writes were made. */
interface TimeOfWrites extends TimeRange {
  /** The earliest time that rows show of their events, in milliseconds since 1970; left out where it is not known. */
  readonly first?: number | undefined;
}

/** How far the clock that dates events may be behind our clock and that of the answers, and how far ahead of them. */
const behindMs = 60 * 60_000;
const aheadMs = 5 * 60_000;

/** When the events of writes that were just made may have happened, by all clocks that are known. */
function timeOf(
  writes: readonly Pick<OwnWrite, 'answer'>[],
  { now, auditTimeoutMs }: World,
): TimeRange {
  const dates = writes.map(({ answer }) => Date.parse(answer.header('date') ?? ''));
  const clocks = [now(), ...dates.filter((date) => !Number.isNaN(date))];
  return {
    start: Math.min(...clocks) - behindMs,
    end: Math.max(...clocks) + auditTimeoutMs + aheadMs,
  };
}

/** The parameters of a question that exclude the event of a write, as `auditee_id`; [] where it belongs there. */
function excluding({ values }: OwnWrite, { filters, range = 'none' }: Question): string[] {
  const isOther = (name: FilterName): boolean =>
    filters[name]?.every((value) => !sameId(value, values[name])) === true;
  return [...filtersOfEvents.filter(isOther), ...otherRanges[range].excludes];
}

/** Whether the export that a question asks for should hold the event of a write. */
function belongs(write: OwnWrite, question: Question): boolean {
  return excluding(write, question).length === 0;
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/** When a look for events began, by `performance.now`: what is looked for in several ways is waited for once. */
type Since = number;

/** Asks all questions, and again where an event is missing: until the time-out, and once more when all others are done. */
async function lookFor(
  { exports, auditTimeoutMs, othersAreDone }: World,
  writes: readonly OwnWrite[],
  time: TimeOfWrites,
  questions: readonly Question[],
  sending?: Sending,
  since: Since = performance.now(),
): Promise<readonly Look[]> {
  const ask = async (question: Question) => {
    const { filters, range } = question;
    const bounds = range === undefined ? time : otherRanges[range].boundsFor(time);
    const { query, answer, table, overflowed } = await exports.anytime(
      // A default that is sent must not matter.
      { filters, ...bounds, ...sending, ...('auditee_id' in filters && { locale: 'en' }) },
      { isAnew: true },
    );
    const isWhole = table !== undefined && !overflowed;
    return { ...question, query, answer, table, isWhole };
  };
  const isComplete = (look: Look): boolean =>
    writes.every((write) => !belongs(write, look) || isThere(look, write));
  const withValues = questions.filter(({ filters }) =>
    Object.values(filters).every((values) => values.length > 0),
  );
  const areComplete = (looks: readonly Look[]): boolean => looks.every(isComplete);
  let looks: readonly Look[] = [];
  /** Asks the questions whose answers are not complete yet. */
  const look = async (waitedMs: number): Promise<readonly Look[]> => {
    const asked = withValues.map((question, at) => {
      const before = looks[at];
      return before && isComplete(before) ? before : ask(question);
    });
    looks = (await Promise.all(asked)).map((one) => ({ ...one, waitedMs }));
    return looks;
  };
  const inTime = await lookUntil(since, auditTimeoutMs, look, areComplete);
  if (areComplete(inTime)) return inTime;
  await othersAreDone();
  return await look(Math.round(performance.now() - since));
}

/** Looks until all is there, or the time-out is over; a last look begins then. @param look gets the milliseconds waited */
async function lookUntil<Seen>(
  since: Since,
  timeoutMs: number,
  look: (waitedMs: number) => Promise<Seen>,
  isComplete: (seen: Seen) => boolean | Promise<boolean>,
): Promise<Seen> {
  const elapsed = (): number => performance.now() - since;
  let waitedMs = 0;
  for (let wait = firstPauseMs; ; wait = Math.min(wait * 2, maxPauseMs)) {
    const isLast = elapsed() >= timeoutMs;
    const seen = await look(waitedMs);
    if (isLast || (await isComplete(seen))) return seen;
    await pause(Math.min(wait, Math.max(0, timeoutMs - elapsed())));
    waitedMs = Math.round(elapsed());
  }
}

/** Asks for the PDF of a look until it is complete, or the time-out is over: PDFs may be made of later events than CSVs. */
async function lookInPdf(
  { exports, auditTimeoutMs }: World,
  look: Look,
  isComplete: (look: Look) => Promise<boolean>,
  since: Since,
): Promise<Look> {
  const lookOnce = async (): Promise<Look> => {
    const waitedMs = Math.round(performance.now() - since);
    const pdf = await exports.pdfAnytime(look.query, { isAnew: true });
    const { query, answer } = pdf;
    const file = { table: undefined, text: textOf(pdf), isWhole: pdf.reading !== undefined };
    const clause = 'export.pdf-holds-the-events-of-the-csv';
    return { ...look, clause, query, answer, ...file, waitedMs };
  };
  return await lookUntil(since, auditTimeoutMs, lookOnce, isComplete);
}

/** The text of a PDF: `plain` makes line breaks irrelevant. */
function textOf({ reading }: PdfDownload): string {
  return plain(reading?.pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join('') ?? '');
}

type Marked = Pick<OwnWrite, 'mark'>;

/** The rows of an export that hold the mark of a write. The whole text of a PDF counts as one row of one cell. */
function rowsOf({ table, text = '' }: Look, { mark }: Marked): Row[] {
  return (table?.rows ?? [[text]]).filter((cells) => cells.some((cell) => cell.includes(mark)));
}

/** Whether an export shows the event of a write; undefined where it does not, and could not be read to its end. */
function isThere(look: Look, write: Marked): boolean | undefined {
  if (rowsOf(look, write).length > 0) return true;
  return look.isWhole ? false : undefined;
}

/** Whether an export shows more than half of the events that belong there: a PDF that shows the comments of most shows those of all. */
function showsMost(look: Look, writes: readonly OwnWrite[]): boolean {
  const due = writes.filter((write) => belongs(write, look));
  return due.filter((write) => isThere(look, write)).length * 2 > due.length;
}

/** Whether an export shows the event of a write if and only if it should. */
const isAsAsked =
  (write: OwnWrite) =>
  (look: Look): boolean =>
    isThere(look, write) === belongs(write, look);

/** A question in words, seen from a write: "the events of its metadata[task_id] and of another auditee_id". */
function whose(write: OwnWrite, { clause, filters, range }: Question): string {
  const others = excluding(write, { clause, filters });
  const names = filtersOfEvents.filter((name) => name in filters);
  const phrases = names.map((name) => `of ${others.includes(name) ? 'another' : 'its'} ${name}`);
  if (range !== undefined) phrases.push(`with ${otherRanges[range].words}`);
  return `the events ${phrases.join(' and ')}`;
}

/**
 * @param when what the violation is said of, as a phrase; left out: the first export that is wrong
 * @throws Violation where an export lacks the event of a write that belongs there, or shows one that does not
 * @throws Inconclusive where an export without the event could not be read to its end
 */
function expectAsAsked(looks: readonly Look[], write: OwnWrite, when?: string): void {
  const wrong = looks.filter((look) => !isAsAsked(write)(look));
  const [first] = wrong;
  if (first === undefined) return;
  // A file that is cut short, or is not one table, may hide the event.
  const unread = wrong.filter(
    (look) => !isThere(look, write) && !(look.isWhole && !look.table?.problems.length),
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

/** A write with a comment, and the exports that should show its event. */
interface Recorded extends OwnWrite, WithFacts {
  /** The exports by its task, its entity and its actor. */
  readonly looks: readonly Look[];
  /** The first row that shows the event, and the answer that holds this row; missing where no export shows it. */
  readonly shown?: { readonly row: Row; readonly answer: Answer };
}

type RefusedWrite = Pick<OwnWrite, 'of' | 'mark' | 'answer'>;

/** `steps`: the write that the scenario itself makes. */
interface Evidence extends Steps {
  readonly knowledge: Knowledge;
  readonly since: Since;
  /** Shows whether PDFs show comments; undefined where that was not in question. */
  readonly sample: BothFiles | undefined;
  /** In the order in which they were made. */
  readonly writes: readonly Recorded[];
  /** The answers to writes that were refused, each with the mark that was sent. */
  readonly refused: readonly RefusedWrite[];
  /** The events that the further exports are asked about: of one task, found in all exports of their records. */
  readonly ofOneTask: readonly Recorded[];
  /** The exports by each task, each entity and each actor. */
  readonly records: readonly Look[];
  /** The exports that were asked for when events had been found in all those of their records. */
  readonly further: readonly Look[];
  /** The events of one task in UTC and in a zone; undefined where none of its events is known. */
  readonly zoned: Zoned | undefined;
}

const taskIn = ({ answer }: OwnWrite): string => taskOf(answer).id;

/** Asks for exports until they show the events of what the run has written. */
async function lookForWrites(world: World, before?: Evidence): Promise<Evidence> {
  // Learned first: what is written meanwhile would make it unclear.
  const knowledge = await world.exports.knowledge();
  await world.othersAreDone();
  const { accepted: sent, refused } = writesSoFar(world.soFar());
  // Where the sequences are left out on purpose.
  if (sent.length + refused.length === 0) throw new NothingSeen();
  const time = timeOf(sent, world);
  // What an earlier look has waited for has had its time.
  const since = before?.writes.length === sent.length ? before.since : performance.now();
  const questionsByRecord = recordsOf(sent);
  const atFirst = await lookFor(world, sent, time, questionsByRecord, undefined, since);
  const sending = await sendingFoundBy(world, time, knowledge);
  const records = sending ? await lookFor(world, sent, time, questionsByRecord, sending) : atFirst;
  const named = namedBy(sent, records, knowledge);
  const writes = sent.map((write) => recordedIn(records, named(write)));
  const ofOneTask = mostTelling(writes).map((write) => classified(write, knowledge));
  const zoned = await inZone(world, ofOneTask, { time, sending });
  /** A copy that a service keeps of the answers so far lacks the event of one more write. */
  const lookForOneMore = async () => {
    const step = await writeOnceMore(world);
    const made = writesSoFar(world.soFar()).accepted.slice(sent.length).map(named);
    const copies = await lookFor(world, made, time, recordsOf(made), sending);
    return { step, later: made.map((write) => recordedIn(copies, write)) };
  };
  const [{ step, later }, { further, sample }] = await Promise.all([
    lookForOneMore(),
    lookFurther(world, knowledge, { writes: ofOneTask, time, since, sending }),
  ]);
  const all = [...writes, ...later];
  const steps = step ? [step] : [];
  const found = { writes: all, refused, ofOneTask, records, further, zoned, steps };
  return { knowledge, sample, since, ...found };
}

/** Of the writes whose events are known those of one task, to be asked about further: with a tag in a comment, or the most. */
function mostTelling(writes: readonly Recorded[]): readonly Recorded[] {
  const ofTasks = groupBy(writes.filter(known.matches), taskIn);
  const hasTag = (some: readonly Recorded[]) => some.some(({ comment }) => comment.includes(tag));
  const [ofOneTask = []] = [...ofTasks.values()].sort(
    (some, others) => Number(hasTag(others)) - Number(hasTag(some)) || others.length - some.length,
  );
  return ofOneTask;
}

/** With the types, subtypes and sources that its one row shows, as far as these are values that exports have confirmed. */
function classified(write: Recorded, { filters }: Knowledge): Recorded {
  const { shown, looks, values } = write;
  if (looks.some((look) => rowsOf(look, write).length > 1)) return write;
  const lists = namedLists.flatMap((list) => {
    const value = shown && readerOf(list, filters)?.(shown.row);
    const isKnown = filters.known.get(list)?.values.some((one) => one.value === value);
    return isKnown ? [[list, value]] : [];
  });
  return { ...write, values: { ...values, ...Object.fromEntries(lists) } };
}

/** The events of a task in UTC and in a zone, asked for when all are there, and before one more is made. */
async function inZone(
  { exports }: World,
  [write]: readonly Recorded[],
  { time, sending }: Pick<Among, 'time' | 'sending'>,
): Promise<Zoned | undefined> {
  const id = write?.values[byTask];
  if (!id) return undefined;
  const query = { ...time, ...sending, filters: { [byTask]: [id] } };
  const [utc, csv] = await Promise.all(
    [{}, { timezone: zoneOfQuarters }].map((zone) =>
      exports.anytime({ ...query, ...zone }, { isAnew: true }),
    ),
  );
  return utc && csv && { zone: zoneOfQuarters, utc, csv };
}

/** What further questions are asked about, and how. */
interface Among {
  /** Of one task. */
  readonly writes: readonly Recorded[];
  readonly time: TimeRange;
  readonly since: Since;
  readonly sending: Sending | undefined;
}

/** Asked after the queries that keep the events: a service that answers with the previous file is found out. */
async function lookFurther(
  world: World,
  knowledge: Knowledge,
  { writes, time, since, sending }: Among,
): Promise<Pick<Evidence, 'further' | 'sample'>> {
  const [first] = writes;
  if (first === undefined) return { further: [], sample: undefined };
  const times = { ...time, first: firstTimeOf(writes, knowledge) };
  const questions = await questionsAbout(world, first, writes);
  const inCsv = await lookFor(world, writes, times, questions, sending, since);
  /** Asked for only where a PDF lacks an event: by whatever else a scenario reads, more may have moved. */
  let sample: BothFiles | undefined;
  /** Whether a PDF shows all events that belong there; PDFs need not show comments. */
  const isComplete = async (look: Look): Promise<boolean> => {
    const lacking = writes.filter((write) => belongs(write, look) && !isThere(look, write));
    if (lacking.length === 0) return true;
    if (showsMost(look, writes)) return false;
    sample ??= await asBothFiles(world.exports, knowledge.window.sample);
    const files = sample;
    return !lacking.some((write) => isCommentShown(write, files));
  };
  // Where the CSV is wrong, the filter is to blame, and not the PDF.
  const rightOnes = inCsv.filter(
    (look) => look.alsoInPdf && writes.every((write) => isAsAsked(write)(look)),
  );
  const inPdf = await Promise.all(
    rightOnes.map((look) => lookInPdf(world, look, isComplete, since)),
  );
  return { further: [...inCsv, ...inPdf], sample };
}

async function writeOnceMore(world: World): Promise<Step | undefined> {
  const { tasks, users, mark } = world;
  const { actors, task } = await world.findActors(await tasks.any());
  const to = users.find(({ id }) => !sameId(id, task.assignment?.assigned_to_id)) ?? null;
  return await takeStep({ tasks, actors }, task, { to, comment: `${mark()}: once more` });
}

/** How filters are sent where that differs from what is learned of past events. */
type Sending = Pick<ExportQuery, 'encoding' | 'brackets'>;

/** How filters are honoured, by the events of the writes where there are no past ones; undefined where that is as they were sent. */
async function sendingFoundBy(
  { exports }: World,
  time: TimeRange,
  { base, filters, encoding: { best, isGiven } }: Knowledge,
): Promise<Sending | undefined> {
  if (base.table.count > 0) return undefined;
  const ask = (query: ExportQuery) => exports.anytime({ ...time, ...query }, { isAnew: true });
  const [usual] = bracketStyles;
  const [brackets = usual] = await bracketsHonoured(ask, filters.impossible);
  const [encoding = best] = isGiven ? [] : await encodingsForOne(ask, filters.impossible);
  return brackets === usual && encoding === best ? undefined : { brackets, encoding };
}

/** The earliest time that the rows of these events show, in milliseconds since 1970; undefined where it is not known. */
function firstTimeOf(writes: readonly Recorded[], { columns: { times } }: Knowledge) {
  const rows = writes.flatMap(({ shown }) => (shown ? [shown.row] : []));
  const dates = times && datesOf({ rows }, times);
  return dates && Math.floor(Math.min(...dates.instants) - times.unit);
}

const byTask = 'metadata[task_id]';

/** Without the task where no event names any: an event must name who caused it, and its task only where any does. */
function namedBy(writes: readonly OwnWrite[], records: readonly Look[], { filters }: Knowledge) {
  const taskOfRow = readerOf(byTask, filters);
  const areNamed = records.some((look) =>
    writes.some(
      (write) =>
        (look.filters[byTask] && belongs(write, look) && isThere(look, write) !== false) ||
        rowsOf(look, write).some((row) => taskOfRow?.(row)),
    ),
  );
  return <Write extends OwnWrite>(write: Write): Write =>
    areNamed ? write : { ...write, values: { ...write.values, [byTask]: null } };
}

/** A write with the exports that it belongs to, and the first row there that shows its event. */
function recordedIn(records: readonly Look[], write: OwnWrite & WithFacts): Recorded {
  const looks = records.filter((look) => belongs(write, look));
  const [shown] = looks.flatMap((look) =>
    rowsOf(look, write).map((row) => ({ row, answer: look.answer })),
  );
  return { ...write, looks, ...(shown && { shown }) };
}

/** The questions by one filter, for the exports of the records that events name. */
function recordsOf(writes: readonly OwnWrite[]): Question[] {
  return filtersOfRecords.flatMap((filter) => {
    const values = new Set(writes.map((write) => write.values[filter]));
    return [...values].flatMap((value): Question[] =>
      value === null ? [] : [{ clause: clauseByFilter[filter], filters: { [filter]: [value] } }],
    );
  });
}

/** The valid writes so far whose comment has a mark, and all writes with a mark that were refused. */
function writesSoFar({ exchanges, baseUrl }: SoFar) {
  const accepted: (OwnWrite & WithFacts)[] = [];
  const refused: RefusedWrite[] = [];
  /** By URL: what the last accepted write has sent. What unassigning an unassigned task does is open. */
  const last = new Map<string, string | undefined>();
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
    const { kind, fields = {} } = validWriteIn(exchange, baseUrl) ?? {};
    // What becomes of white space around it is open.
    const comment = String(fields.assignment_comment ?? '').trim();
    const { body = '' } = request;
    const [mark] = marksIn(kind ? comment : body);
    if (isRefused(answer)) {
      if (mark !== undefined && !isAccepted.has(mark))
        refused.push({
          of: body.includes('"unassign"') ? 'an unassignment' : 'an assignment',
          mark,
          answer,
        });
      continue;
    }
    const wasAssigned = last.get(request.url) === 'update';
    last.set(request.url, kind);
    // What a write does that is not the document's, as one with its version in quotes, is open, and so what is recorded of it.
    if (kind === undefined || mark === undefined || !carriesTask(answer)) continue;
    if (kind === 'unassign' && !wasAssigned) continue;
    // Where a task was brought back, its comment was sent again: which event is whose does not show.
    if (accepted.some((one) => one.mark === mark)) continue;
    // A mark further behind may be lost where a record cuts comments, which is a clause of its own.
    if (comment.indexOf(mark) > 1) continue;
    const { id, entity_id: entity, assignment } = taskOf(answer);
    // Of an id that should be unknown: whose event that is does not show.
    if (!sameId(id, decodeURIComponent(request.url.split('/').at(-2) ?? ''))) continue;
    const before = sent.slice(0, index).findLast(({ scenario }) => scenario === exchange.scenario);
    accepted.push({
      of:
        kind === 'unassign' ? 'an unassignment' : wasAssigned ? 'a reassignment' : 'an assignment',
      to:
        kind === 'update' && assignment
          ? { type: assignment.assigned_to_type, id: assignment.assigned_to_id }
          : null,
      comment,
      mark,
      answer,
      values: {
        'metadata[task_id]': id,
        'metadata[entity_id]': entity,
        auditee_id: String(fields.assigned_by_id),
      },
      facts: [
        ...(assignment ? [`to a ${assignment.assigned_to_type.toLowerCase()}`] : []),
        ...factsOfComment(comment),
        ...(before ? [`right after ${before.operation} gave ${before.response?.status}`] : []),
      ],
    });
  }
  return { accepted, refused };
}

/** How many ids may be sent in one request without making it too long. */
const maxPeople = 9;

/** Further questions about the events of one task: they exclude them, give two filters, or another range. */
async function questionsAbout(
  { tasks, exports, actors, users, taskIds }: World,
  write: OwnWrite,
  writes: readonly OwnWrite[],
): Promise<readonly Question[]> {
  const { values } = write;
  const { [byTask]: itsTask, 'metadata[entity_id]': itsEntity } = values;
  const task = taskIn(write);
  const isActor = (id: string): boolean =>
    writes.some(({ values: { auditee_id } }) => sameId(auditee_id, id));
  // The first assignee comes first.
  const people = [...new Set([...users.map(({ id }) => id), ...actors])];
  const { encoding } = await exports.knowledge();
  const canSendLists = encoding.forTwoValues.length > 0;
  const others = people.filter((id) => !isActor(id)).slice(0, canSendLists ? maxPeople : 1);
  const otherTasks = taskIds.filter((id) => !sameId(id, task)).slice(0, 1);
  const entities = await Promise.all(otherTasks.map((id) => tasks.entityOf(id)));
  const otherEntities = entities.flatMap((id) =>
    typeof id === 'string' && !sameId(id, itsEntity) ? [id] : [],
  );
  const entity = itsEntity === null ? [] : [itsEntity];
  const ofEntity = { 'metadata[entity_id]': entity };
  const ofTask = itsTask === null ? ofEntity : { [byTask]: [itsTask] };
  const { 'metadata[entity_id]': ofEntities, auditee_id: ofActors } = clauseByFilter;
  const together = 'export.filters-combine';
  const ofKeys = 'export.metadata-keys-combine';
  const inRange = 'export.range-combines-with-filters';
  return [
    { clause: ofActors, filters: { auditee_id: others }, alsoInPdf: true },
    // Its actor comes last in a list.
    {
      clause: ofActors,
      filters: { auditee_id: canSendLists ? [...others.slice(0, 1), values.auditee_id] : [] },
    },
    { clause: clauseByFilter[byTask], filters: { [byTask]: otherTasks } },
    // The id of the task under another key.
    { clause: ofEntities, filters: { 'metadata[entity_id]': [task] }, alsoInPdf: true },
    { clause: together, filters: { ...ofTask, auditee_id: [values.auditee_id] } },
    // An id that events have, but not as their actor.
    { clause: together, filters: { ...ofTask, auditee_id: entity } },
    ...namedLists
      .filter((list) => writes.every(({ values }) => values[list] !== undefined))
      .map(
        (list): Question => ({
          clause: together,
          filters: { ...ofTask, [list]: [values[list] ?? ''] },
        }),
      ),
    { clause: ofKeys, filters: { ...ofTask, ...ofEntity } },
    { clause: ofKeys, filters: { ...ofTask, 'metadata[entity_id]': otherEntities } },
    { clause: 'export.range-bounds-are-independent', filters: ofTask, range: 'none' },
    { clause: inRange, filters: ofTask, range: 'before' },
    { clause: inRange, filters: ofTask, range: 'after' },
    { clause: inRange, filters: ofTask, range: 'since', alsoInPdf: true },
    { clause: inRange, filters: ofEntity, range: 'since' },
  ];
}

/** The clauses that questions are evidence of, and that the known events show in full. */
const clausesOfQuestions: readonly JudgedClause[] = [
  ...filtersOfRecords.map((filter) => clauseByFilter[filter]),
  'export.filters-combine',
  'export.metadata-keys-combine',
  'export.range-combines-with-filters',
];

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

/** Every export of its records shows the event equally often; of a comment of two actors each shows one. So it judges others. */
const known: Kind = {
  matches: (write) =>
    write.shown !== undefined &&
    new Set(write.looks.map((look) => rowsOf(look, write).length)).size === 1,
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
const judgingAnswers =
  (
    clause: JudgedClause,
    expect: (looks: readonly Look[], write: Recorded, evidence: Evidence) => void = (
      looks,
      write,
    ) => expectAsAsked(looks, write),
  ) =>
  (evidence: Evidence): void => {
    const judge = judging(known, (write, { further }) => {
      const looks = [...write.looks, ...further].filter((look) => look.clause === clause);
      if (looks.length === 0)
        throw new NotJudged('The task does not name what the filter asks for.');
      const readable = looks.filter((look) => isThere(look, write) !== undefined);
      expect(readable.length > 0 ? readable : looks, write, evidence);
    });
    judge({ ...evidence, writes: evidence.ofOneTask });
  };

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
function expectInPdf(looks: readonly Look[], write: Recorded, { sample, ofOneTask }: Evidence) {
  const isShown = sample !== undefined && isCommentShown(write, sample);
  // A program may leave out a text for a character that its font lacks.
  const isSimple = ({ comment }: OwnWrite): boolean => isShowable(plain(comment));
  const alike = ofOneTask.filter((one) => isSimple(one) === isSimple(write));
  const isShownIn = (look: Look): boolean => isShown || showsMost(look, alike);
  const own = looks.filter((look) => belongs(write, look));
  if (!own.some((look) => isShownIn(look) || isThere(look, write)))
    throw new NotJudged('The PDF of the event does not show its comment.');
  expectAsAsked(
    looks.filter((look) => isShownIn(look) || !belongs(write, look)),
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
  const of = `${write.of}${write.to?.type === 'TEAM' ? ' to a team' : ''}`;
  if (write.shown === undefined)
    expectAsAsked(write.looks, write, `an event with the comment of ${of}`);
}

/** @throws Violation where an export by its task, entity or actor lacks the event, and another shows it */
function expectInItsExports(write: Recorded, { records }: Evidence): void {
  const { looks: ownLooks, of } = write;
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
function expectNothingOfRefused({ writes, refused, records }: Evidence): void {
  if (writes.at(-1)?.shown === undefined)
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
  const columns = namedLists.flatMap((filter) => {
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
    return rowsOf(look, write)
      .flat()
      .flatMap(textsIn)
      .some((text) => isShown(text, comment));
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

/** Whether a text shows the comment; line ends and the Unicode normal form may differ. */
function shows(text: string, comment: string): boolean {
  return normalized(text).includes(normalized(comment));
}

/** As `shows`, in a file of windows-1252: any text may stand in place of characters that this encoding cannot write. */
function showsAsFarAsWritable(text: string, comment: string): boolean {
  const [shown, sent] = [text, comment].map((one) => one.replaceAll('\r\n', '\n'));
  const writable = (sent ?? '').split(/[^\0-\xff]+/u).map(literal);
  return new RegExp(writable.join('[\\s\\S]{0,200}?')).test(shown ?? '');
}

/** What a cell shows before a comment that begins like a formula; an empty list where it is no known guard. */
function formulaGuard(cell: string, comment: string): Observation<'export.csv-form'>[] {
  const [before] = cell.split(comment.slice(0, 16));
  if (before === '') return [{ formulaGuard: 'none' }];
  if (before === "'") return [{ formulaGuard: 'an apostrophe' }];
  return before === '\t' ? [{ formulaGuard: 'a TAB' }] : [];
}

/** The cell as it is, with its line feeds escaped or not, and, where it is JSON, every text in it, which may be JSON again. */
function textsIn(cell: string): string[] {
  const texts = [cell, cell.replaceAll('\\n', '\n')];
  try {
    JSON.parse(cell, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(...textsIn(value));
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

const cellsOf = (write: Recorded): string[] =>
  write.looks.flatMap((look) => rowsOf(look, write)).flat();

const recorded = scenario({
  name: 'commented writes are recorded to the letter, and found by what their events name and by nothing else; refused ones are not recorded',
  needs: ['writable-task', 'user'],
  looksAt: [...sequences, ...commenting],
  writes: 1,
  shownBy: {
    team: ['audit.records-assignment-comments'],
    'two-users': ['audit.event-names-its-records'],
  },
  act: lookForWrites,
  judges: {
    'audit.records-assignment-comments': judging(assigning, expectRecorded),
    'audit.records-unassignment-comments': judging(unassigning, expectRecorded),
    'audit.event-names-its-records': (evidence) => {
      judging(found, expectInItsExports)(evidence);
      const people = new Set(evidence.writes.map(({ values }) => values.auditee_id));
      if (people.size === 1) throw oneActorAlone();
    },
    'audit.events-are-classified': judging(found, expectClassified),
    'audit.comment-is-kept-to-the-letter': judging(found, expectToTheLetter),
    'audit.refused-writes-leave-no-comment': expectNothingOfRefused,
    'update.answers-with-the-updated-task': stepJudges['update.answers-with-the-updated-task'],
    ...Object.fromEntries(clausesOfQuestions.map((clause) => [clause, judgingAnswers(clause)])),
    'export.timezone-formats-the-dates': ({ zoned, knowledge }) => {
      // Below title lines, a few events may not be recognized as a table.
      const isTable = zoned?.utc.table && knowledge.base.table.titleLines.length === 0;
      const { wrong } = isTable ? outcomeOf(() => expectDatesInZone(zoned, knowledge)) : {};
      if (wrong) throw wrong;
      throw new NothingSeen();
    },
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
      // In the record of a task that no event names, they were waited for in vain.
      writes.every((write) => write.values[byTask] && write.looks.every(isAsAsked(write)))
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
        return namedLists.flatMap((filter) => {
          const value = readerOf(filter, filters)?.(shown.row);
          return value === undefined ? [] : [{ of, filter, value: publicName(value) }];
        });
      }),
  },
});

export const auditTrailScenarios = [recorded];
