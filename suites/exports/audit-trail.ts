import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { Observation } from '../../schemas/observations.ts';
import type { Task } from '../../schemas/task.ts';
import { requireTwin } from '../expectations.ts';
import { nameOf } from '../shapes.ts';
import { type Classified, classification, readerOf } from './csv-observations.ts';
import { noValues } from './relations.ts';

/** What is recorded of one write, found under each record that the event should name. */
interface Recorded {
  readonly knowledge: Knowledge;
  readonly comment: string;
  readonly answer: Answer;
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

/** A write with a comment, and the task that it is made to. */
type Write = (world: World, comment: string) => Promise<{ answer: Answer; task: Task }>;

function recording(
  name: string,
  clause: 'audit.records-assignment-comments' | 'audit.records-unassignment-comments',
  needs: AnyScenario['needs'],
  write: Write,
  of?: Extract<Classified['of'], 'a reassignment' | 'an unassignment'>,
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'user', ...(needs ?? [])],
    act: (world) => lookFor(write, world),
    judges: {
      [clause]: ({ answer, searches, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        if (searches.every(isMissing)) throw notFound(searches, waitedMs);
      },
      'audit.event-names-its-records': ({ answer, searches, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        foundIn(searches);
        const missing = searches.filter(isMissing);
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
      'audit.comment-is-kept-to-the-letter': ({ comment, searches }: Recorded) => {
        const { row, answer } = foundIn(searches);
        const isKept = ({ rows, download: { table } }: Search): boolean => {
          const isHeld = table?.encoding === 'windows-1252' ? holdsAsFarAsWritable : holds;
          return rows.some((cells) => cells.some((cell) => isHeld(cell, comment)));
        };
        if (searches.every((one) => isMissing(one) || isKept(one))) return;
        const cell = row.find((text) => text.includes(comment.slice(0, 16))) ?? '';
        throw new Violation('the recorded comment', {
          expected: JSON.stringify(comment),
          actual: JSON.stringify(cell.slice(0, 400)),
          on: [answer],
        });
      },
    },
    observes: {
      'audit.delay': ({ searches, waitedMs }: Recorded) =>
        searches.some(isMissing) ? [] : [delay(waitedMs)],
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

function isMissing({ rows }: Search): boolean {
  return rows.length === 0;
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

/** The comment as it is, or as a text somewhere inside a cell of JSON. */
function holds(cell: string, comment: string): boolean {
  const unified = cell.replaceAll('\r\n', '\n');
  return unified.includes(comment) || textsIn(cell).some((text) => text.includes(comment));
}

/** The same in a file whose encoding has no other scripts: whatever it writes in place of their characters. */
function holdsAsFarAsWritable(cell: string, comment: string): boolean {
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

function textsIn(json: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(json, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // A cell that is no JSON holds no texts.
  }
  return texts;
}

function notFound(searches: readonly Search[], waitedMs: number): Violation {
  const where = searches.map(({ filter }) => filter).join(', ');
  return new Violation(`the recorded event, looked for under ${where}`, {
    expected: 'an event with the comment',
    actual: `none within ${Math.round(waitedMs / 1000)} s, the last look at the end of the run (AUDIT_TIMEOUT_MS)`,
    on: searches.map(({ download }) => download.answer),
  });
}

/** @param waitedMs for looking again; 0 where the first look found everything */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/** Makes the write and looks for its event under the task, the entity and the user, until the time-out. */
async function lookFor(write: Write, world: World): Promise<Recorded> {
  const { exports, auditTimeoutMs, othersAreDone, actor, now, faker } = world;
  // Digits: a comment that was written in capitals is found too, and judged.
  const mark = faker.string.numeric({ length: 16 });
  const comment = commentWith(mark);
  const { answer, task } = await write(world, comment);
  const knowledge = await exports.knowledge();
  const search = async (filter: Filter, value: string): Promise<Search> => {
    // Its time is that of the write: neither before the window's end nor long after now.
    const download = await exports.anew({
      filters: { [filter]: [value] },
      start: knowledge.window.end,
      end: serverTime(answer, now()) + clockMarginMs,
    });
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
      searches.map((one) => (isMissing(one) ? search(one.filter, one.value) : one)),
    );
  };
  // An event that appears at the last moment is in time: the last look begins when the time is over.
  let lookedAt = 0;
  let wait = firstPauseMs;
  while (searches.some(isMissing) && lookedAt < auditTimeoutMs) {
    await pause(Math.min(wait, Math.max(0, auditTimeoutMs - waited())));
    wait = Math.min(wait * 2, maxPauseMs);
    lookedAt = waited();
    await lookAgain();
  }
  if (searches.some(isMissing)) {
    // The time-out may be too short: before it convicts, the event is looked for once more as late as can be.
    await othersAreDone();
    lookedAt = waited();
    await lookAgain();
  }
  return { knowledge, comment, answer, waitedMs: lookedAt, searches };
}

/** How far the clock that answers and the clock that records may be apart. */
const clockMarginMs = 5 * 60_000;

/** When the answer was given, by the clock of the target where its Date header shows it, in milliseconds since 1970. */
function serverTime(answer: Answer, now: number): number {
  const date = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(date) ? now : Math.max(date, now);
}

/**
 * A comment with all that a CSV could trip over, longer than 255 characters, and a mark of its own. It begins like a
 * formula: a CSV may guard it, by a character before it.
 */
function commentWith(mark: string): string {
  const hard = '"quoted", comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, ß, 👍 <b>&amp;</b>';
  return `=${mark}: ${hard}${', and so on'.repeat(20)}`;
}

function mentions(row: Row, mark: string): boolean {
  return row.some((cell) => cell.includes(mark));
}

export const auditTrailScenarios = [
  recording(
    'the comment of an assignment is recorded and exported to the letter',
    'audit.records-assignment-comments',
    [],
    async ({ tasks, user, actor: by }, comment) => {
      const task = await tasks.any();
      const { answer } = await tasks.assign(task, user(), { by, comment });
      return { answer, task };
    },
  ),
  recording(
    'the comment of a reassignment to a team is recorded and exported to the letter',
    'audit.records-assignment-comments',
    ['team'],
    async ({ tasks, user, team, actor: by }, comment) => {
      const task = await tasks.assignedTo(user());
      const { answer } = await tasks.assign(task, team(), { by, comment });
      return { answer, task };
    },
    'a reassignment',
  ),
  recording(
    'the comment of an unassignment is recorded and exported to the letter',
    'audit.records-unassignment-comments',
    [],
    async ({ tasks, user, actor: by }, comment) => {
      const task = await tasks.assigned(user());
      const { answer } = await tasks.unassign(task, { by, comment });
      return { answer, task };
    },
    'an unassignment',
  ),
];
