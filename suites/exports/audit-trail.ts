import { setTimeout as pause } from 'node:timers/promises';
import { updateBody } from '../../helpers/api.ts';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import type { Written } from '../../helpers/tasks/leases.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { Observation } from '../../schemas/observations.ts';
import type { Task } from '../../schemas/task.ts';
import { normalization, normalized } from '../comparing-tasks.ts';
import { requireTwin } from '../expectations.ts';
import { newMark } from '../marks.ts';
import { nameOf } from '../shapes.ts';
import { type Classified, classification, readerOf } from './csv-observations.ts';
import { noValues } from './relations.ts';

/** A write that was refused, and the mark of its comment. */
interface RefusedWrite {
  readonly what: string;
  readonly mark: string;
  readonly answer: Answer;
}

/** What is recorded of one write, found under each record that the event should name. */
interface Recorded {
  readonly knowledge: Knowledge;
  readonly comment: string;
  readonly answer: Answer;
  /** Made before it. */
  readonly refused: readonly RefusedWrite[];
  /** Since the first look; 0 where that found everything. */
  readonly waitedMs: number;
  readonly searches: readonly Search[];
}

/** The event of a write, looked for under one of the records that it should name. */
interface Search {
  readonly filter: Filter;
  readonly value: string;
  readonly download: CsvDownload;
  /** Those that hold the comment. */
  readonly rows: readonly Row[];
}

/** A write with a comment that is to be recorded. */
interface CommentedWrite {
  readonly name: string;
  readonly clause: 'audit.records-assignment-comments' | 'audit.records-unassignment-comments';
  readonly needs?: AnyScenario['needs'];
  /** A task in the state that the write starts from. */
  readonly prepare: (world: World) => Promise<Task>;
  readonly write: (world: World, task: Task, comment: string) => Promise<Written>;
  /** Writes to be refused, made before it. */
  readonly refused?: (world: World, task: Task) => Promise<readonly RefusedWrite[]>;
  readonly of?: Extract<Classified['of'], 'a reassignment' | 'an unassignment'>;
}

function recording(commented: CommentedWrite): AnyScenario {
  const { name, clause, needs = [], refused, of } = commented;
  return scenario({
    name,
    needs: ['writable-task', 'user', ...needs],
    act: (world) => lookFor(commented, world),
    judges: {
      [clause]: ({ answer, searches, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        if (!searches.some(isFound)) throw notFound(searches, waitedMs);
      },
      'audit.event-names-its-records': ({ answer, searches, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        foundIn(searches);
        const missing = searches.filter((one) => !isFound(one));
        if (missing.length > 0) throw notFound(missing, waitedMs);
      },
      'audit.events-are-classified': ({ searches, knowledge }: Recorded) => {
        const { row, answer } = foundIn(searches);
        const { known } = knowledge.filters;
        const columns = classification.flatMap((filter) => {
          const { kind, column } = known.get(filter)?.shown ?? {};
          return column !== undefined && kind !== 'text' ? [{ filter, column }] : [];
        });
        // A cell of another form may show its value otherwise.
        const empty = columns.find(({ column }) => !row[column])?.filter;
        if (empty !== undefined) {
          throw new Violation('the recorded event', {
            expected: `a value of ${empty}`,
            actual: 'none',
            on: [answer],
          });
        }
        if (columns.length === 0) {
          const what = 'values of event_type, sub_type and system_source; no column shows them';
          throw noValues(what, knowledge);
        }
      },
      'audit.comment-is-kept-to-the-letter': ({ comment, searches, knowledge }: Recorded) => {
        const { row, answer } = foundIn(searches);
        const isKept = ({ rows, download: { table } }: Search): boolean => {
          // A file of a few events may hold nothing that shows the encoding of the others.
          const encodings = [table?.encoding, knowledge.base.table.encoding];
          const isShown = encodings.includes('windows-1252') ? showsAsFarAsWritable : shows;
          return rows.some((cells) => cells.some((cell) => isShown(cell, comment)));
        };
        if (searches.every((one) => !isFound(one) || isKept(one))) return;
        const cell = row.find((text) => text.includes(comment.slice(0, 16))) ?? '';
        throw new Violation('the recorded comment', {
          expected: JSON.stringify(comment),
          actual: JSON.stringify(cell.slice(0, 400)),
          on: [answer],
        });
      },
      ...(refused !== undefined && { 'audit.refused-writes-leave-no-comment': judgeRefused }),
    },
    observes: {
      'audit.delay': ({ searches, waitedMs }: Recorded) =>
        searches.every(isFound) ? [delay(waitedMs)] : [],
      'comment.normalization': ({ comment, searches }: Recorded) =>
        searches
          .flatMap(({ rows }) => rows.flat())
          .flatMap((cell) => textsIn(cell))
          .flatMap((text) => normalization('audit record', comment, text)),
      'export.csv-form': ({ comment, searches }: Recorded) => {
        const cells = searches.flatMap(({ rows }) => rows.flat());
        const cell = cells.find((text) => text.includes(comment.slice(0, 16)));
        return cell === undefined ? [] : formulaGuard(cell, comment);
      },
      ...(of !== undefined && {
        'audit.classification-values': ({ searches, knowledge }: Recorded) => {
          const [row] = searches.flatMap(({ rows }) => rows);
          if (row === undefined) return [];
          return classification.flatMap((filter) => {
            const value = readerOf(filter, knowledge.filters)?.(row);
            return value === undefined ? [] : [{ of, filter, value: nameOf(value) }];
          });
        },
      }),
    },
  });
}

/** The writes that were refused came before the one whose comment is found: theirs had the same time to appear. */
function judgeRefused({ answer, searches, refused }: Recorded): void {
  requireTwin(answer, 'a valid write');
  foundIn(searches);
  const meant = refused.filter((one) => one.answer.status >= 400 && one.answer.status <= 499);
  for (const { what, mark, answer: refusal } of meant) {
    const shown = searches.find(({ download }) =>
      download.table?.rows.some((row) => mentions(row, mark)),
    );
    if (shown === undefined) continue;
    throw new Violation(`the audit record after ${what}`, {
      expected: 'no event with its comment',
      actual: `one under ${shown.filter}`,
      on: [refusal, shown.download.answer],
    });
  }
  if (meant.length > 0) return;
  const answers = refused.map((one) => one.answer);
  throw new Inconclusive('No write was refused.', answers);
}

function isFound({ rows }: Search): boolean {
  return rows.length > 0;
}

/** The recorded event, and the answer that shows it. @throws Inconclusive where it was found under no record */
function foundIn(searches: readonly Search[]): { row: Row; answer: Answer } {
  for (const { rows, download } of searches) {
    const [row] = rows;
    if (row !== undefined) return { row, answer: download.answer };
  }
  throw new Inconclusive(
    'No recorded comment was found.',
    searches.map(({ download }) => download.answer),
  );
}

/** Whether a cell shows the comment, but for its line ends and its Unicode form. */
function shows(cell: string, comment: string): boolean {
  return textsIn(cell).some((text) => normalized(text).includes(normalized(comment)));
}

/** The same in a file whose encoding has no other scripts: whatever it writes in place of their characters. */
function showsAsFarAsWritable(cell: string, comment: string): boolean {
  const parts = comment
    .split(/[^\0-\xff]+/u)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
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

/**
 * What to say of searches that did not find the event: a violation.
 * @throws Inconclusive where one of them could not be made at all, or its file not be read to its end
 */
function notFound(searches: readonly Search[], waitedMs: number): Violation {
  const failed = searches.filter(
    ({ download }) => download.table === undefined || download.overflowed,
  );
  if (failed.length > 0) {
    throw new Inconclusive(
      `The event was looked for in vain: ${failed.map(whyFailed).join('; ')}.`,
      failed.map(({ download }) => download.answer),
    );
  }
  const where = searches.map(({ filter }) => filter).join(', ');
  return new Violation(`the recorded event, looked for under ${where}`, {
    expected: 'an event with the comment',
    actual: `none within ${Math.round(waitedMs / 1000)} s, the last look at the end of the run (AUDIT_TIMEOUT_MS)`,
    on: searches.map(({ download }) => download.answer),
  });
}

function whyFailed({ filter, download: { overflowed, answer } }: Search): string {
  return `under ${filter} ${overflowed ? 'there are more events than can be read' : `it gave ${answer.status}`}`;
}

/** @param waitedMs for looking again; 0 where the first look found everything */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/** Makes the write and looks for its event under the task, the entity and the user, until the time-out. */
async function lookFor(
  { prepare, refused, write }: CommentedWrite,
  world: World,
): Promise<Recorded> {
  const { exports, auditTimeoutMs, othersAreDone, actor, now } = world;
  const task = await prepare(world);
  const earlier = (await refused?.(world, task)) ?? [];
  const mark = newMark(world);
  const [longest, ...shorter] = commentsWith(mark);
  let comment = longest;
  const writtenAt = now();
  let { answer } = await write(world, task, comment);
  for (const next of shorter) {
    // How long a comment may be is open.
    if (![400, 413, 422].includes(answer.status)) break;
    comment = next;
    ({ answer } = await write(world, task, comment));
  }
  const knowledge = await exports.knowledge();
  const searchFrom = (filter: Filter, value: string, start: number): Promise<CsvDownload> =>
    exports.anew({
      filters: { [filter]: [value] },
      start,
      end: serverTime(answer, Math.max, now()) + clockMarginMs,
    });
  const search = async (filter: Filter, value: string): Promise<Search> => {
    // Its time is that of the write: neither before the window's end nor long after now.
    const wide = await unlessTooLarge(searchFrom(filter, value, knowledge.window.end));
    const around = serverTime(answer, Math.min, writtenAt) - clockMarginMs;
    const download = wide ?? (await searchFrom(filter, value, around));
    const rows = download.table?.rows.filter((row) => mentions(row, mark)) ?? [];
    return { filter, value, download, rows };
  };
  const began = performance.now();
  const waited = (): number => performance.now() - began;
  let searches: readonly Search[] = await Promise.all([
    search('metadata[task_id]', task.id),
    ...(task.entity_id === null ? [] : [search('metadata[entity_id]', task.entity_id)]),
    search('auditee_id', actor),
  ]);
  const lookAgain = async (): Promise<void> => {
    searches = await Promise.all(
      searches.map((one) => (isFound(one) ? one : search(one.filter, one.value))),
    );
  };
  // An event that appears at the last moment is in time: the last look begins when the time is over.
  let lookedAt = 0;
  let wait = firstPauseMs;
  while (!searches.every(isFound) && lookedAt < auditTimeoutMs) {
    await pause(Math.min(wait, Math.max(0, auditTimeoutMs - waited())));
    wait = Math.min(wait * 2, maxPauseMs);
    lookedAt = waited();
    await lookAgain();
  }
  if (!searches.every(isFound)) {
    // The time-out may be too short: before it convicts, the event is looked for once more as late as can be.
    await othersAreDone();
    lookedAt = waited();
    await lookAgain();
  }
  return { knowledge, comment, answer, refused: earlier, waitedMs: lookedAt, searches };
}

/** How far the clock that answers and the clock that records may be apart. */
export const clockMarginMs = 5 * 60_000;

/** The time of an answer by the clock of the target, where its Date header shows it, or by ours, in milliseconds since 1970. */
export function serverTime(
  answer: Answer,
  choose: (one: number, other: number) => number,
  ours: number,
): number {
  const date = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(date) ? ours : choose(date, ours);
}

/** undefined where there are more events, or bytes, than can be read: a user may have caused many since then. */
async function unlessTooLarge(search: Promise<CsvDownload>): Promise<CsvDownload | undefined> {
  try {
    const download = await search;
    return download.overflowed ? undefined : download;
  } catch (error) {
    if (error instanceof NoResponse && error.failure === 'permanent') return undefined;
    throw error;
  }
}

/**
 * Comments with this mark and all that a CSV could trip over: one longer than 255 characters, and shorter ones. They
 * begin like formulas: a CSV may guard them, by a character before them.
 */
function commentsWith(mark: string): readonly [string, ...string[]] {
  // One letter is written as two characters.
  const hard =
    '"quoted", comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, gru\u0308n, 👍 <b>&amp;</b>';
  const short = `=${mark}: ${hard}`;
  return [`${short}${', and so on'.repeat(20)}`, short, `${mark}: "q", c\nß 👍`];
}

/** One write for each reason to refuse it, each with a mark in its comment. */
async function refusedWrites(world: World, task: Task): Promise<readonly RefusedWrite[]> {
  const { api, user, actor: by, faker } = world;
  const ifMatch = task.updated_at;
  const old = '2000-01-01T00:00:00.000Z';
  const key = faker.string.alphanumeric({ length: 32 });
  const writes: readonly {
    readonly what: string;
    readonly send: (comment: string) => Promise<Answer>;
  }[] = [
    {
      what: 'a write without a valid key',
      send: (comment) => api.assign(task, user(), { by, comment }, { key }),
    },
    {
      what: 'a write to an unknown task',
      send: (comment) =>
        api.update(faker.string.uuid(), { ifMatch, body: updateBody(user(), { by, comment }) }),
    },
    {
      what: 'a write with an If-Match of long ago',
      send: (comment) =>
        api.update(task.id, { ifMatch: old, body: updateBody(user(), { by, comment }) }),
    },
    {
      what: 'a write without update.assigned_to_id',
      send: (comment) => {
        const { update } = updateBody(user(), { by, comment });
        return api.update(task.id, {
          ifMatch,
          body: { update: { ...update, assigned_to_id: undefined } },
        });
      },
    },
  ];
  const refused: RefusedWrite[] = [];
  for (const { what, send } of writes) {
    const mark = newMark(world);
    refused.push({ what, mark, answer: await send(`${mark}: to be refused`) });
  }
  return refused;
}

export function mentions(row: Row, mark: string): boolean {
  return row.some((cell) => cell.includes(mark));
}

export const auditTrailScenarios = [
  recording({
    name: 'the comment of an assignment is recorded and exported to the letter, those of refused ones are not recorded',
    clause: 'audit.records-assignment-comments',
    prepare: ({ tasks }) => tasks.any(),
    refused: refusedWrites,
    write: ({ tasks, user, actor: by }, task, comment) =>
      tasks.assign(task, user(), { by, comment }),
  }),
  recording({
    name: 'the comment of a reassignment to a team is recorded and exported to the letter',
    clause: 'audit.records-assignment-comments',
    needs: ['team'],
    prepare: ({ tasks, user }) => tasks.assignedTo(user()),
    write: ({ tasks, team, actor: by }, task, comment) =>
      tasks.assign(task, team(), { by, comment }),
    of: 'a reassignment',
  }),
  recording({
    name: 'the comment of an unassignment is recorded and exported to the letter',
    clause: 'audit.records-unassignment-comments',
    prepare: ({ tasks, user }) => tasks.assigned(user()),
    write: ({ tasks, actor: by }, task, comment) => tasks.unassign(task, { by, comment }),
    of: 'an unassignment',
  }),
];
