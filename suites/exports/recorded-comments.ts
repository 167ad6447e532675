import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { World } from '../../runner/world.ts';
import type { Task } from '../../schemas/task.ts';

const firstPauseMs = 250;
const longestPauseMs = 2000;

/** What is recorded of one write, found under each record that the event should name. */
export interface Recorded {
  readonly knowledge: Knowledge;
  readonly comment: string;
  readonly answer: Answer;
  /** Since the first look; 0 where that found everything. */
  readonly waitedMs: number;
  readonly found: readonly {
    readonly filter: Filter;
    readonly download: CsvDownload;
    readonly rows: readonly Row[];
  }[];
}

/** A write with a comment, and the task that it is made to. */
export type Write = (world: World, comment: string) => Promise<{ answer: Answer; task: Task }>;

/** How far the clock that answers and the clock that records may be apart. */
const clockMarginMs = 5 * 60_000;

/** When the answer was given, by the clock of the target where it tells, in milliseconds since 1970. */
function serverTime(answer: Answer, now: number): number {
  const told = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(told) ? now : Math.max(told, now);
}

/** A comment with all that a CSV could trip over, longer than 255 characters, and a mark of its own. */
function commentWith(mark: string): string {
  const hard = '"quoted", comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, ß, 👍 <b>&amp;</b>';
  return `${mark}: ${hard}${', and so on'.repeat(20)}`;
}

function mentions(row: Row, mark: string): boolean {
  return row.some((cell) => cell.includes(mark));
}

/** Makes the write and looks for its event under the task, the entity and the user, until the time-out. */
export async function lookFor(write: Write, world: World): Promise<Recorded> {
  const { exports, auditTimeoutMs, actor, now, faker } = world;
  // Digits: a comment that was written in capitals is found too, and judged.
  const mark = faker.string.numeric({ length: 16 });
  const comment = commentWith(mark);
  const { answer, task } = await write(world, comment);
  const knowledge = await exports.knowledge();
  const { common, encoding, base } = knowledge;
  const ask = async (filter: Filter, value: string) => {
    // Its time is that of the write: neither before the window's end nor long after now.
    const query = {
      ...common,
      filters: { [filter]: [value] },
      start: knowledge.window.end,
      end: serverTime(answer, now()) + clockMarginMs,
    };
    const download = await exports.csvAnew(query, encoding, base);
    return {
      filter,
      download,
      rows: download.table?.rows.filter((row) => mentions(row, mark)) ?? [],
    };
  };
  const asked: readonly (readonly [Filter, string])[] = [
    ['metadata.task_id', task.id],
    ...(task.entity_id === null ? [] : [['metadata.entity_id', task.entity_id] as const]),
    ['auditee_id', actor],
  ];
  const began = performance.now();
  const waited = (): number => performance.now() - began;
  let found = await Promise.all(asked.map(([filter, value]) => ask(filter, value)));
  // An event that appears at the last moment is in time: the last look begins when the time is over.
  let lookedAt = 0;
  for (
    let wait = firstPauseMs;
    !isComplete(found) && lookedAt < auditTimeoutMs;
    wait = Math.min(wait * 2, longestPauseMs)
  ) {
    await pause(Math.min(wait, Math.max(0, auditTimeoutMs - waited())));
    lookedAt = waited();
    // What was found under one record is not asked for again.
    found = await Promise.all(
      found.map((one, index) => {
        const [filter, value] = asked[index] ?? [one.filter, ''];
        return one.rows.length > 0 ? one : ask(filter, value);
      }),
    );
  }
  return { knowledge, comment, answer, waitedMs: lookedAt, found };
}

function isComplete(found: Recorded['found']): boolean {
  return found.every(({ rows }) => rows.length > 0);
}
