import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, PartNotConfigured, Violation } from '../../helpers/outcomes.ts';
import { literal } from '../../helpers/text-pattern.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import { sameId } from '../../schemas/identifier.ts';
import type { Observation } from '../../schemas/observations.ts';
import { normalization, normalized } from '../comparing-tasks.ts';
import { judgeEach, requireTwin } from '../expectations.ts';
import { nameOf } from '../shapes.ts';
import { oneActorAlone } from '../writes.ts';
import { judgeTables } from './answers.ts';
import { type CommentedWrite, type CommentedWrites, makeWrites } from './commented-writes.ts';
import { classification, readerOf } from './csv-observations.ts';
import { clockMarginMs, lookUntilRecorded, mentions, serverTime } from './recorded-events.ts';
import { noValues } from './relations.ts';

/*
 * Events: the comments of assignments and unassignments are recorded in the entity's audit record. One task goes from nobody
 * to a user, to another user, to a team and back to nobody, each time in the name of another actor where there are two, and
 * the event of each of these writes is looked for by itself: under the task, the entity and the user who made the write.
 */

/** The events under one of the records that they should name, as last exported. */
interface Search {
  readonly filter: Filter;
  readonly value: string;
  readonly download: CsvDownload;
}

interface Evidence extends CommentedWrites {
  readonly knowledge: Knowledge;
  /** Since the first look; 0 where that found everything. */
  readonly waitedMs: number;
  readonly searches: readonly Search[];
}

/** What an export holds of one write. */
interface Find extends Search {
  /** Those that hold the comment. */
  readonly rows: readonly Row[];
}

/** What was found of a write under each record that its event should name. */
function findsOf({ mark, by }: CommentedWrite, searches: readonly Search[]): Find[] {
  return searches
    .filter(({ filter, value }) => filter !== 'auditee_id' || sameId(value, by))
    .map((search) => ({
      ...search,
      rows: search.download.table?.rows.filter((row) => mentions(row, mark)) ?? [],
    }));
}

type JudgeWrite = (write: CommentedWrite, finds: readonly Find[], evidence: Evidence) => void;

/** Judges the writes of a clause, each with what was found of it. */
const each =
  (clause: CommentedWrite['clause'], judge: JudgeWrite) =>
  (evidence: Evidence): void => {
    const meant = evidence.writes.filter((one) => one.clause === clause);
    if (meant.length === 0) {
      throw new Inconclusive(
        clause === 'audit.records-unassignment-comments'
          ? 'No task was unassigned with a comment: for that, a task must read as assigned after an assignment.'
          : 'No task was assigned with a comment.',
        evidence.writes.map(({ answer }) => answer),
      );
    }
    judgeEach(meant, (write) => judge(write, findsOf(write, evidence.searches), evidence));
  };

/** Judges the events that were found; that the others were not has clauses of its own. */
const eachFound =
  (judge: JudgeWrite) =>
  (evidence: Evidence): void => {
    const found = evidence.writes
      .map((write) => ({ write, finds: findsOf(write, evidence.searches) }))
      .filter(({ finds }) => finds.some(isFound));
    if (found.length === 0)
      foundIn(evidence.writes.flatMap((one) => findsOf(one, evidence.searches)));
    judgeEach(found, ({ write, finds }) => judge(write, finds, evidence));
  };

/** @throws Violation where there is no event of an accepted write */
function expectRecorded(
  write: CommentedWrite,
  finds: readonly Find[],
  { writes, searches, waitedMs }: Evidence,
): void {
  const { of, answer } = write;
  requireTwin(answer, 'the write that is to be recorded');
  if (finds.some(isFound)) return;
  const trait = traitOfLost(write, writes, searches);
  throw notFound(`of ${of}${trait === undefined ? '' : ` ${trait}`}`, answer, finds, waitedMs);
}

/** @throws Violation where an event that was found is not found under each of its records */
function expectUnderItsRecords(
  write: CommentedWrite,
  finds: readonly Find[],
  { searches, waitedMs }: Evidence,
): void {
  requireTwin(write.answer, 'the write that is to be recorded');
  const missing = finds.filter((one) => !isFound(one));
  if (missing.length === 0) return;
  const where = missing.map((one) => recordText(one, write)).join(', ');
  const there = whereFound(write, searches).join(', ');
  const which = `of ${write.of} under ${where}; it is there under ${there}`;
  throw notFound(which, write.answer, missing, waitedMs);
}

/** What all writes have in common whose events are not found, and none of the others; undefined where there is nothing. */
function traitOfLost(
  { traits }: CommentedWrite,
  writes: readonly CommentedWrite[],
  searches: readonly Search[],
): string | undefined {
  const isLost = (write: CommentedWrite): boolean => !findsOf(write, searches).some(isFound);
  if (writes.every(isLost)) return undefined;
  return traits.find((trait) =>
    writes.every((write) => write.traits.includes(trait) === isLost(write)),
  );
}

const recorded = scenario({
  name: 'the comments of an assignment, of reassignments and of an unassignment are recorded and exported to the letter, those of refused writes are not recorded',
  needs: ['writable-task', 'user'],
  act: lookFor,
  judges: {
    'audit.records-assignment-comments': (evidence) => {
      each('audit.records-assignment-comments', expectRecorded)(evidence);
      if (!evidence.writes.some(({ to }) => to?.type === 'TEAM'))
        throw new PartNotConfigured('TEAM_IDS', 'a team');
    },
    'audit.records-unassignment-comments': each(
      'audit.records-unassignment-comments',
      expectRecorded,
    ),
    'audit.event-names-its-records': (evidence) => {
      eachFound(expectUnderItsRecords)(evidence);
      if (evidence.writes.every(({ by }) => by === evidence.writes[0]?.by)) throw oneActorAlone();
    },
    'audit.events-are-classified': eachFound((_write, finds, { knowledge }) => {
      const { row, answer } = foundIn(finds);
      const { known } = knowledge.filters;
      const columns = classification.flatMap((filter) => {
        const { kind, column } = known.get(filter)?.shown ?? {};
        return column !== undefined && kind !== 'text' ? [{ filter, column }] : [];
      });
      // A cell of another form may show its value otherwise.
      const empty = columns.find(({ column }) => !row[column])?.filter;
      if (empty !== undefined) {
        throw new Violation(
          { kind: 'other', wrong: 'shows an event without a value', parameter: empty },
          [answer],
        );
      }
      if (columns.length === 0) {
        const what = 'values of event_type, sub_type and system_source; no column shows them';
        throw noValues(what, knowledge);
      }
    }),
    'audit.comment-is-kept-to-the-letter': eachFound((write, finds, { knowledge }) => {
      const { comment } = write;
      const { row, answer } = foundIn(finds);
      const isKept = ({ rows, download: { table } }: Find): boolean => {
        // A file of a few events may hold nothing that shows the encoding of the others.
        const encodings = [table?.encoding, knowledge.base.table.encoding];
        const isShown = encodings.includes('windows-1252') ? showsAsFarAsWritable : shows;
        return rows.some((cells) => cells.some((cell) => isShown(cell, comment)));
      };
      if (finds.every((one) => !isFound(one) || isKept(one))) return;
      const cell = row.find((text) => text.includes(comment.slice(0, 16))) ?? '';
      throw new Violation(
        {
          kind: 'field',
          of: 'recorded event',
          fields: ['comment'],
          expected: JSON.stringify(comment),
          actual: JSON.stringify(cell.slice(0, 400)),
        },
        [answer],
        [write.answer],
      );
    }),
    'audit.refused-writes-leave-no-comment': judgeRefused,
    'export.csv-is-one-table': ({ searches, knowledge }) => {
      // Among title lines a few events may not show the table; that of many events is judged elsewhere.
      if (knowledge.base.table.titleLines.length > 0) return;
      judgeTables(searches.map(({ download }) => download));
    },
  },
  observes: {
    'audit.delay': ({ writes, searches, waitedMs }) =>
      writes.every((write) => isWhole(write, searches)) ? [delay(waitedMs)] : [],
    'comment.normalization': ({ writes, searches }) =>
      writes.flatMap((write) =>
        cellsOf(write, searches)
          .flatMap((cell) => textsIn(cell))
          .flatMap((text) => normalization('audit record', write.comment, text)),
      ),
    'export.csv-form': ({ writes, searches }) =>
      writes.flatMap((write) => {
        const { comment } = write;
        const cell = cellsOf(write, searches).find((text) => text.includes(comment.slice(0, 16)));
        return cell === undefined ? [] : formulaGuard(cell, comment);
      }),
    'audit.classification-values': ({ writes, searches, knowledge }) =>
      writes.flatMap((write) => {
        const { of } = write;
        const [row] = findsOf(write, searches).flatMap(({ rows }) => rows);
        if (row === undefined || (of !== 'a reassignment' && of !== 'an unassignment')) return [];
        return classification.flatMap((filter) => {
          const value = readerOf(filter, knowledge.filters)?.(row);
          return value === undefined ? [] : [{ of, filter, value: nameOf(value) }];
        });
      }),
  },
});

const cellsOf = (write: CommentedWrite, searches: readonly Search[]): string[] =>
  findsOf(write, searches).flatMap(({ rows }) => rows.flat());

/** The writes that were refused came before the last one whose comment is found: theirs had the same time to appear. */
function judgeRefused({ writes, searches, refused }: Evidence): void {
  const last = writes.at(-1);
  if (last === undefined) throw new Inconclusive('There was no valid write to look at.');
  requireTwin(last.answer, 'a valid write');
  foundIn(findsOf(last, searches));
  const meant = refused.filter((one) => one.answer.status >= 400 && one.answer.status <= 499);
  for (const { what, mark, answer: refusal } of meant) {
    const shown = searches.find(({ download }) =>
      download.table?.rows.some((row) => mentions(row, mark)),
    );
    if (shown === undefined) continue;
    throw new Violation(
      {
        kind: 'field',
        of: 'recorded event',
        fields: ['comment'],
        expected: 'none',
        actual: 'the comment of the write',
        write: { how: what, statuses: [refusal.status], isSent: true },
      },
      [refusal, shown.download.answer],
    );
  }
  if (meant.length > 0) return;
  const answers = refused.map((one) => one.answer);
  throw new Inconclusive('No write was refused.', answers);
}

/** Whether the event of a write was found under each of its records. */
const isWhole = (write: CommentedWrite, searches: readonly Search[]): boolean =>
  findsOf(write, searches).every(isFound);

function isFound({ rows }: Find): boolean {
  return rows.length > 0;
}

/** The recorded event, and the answer that shows it. @throws Inconclusive where it was found under no record */
function foundIn(searches: readonly Find[]): { row: Row; answer: Answer } {
  for (const { rows, download } of searches) {
    const [row] = rows;
    if (row !== undefined) return { row, answer: download.answer };
  }
  throw new Inconclusive(
    'No event with the comment was found, which another clause is about.',
    searches.map(({ download }) => download.answer),
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

function recordText({ filter, value }: Search, { by }: CommentedWrite): string {
  if (filter !== 'auditee_id') return filter;
  return `the auditee_id of ${sameId(value, by) ? 'who made the write' : 'somebody else'}`;
}

/** The records under which the event of a write is: under somebody else alone where it is there. */
function whereFound(write: CommentedWrite, searches: readonly Search[]): string[] {
  const found = searches.filter(({ download }) =>
    download.table?.rows.some((row) => mentions(row, write.mark)),
  );
  const wrong = found.filter(
    ({ filter, value }) => filter === 'auditee_id' && !sameId(value, write.by),
  );
  return (wrong.length > 0 ? wrong : found).map((one) => recordText(one, write));
}

/**
 * What to say of searches that did not find the event: a violation.
 * @param which event, as "of an unassignment"
 * @throws Inconclusive where one of them could not be made at all, or its file not be read to its end
 */
function notFound(
  which: string,
  write: Answer,
  searches: readonly Search[],
  waitedMs: number,
): Violation {
  const failed = searches.filter(({ download: { table, overflowed } }) => {
    return table === undefined || overflowed || table.problems.length > 0;
  });
  if (failed.length > 0) {
    throw new Inconclusive(
      `The event was looked for in vain: ${failed.map(whyFailed).join('; ')}.`,
      failed.map(({ download }) => download.answer),
    );
  }
  return new Violation(
    {
      kind: 'events',
      when: `an event with the comment ${which}`,
      isOneEvent: true,
      waitedMs,
      fileType: 'csv',
      missing: 1,
      extra: 0,
    },
    searches.map(({ download }) => download.answer),
    [write],
  );
}

function whyFailed({ filter, download: { table, overflowed, answer } }: Search): string {
  const isMisread = table !== undefined && table.problems.length > 0;
  const why = isMisread ? 'the file does not read as one table' : `it gave ${answer.status}`;
  return `under ${filter} ${overflowed ? 'there are more events than can be read' : why}`;
}

/** @param waitedMs for looking again; 0 where the first look found everything */
function delay(waitedMs: number): Observation<'audit.delay'> {
  if (waitedMs === 0) return 'at once';
  return waitedMs < 10_000 ? 'within ten seconds' : 'later';
}

/** Makes the writes and looks for their events under the task, the entity and the users, until the time-out. */
async function lookFor(world: World): Promise<Evidence> {
  const { exports, now } = world;
  const { actors, task: assigned } = await world.findActors(await world.tasks.recorded());
  const task = await world.tasks.bringToUnassigned(assigned);
  const writtenAt = now();
  const { writes, refused } = await makeWrites(world, task, actors);
  const answers = writes.map(({ answer }) => answer);
  const knowledge = await exports.knowledge();
  const searchFrom = (filter: Filter, value: string, start: number): Promise<CsvDownload> =>
    exports.anew({
      filters: { [filter]: [value] },
      start,
      end: Math.max(...answers.map((one) => serverTime(one, Math.max, now()))) + clockMarginMs,
    });
  const search = async (filter: Filter, value: string): Promise<Search> => {
    // Their time is that of the writes: neither before the window's end nor long after now.
    const wide = await unlessTooLarge(searchFrom(filter, value, knowledge.window.end));
    const around = Math.min(...answers.map((one) => serverTime(one, Math.min, writtenAt)));
    return {
      filter,
      value,
      download: wide ?? (await searchFrom(filter, value, around - clockMarginMs)),
    };
  };
  const first = (): Promise<Search[]> =>
    Promise.all([
      search('metadata[task_id]', task.id),
      ...(task.entity_id === null ? [] : [search('metadata[entity_id]', task.entity_id)]),
      ...[...new Set(writes.map(({ by }) => by))].map((by) => search('auditee_id', by)),
    ]);
  const { looks: searches, waitedMs } = await lookUntilRecorded(
    world,
    first,
    ({ filter, value }) => search(filter, value),
    (one) => writes.every((write) => isWhole(write, [one])),
  );
  return { knowledge, writes, refused, waitedMs, searches };
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

export const auditTrailScenarios = [recorded];
