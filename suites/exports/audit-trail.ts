import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../helpers/csv/csv-table.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import { type Filter, filterName } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import { requireTwin } from '../expectations.ts';

const firstPauseMs = 250;
const longestPauseMs = 2000;

/** What is recorded of one write, found under each record that the event should name. */
interface Recorded {
  readonly knowledge: Knowledge;
  readonly comment: string;
  readonly answer: Answer;
  readonly waitedMs: number;
  readonly found: readonly {
    readonly filter: Filter;
    readonly download: CsvDownload;
    readonly rows: readonly Row[];
  }[];
}

/** How far the clock that answers and the clock that records may be apart. */
const clockMarginMs = 5 * 60_000;

/** When the answer was given, by the clock of the target where it tells, in milliseconds since 1970. */
function serverTime(answer: Answer, now: number): number {
  const told = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(told) ? now : Math.max(told, now);
}

/** By what audit events are classified (Events). */
export const classification = ['event_type', 'sub_type', 'system_source'] as const;

/** A comment with all that a CSV could trip over, and a mark of its own. */
function commentWith(mark: string): string {
  return `${mark}: "quoted", comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, ß`;
}

function mentions(row: Row, mark: string): boolean {
  return row.some((cell) => cell.includes(mark));
}

async function recorded(
  { exports, auditTimeoutMs, actor, now }: World,
  comment: string,
  mark: string,
  answer: Answer,
  task: { readonly id: string; readonly entityId: string | null },
): Promise<Recorded> {
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
    ...(task.entityId === null ? [] : [['metadata.entity_id', task.entityId] as const]),
    ['auditee_id', actor],
  ];
  const began = performance.now();
  let found = await Promise.all(asked.map(([filter, value]) => ask(filter, value)));
  for (
    let wait = firstPauseMs;
    isDue(found, began, auditTimeoutMs);
    wait = Math.min(wait * 2, longestPauseMs)
  ) {
    await pause(wait);
    // What was found under one record is not asked for again.
    found = await Promise.all(
      found.map((one, index) => {
        const [filter, value] = asked[index] ?? [one.filter, ''];
        return one.rows.length > 0 ? one : ask(filter, value);
      }),
    );
  }
  return { knowledge, comment, answer, waitedMs: performance.now() - began, found };
}

function isDue(found: Recorded['found'], began: number, timeoutMs: number): boolean {
  const isComplete = found.every(({ rows }) => rows.length > 0);
  return !isComplete && performance.now() - began < timeoutMs;
}

function trail(
  name: string,
  clause: 'audit.records-assignment-comments' | 'audit.records-unassignment-comments',
  write: (
    world: World,
    comment: string,
  ) => Promise<{ answer: Answer; id: string; entityId: string | null }>,
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'user'],
    async act(world) {
      const mark = world.chance.string.alphanumeric({ length: 16 });
      const comment = commentWith(mark);
      const { answer, id, entityId } = await write(world, comment);
      return await recorded(world, comment, mark, answer, { id, entityId });
    },
    judges: {
      [clause]: ({ answer, found, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        if (found.some(({ rows }) => rows.length > 0)) return;
        throw notFound(found, waitedMs);
      },
      'audit.event-names-its-records': ({ answer, found, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        const missing = found.filter(({ rows }) => rows.length === 0);
        if (missing.length === found.length)
          throw new Inconclusive('No recorded comment was found.');
        if (missing.length > 0) throw notFound(missing, waitedMs);
      },
      'audit.events-are-classified': ({ found, knowledge }: Recorded) => {
        const [one] = found.filter(({ rows }) => rows.length > 0);
        const [row] = one?.rows ?? [];
        if (one === undefined || row === undefined) {
          throw new Inconclusive('No recorded comment was found.');
        }
        const readers = classification.map((filter) => ({
          filter,
          read: knowledge.filters.get(filter)?.read,
        }));
        const empty = readers.find(({ read }) => read !== undefined && (read(row) ?? '') === '');
        if (empty !== undefined) {
          throw new Violation('the recorded event', {
            expected: `a value of ${empty.filter}`,
            actual: 'none',
            on: [one.download.answer],
          });
        }
        if (readers.every(({ read }) => read === undefined)) {
          throw new NotJudged(
            'Not configured: EXPORT_FILTER_VALUES: values of event_type, sub_type and system_source; no column shows them.',
          );
        }
      },
      'audit.comment-is-kept-to-the-letter': ({ comment, found }: Recorded) => {
        const [one] = found.filter(({ rows }) => rows.length > 0);
        if (one === undefined) throw new Inconclusive('No recorded comment was found.');
        const kept = found.every(
          ({ rows }) =>
            rows.length === 0 || rows.some((row) => row.some((cell) => holds(cell, comment))),
        );
        if (kept) return;
        const cell = one.rows[0]?.find((text) => text.includes(comment.slice(0, 16))) ?? '';
        throw new Violation('the recorded comment', {
          expected: JSON.stringify(comment),
          actual: JSON.stringify(cell.slice(0, 400)),
          on: [one.download.answer],
        });
      },
    },
    observes: {
      'audit.delay': ({ found, waitedMs }: Recorded) =>
        found.every(({ rows }) => rows.length > 0) ? delay(waitedMs) : undefined,
    },
  });
}

/** The comment as it is, or as a text somewhere inside a cell of JSON. */
function holds(cell: string, comment: string): boolean {
  const unified = cell.replaceAll('\r\n', '\n');
  return unified.includes(comment) || textsIn(cell).some((text) => text.includes(comment));
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

function notFound(searched: Recorded['found'], waitedMs: number): Violation {
  const where = searched.map(({ filter }) => filterName(filter)).join(', ');
  return new Violation(`the recorded event, looked for under ${where}`, {
    expected: 'an event with the comment',
    actual: `none within ${Math.round(waitedMs / 1000)} s`,
    on: searched.map(({ download }) => download.answer),
  });
}

function delay(milliseconds: number): string {
  if (milliseconds < 2000) return 'at once';
  return milliseconds < 15_000 ? 'after some seconds' : 'after more than 15 seconds';
}

export const auditTrailScenarios = [
  trail(
    'the comment of an assignment is recorded and exported to the letter',
    'audit.records-assignment-comments',
    async ({ api, tasks, user, actor: by }, comment) => {
      const task = await tasks.any();
      const answer = await api.assign(task, user(), { by, comment });
      return { answer, id: task.id, entityId: task.entity_id };
    },
  ),
  trail(
    'the comment of an unassignment is recorded and exported to the letter',
    'audit.records-unassignment-comments',
    async ({ api, tasks, user, actor: by }, comment) => {
      const task = await tasks.assigned(user());
      const answer = await api.unassign(task, { by, comment });
      return { answer, id: task.id, entityId: task.entity_id };
    },
  ),
];
