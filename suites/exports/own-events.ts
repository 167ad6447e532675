import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { PdfDownload } from '../../helpers/exports/downloads.ts';
import type { ExportQuery, FilterSet } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { nameOfPuttingBack } from '../../helpers/http/exchange.ts';
import { pause } from '../../helpers/http/waiting.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { plain } from '../../helpers/pdf/plain-text.ts';
import { marksIn } from '../../helpers/tasks/marks.ts';
import { carriesTask, taskOf } from '../../helpers/tasks/task-answer.ts';
import type { SoFar, World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { sameId, type Task } from '../../schemas/resources.ts';
import { validWriteIn } from '../answers.ts';
import { answerOf } from '../every-answer.ts';
import { isRefused, type WithFacts } from '../expectations.ts';
import { factsOfMove, type Move } from '../sequence-plan.ts';
import { factsOfComment } from '../writes.ts';
import { boundOf } from './event-instants.ts';

/*
 * The events of this run's own writes. Such an event is known, whatever columns an export has: its task, entity, actor and about
 * its time, and a mark in its comment. So it is known which questions keep it, and each answer is judged by each event.
 */

/** The filters by the records that an event names. */
export const filtersOfRecords = ['metadata[task_id]', 'metadata[entity_id]', 'auditee_id'] as const;

/** A write whose event is looked for. */
export interface OwnWrite extends WithFacts {
  /** The kind of write, for messages: "an unassignment". */
  readonly of: string;
  /** The assignment that it makes; null where it removes one. */
  readonly to: Task['assignment'];
  readonly comment: string;
  /** A text that stands in the comment of this write, and nowhere else. */
  readonly mark: string;
  readonly answer: Answer;
  /** The filter values that keep its event; null where none does, as the task has no entity. */
  readonly values: Readonly<
    Record<'metadata[task_id]' | 'metadata[entity_id]', string | null> &
      Record<'auditee_id', string>
  >;
  /** What it does, in phrases: a service may treat the events of all that do the same alike. */
  readonly kinds: readonly string[];
}

/** An export that is asked for in search of events. */
export interface Question {
  /** The clause that the answer is evidence of. */
  readonly clause: JudgedClause;
  /** Values by filter. A question in which a filter has an empty list is not asked. */
  readonly filters: FilterSet;
  /** Left out where it is the time in which all the writes may have happened. */
  readonly range?: keyof typeof otherRanges;
  /** A bound at the time of an event, which has this mark, and where the rest of time begins; in nanoseconds since 1970. */
  readonly bound?: {
    readonly of: 'start' | 'end';
    readonly at: bigint;
    readonly beyond: bigint;
    readonly mark: string;
  };
  /** The marks of the events that it must show: others do not matter. Left out, filters and range tell. */
  readonly due?: readonly string[];
  /** Whether it convicts although it shows few of those: else its value may stand for another one in their rows. */
  readonly isSure?: boolean;
  /** Whether the PDF is looked at too, where the CSV is right. */
  readonly alsoInPdf?: true;
}

/** A question with its last answer. */
export interface Look extends Question {
  readonly query: ExportQuery;
  readonly answer: Answer;
  /** Of a CSV that could be read to its end. */
  readonly table: CsvTable | undefined;
  /** Of a PDF that could be read: its text, as `plain` makes it. */
  readonly text?: string | undefined;
  /** How long questions were asked again after the first look; 0 where that showed every event. */
  readonly waitedMs: number;
}

/** How filters are sent where that differs from what is learned of past events. */
export type Sending = Pick<ExportQuery, 'encoding' | 'brackets'>;

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
} as const;

/** How far the clock that dates events may be behind our clock and that of the answers, and how far ahead of them. */
const behindMs = 60 * 60_000;
const aheadMs = 5 * 60_000;

/** When the events of writes that were just made may have happened, by all clocks that are known. */
export function timeOf(
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
function excluding({ values }: OwnWrite, { filters, range = 'none', due }: Question): string[] {
  if (due !== undefined) return [];
  const others = filtersOfRecords.filter(
    (name) => filters[name]?.every((value) => !sameId(value, values[name])) === true,
  );
  return [...others, ...otherRanges[range].excludes];
}

/** Whether the export that a question asks for should hold the event of a write. */
export function belongs(write: OwnWrite, question: Question): boolean {
  return question.due?.includes(write.mark) ?? excluding(write, question).length === 0;
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/** When a look for events began, by `performance.now`: what is looked for in several ways is waited for once. */
export type Since = number;

/** Asks all questions, and again where an event is missing: until the time-out, and once more when all others are done. */
export async function lookFor(
  { exports, auditTimeoutMs, othersAreDone }: World,
  writes: readonly OwnWrite[],
  time: TimeRange,
  questions: readonly Question[],
  sending?: Sending,
  since: Since = performance.now(),
): Promise<readonly Look[]> {
  const ask = async (question: Question) => {
    const { filters, range, bound } = question;
    const bounds = {
      ...(range === undefined ? time : otherRanges[range].boundsFor(time)),
      ...(bound && { [bound.of]: boundOf(bound.at) }),
    };
    const { query, answer, table } = await exports.anytime(
      // A default that is sent must not matter.
      { filters, ...bounds, ...sending, ...('auditee_id' in filters && { locale: 'en' }) },
      { isAnew: true },
    );
    return { ...question, query, answer, table };
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
export async function lookInPdf(
  { exports, auditTimeoutMs }: World,
  look: Look,
  isComplete: (look: Look) => Promise<boolean>,
  since: Since,
): Promise<Look> {
  const lookOnce = async (): Promise<Look> => {
    const waitedMs = Math.round(performance.now() - since);
    const pdf = await exports.pdfAnytime(look.query, { isAnew: true });
    const { query, answer } = pdf;
    const clause = 'export.pdf-holds-the-events-of-the-csv';
    return { ...look, clause, query, answer, table: undefined, text: textOf(pdf), waitedMs };
  };
  return await lookUntil(since, auditTimeoutMs, lookOnce, isComplete);
}

/** The text of a PDF, where it could be read: `plain` makes line breaks irrelevant. */
export function textOf({ reading }: PdfDownload): string | undefined {
  return (
    reading && plain(reading.pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join(''))
  );
}

type Marked = Pick<OwnWrite, 'mark'>;

/** The rows of an export that hold the mark of a write. The whole text of a PDF counts as one row of one cell. */
export function rowsOf({ table, text = '' }: Look, { mark }: Marked): Row[] {
  // A single event, without its empty cells, may have been taken for a line below the table.
  const rows = table ? [...table.rows, ...table.footerLines] : [[text]];
  return rows.filter((cells) => cells.some((cell) => cell.includes(mark)));
}

/** Whether an export shows the event of a write; undefined where it does not, and could not be read to its end. */
export function isThere(look: Look, write: Marked): boolean | undefined {
  if (rowsOf(look, write).length > 0) return true;
  return (look.table ?? look.text) === undefined ? undefined : false;
}

/** Whether an export shows more than half of the events that belong there: a PDF that shows the comments of most shows those of all. */
export function showsMost(look: Look, writes: readonly OwnWrite[]): boolean {
  const due = writes.filter((write) => belongs(write, look));
  return due.filter((write) => isThere(look, write)).length * 2 > due.length;
}

/** Whether an export shows the event of a write if and only if it should; whether it should may not matter. */
export const isAsAsked =
  (write: OwnWrite) =>
  (look: Look): boolean =>
    (look.due !== undefined && !belongs(write, look)) ||
    isThere(look, write) === belongs(write, look);

/** A question in words, seen from a write: "the events of its metadata[task_id] and of another auditee_id". */
export function whose(write: OwnWrite, question: Question): string {
  const { filters, range, bound } = question;
  const others = excluding(write, question);
  const names = Object.keys(filters);
  const phrases = names.map((name) => `of ${others.includes(name) ? 'another' : 'its'} ${name}`);
  if (range !== undefined) phrases.push(`with ${otherRanges[range].words}`);
  if (bound) {
    const ofWhich = bound.mark === write.mark ? 'its very time' : 'the time of another event';
    phrases.push(`with a range_${bound.of} at ${ofWhich}`);
  }
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
  const isRead = (look: Look): boolean =>
    isThere(look, write) !== undefined && !look.table?.problems.length;
  const unread = wrong.filter((look) => !isThere(look, write) && !isRead(look));
  if (unread.length > 0) {
    throw new Inconclusive(
      'The event was looked for in vain, and not every export could be read to its end.',
      unread.map(({ answer }) => answer),
    );
  }
  const { filters, query, waitedMs } = first;
  const [ignored, ...more] = excluding(write, first);
  // A filter by the assignee that keeps the event may be honoured: the service takes the assignee for the actor.
  const isIgnored = more.length === 0 && filters.auditee_id?.[0] !== write.to?.assigned_to_id;
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

export type RefusedWrite = Pick<OwnWrite, 'of' | 'mark' | 'answer'>;

/** The valid writes so far whose comment has a mark, and all writes with a mark that were refused. */
export function writesSoFar({ exchanges, baseUrl }: SoFar) {
  const accepted: OwnWrite[] = [];
  const refused: RefusedWrite[] = [];
  /** By URL: to whom the last accepted write gave the task; undefined where that is open. */
  const last = new Map<string, (Pick<Move, 'to'> & { readonly id: unknown }) | undefined>();
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
    const { to: from, id: former } = last.get(request.url) ?? {};
    const wasAssigned = from !== undefined && from !== 'nobody';
    const { assigned_by_id: by, assigned_to_id: assignee, assigned_to_type: type } = fields;
    const to = kind === 'unassign' ? 'nobody' : type === 'TEAM' ? 'a team' : 'a user';
    last.set(request.url, kind ? { to, id: assignee } : undefined);
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
    const isBySelf = sameId(String(by), String(kind === 'update' ? assignee : former));
    const kinds = factsOfMove({ ...(from && { from }), to, ...(isBySelf && { isBySelf }) });
    const before = sent.slice(0, index).findLast(({ scenario }) => scenario === exchange.scenario);
    accepted.push({
      of:
        kind === 'unassign' ? 'an unassignment' : wasAssigned ? 'a reassignment' : 'an assignment',
      to: (kind === 'update' && assignment) || null,
      comment,
      mark,
      answer,
      values: {
        'metadata[task_id]': id,
        'metadata[entity_id]': entity,
        auditee_id: String(by),
      },
      kinds,
      facts: [
        ...kinds,
        ...factsOfComment(comment),
        ...(before ? [`right after ${before.operation} gave ${before.response?.status}`] : []),
      ],
    });
  }
  return { accepted, refused };
}
