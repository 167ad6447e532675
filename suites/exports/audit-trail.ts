import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  bracketStyles,
  bracketsHonoured,
  encodingsForOne,
} from '../../helpers/exports/encoding.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { groupBy } from '../../helpers/maps.ts';
import {
  CannotUphold,
  Inconclusive,
  NothingSeen,
  NotJudged,
  other,
  Violation,
} from '../../helpers/outcomes.ts';
import { isShowable, plain } from '../../helpers/pdf/plain-text.ts';
import { taskOf } from '../../helpers/tasks/task-answer.ts';
import { literal } from '../../helpers/texts.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Observation } from '../../schemas/observations.ts';
import { sameId } from '../../schemas/resources.ts';
import { normalization, normalized } from '../comparing-tasks.ts';
import { judgeEach } from '../expectations.ts';
import { commenting } from '../open-writes.ts';
import { tag } from '../sequence-plan.ts';
import { sequences } from '../sequences.ts';
import { publicName } from '../shapes.ts';
import { oneActorAlone, type Step, type Steps, stepJudges, takeStep } from '../writes.ts';
import { readerOf } from './csv.ts';
import { clauseByFilter, namedLists } from './filter-levels.ts';
import {
  belongs,
  expectAsAsked,
  filtersOfRecords,
  isAsAsked,
  isThere,
  type Look,
  lookFor,
  lookInPdf,
  type OwnWrite,
  type Question,
  type RefusedWrite,
  rowsOf,
  type Sending,
  type Since,
  showsMost,
  textOf,
  timeOf,
  whose,
  writesSoFar,
} from './own-events.ts';
import {
  clausesOfRows,
  questionsByTimes,
  questionsByValues,
  type ShownWrite,
  withItsEdge,
} from './own-rows.ts';
import { asBothFiles, type BothFiles } from './pdf.ts';
import { enoughToCompare } from './prediction.ts';
import { judgeTables, noValues, outcomeOf } from './relations.ts';
import { expectDatesInZone, type Zoned, zoneOfQuarters } from './timezone.ts';

/*
 * Comments are recorded in the entity's audit record. The event of every commented write is looked for in the exports of its
 * task, entity and actor; then those that all show are asked for by filters in company, or excluding them, and in PDFs.
 */

/** A write with a comment, and the exports that should show its event. */
interface Recorded extends OwnWrite {
  /** The exports by its task, its entity and its actor. */
  readonly looks: readonly Look[];
  /** The first row that shows the event, and the answer that holds this row; missing where no export shows it. */
  readonly shown?: { readonly row: Row; readonly answer: Answer };
}

/** `steps`: the write that the scenario itself makes. */
interface Evidence extends Steps {
  readonly knowledge: Knowledge;
  /** When the events of these writes were first looked for. */
  readonly since: Since;
  /** Shows whether PDFs show comments; undefined where that was not in question. */
  readonly sample: BothFiles | undefined;
  /** In the order in which they were made. */
  readonly writes: readonly Recorded[];
  /** The answers to writes that were refused, each with the mark that was sent. */
  readonly refused: readonly RefusedWrite[];
  /** The events that further exports are asked about where these name none: of one task, found in all exports of their records. */
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
  const ofOneTask = mostTelling(writes);
  const zoned = await inZone(world, ofOneTask, { time, sending });
  const areThere = writes.every((write) => write.looks.every(isAsAsked(write)));
  /** A copy that a service keeps of the answers so far lacks the event of one more write. */
  const lookForOneMore = async () => {
    // Where events are missing already, one more would be waited for in vain.
    const step = areThere ? await writeOnceMore(world) : undefined;
    const made = writesSoFar(world.soFar()).accepted.slice(sent.length).map(named);
    const copies = await lookFor(world, made, time, recordsOf(made), sending);
    return { step, later: made.map((write) => recordedIn(copies, write)) };
  };
  const [{ step, later }, { further: ofTask, sample }, byRows] = await Promise.all([
    lookForOneMore(),
    lookFurther(world, knowledge, { writes: ofOneTask, time, since, sending }),
    lookByRows(world, knowledge, { writes, time, since, sending }),
  ]);
  const further = [...ofTask, ...byRows];
  const found = { refused, ofOneTask, records, zoned, sample, further, steps: step ? [step] : [] };
  return { knowledge, since, ...found, writes: [...writes, ...later] };
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

/** The events of a task in UTC and in a zone, asked for when all are there, and before one more is made. */
async function inZone(
  { exports }: World,
  [write]: readonly Recorded[],
  { time, sending }: Pick<Among, 'time' | 'sending'>,
): Promise<Zoned | undefined> {
  const id = write?.values[byTask];
  if (!id) return undefined;
  const query = { ...time, ...sending, filters: { [byTask]: [id] } };
  const [utc, csv] = await Promise.all([
    exports.anytime(query, { isAnew: true }),
    exports.anytime({ ...query, timezone: zoneOfQuarters }, { isAnew: true }),
  ]);
  return { zone: zoneOfQuarters, utc, csv };
}

/** What further questions are asked about, and how. */
interface Among {
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
  const questions = await questionsAbout(world, first, writes);
  const inCsv = await lookFor(world, writes, time, questions, sending, since);
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

/** Asks for the events of all tasks by what their rows show. */
async function lookByRows(
  world: World,
  knowledge: Knowledge,
  { writes, time, since, sending }: Among,
): Promise<readonly Look[]> {
  const shown = writes.filter(isKnown);
  const questions = [
    ...questionsByValues(shown, knowledge),
    ...(await questionsByTimes(shown, world.exports, knowledge)),
  ];
  const looks = await lookFor(world, writes, time, questions, sending, since);
  const telling = looks.filter((look) => look.isSure || showsMost(look, writes));
  const lookAt = async (question: Question) =>
    (await lookFor(world, writes, time, [question], sending, since))[0];
  return await Promise.all(telling.map((look) => withItsEdge(look, looks, lookAt)));
}

async function writeOnceMore(world: World): Promise<Step | undefined> {
  const { tasks, users, mark } = world;
  const { actors, task } = await world.findActors(await tasks.any());
  const to = users.find(({ id }) => !sameId(id, task.assignment?.assigned_to_id)) ?? null;
  return await takeStep({ tasks, actors }, task, { to, comment: `${mark()}: once more` });
}

/** How filters are honoured, by the events of the writes where there are no past ones; undefined where that is as they were sent. */
async function sendingFoundBy(
  { exports }: World,
  time: TimeRange,
  { base, filters, encoding: { best, isGiven } }: Knowledge,
): Promise<Sending | undefined> {
  if (base.table.rows.length > 0) return undefined;
  const ask = (query: ExportQuery) => exports.anytime({ ...time, ...query }, { isAnew: true });
  const [usual] = bracketStyles;
  const [brackets = usual] = await bracketsHonoured(ask, filters.impossible);
  const [encoding = best] = isGiven ? [] : await encodingsForOne(ask, filters.impossible);
  return brackets === usual && encoding === best ? undefined : { brackets, encoding };
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
  return (write: OwnWrite): OwnWrite =>
    areNamed ? write : { ...write, values: { ...write.values, [byTask]: null } };
}

function recordedIn(records: readonly Look[], write: OwnWrite): Recorded {
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
    { clause: ofKeys, filters: { ...ofTask, ...ofEntity } },
    { clause: ofKeys, filters: { ...ofTask, 'metadata[entity_id]': otherEntities } },
    {
      clause: 'export.range-bounds-are-independent',
      filters: ofTask,
      range: 'none',
      alsoInPdf: true,
    },
    { clause: inRange, filters: ofTask, range: 'before' },
    { clause: inRange, filters: ofTask, range: 'after' },
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
const isKnown = (write: Recorded): write is Recorded & ShownWrite =>
  write.shown !== undefined &&
  new Set(write.looks.map((look) => rowsOf(look, write).length)).size === 1;

const known: Kind = {
  matches: isKnown,
  lacking: 'No event of a write was found under all its records.',
};

/** Makes a judge of all evidence from a judge of one write of a kind. */
const judging =
  ({ matches, lacking }: Kind, judge: (write: Recorded, evidence: Evidence) => void) =>
  (evidence: Evidence) => {
    const { writes, records } = evidence;
    const ofKind = writes.filter(matches);
    if (ofKind.length === 0) {
      const answers = [...writes, ...records].map(({ answer }) => answer);
      throw new Inconclusive(lacking, answers);
    }
    return judgeEach(ofKind, (write) => judge(write, evidence));
  };

/** Makes the judge of a clause that questions are evidence of: their answers show each known event as they should. */
const judgingAnswers =
  (
    clause: JudgedClause,
    expect: typeof expectInPdf = (looks, write) => expectAsAsked(looks, write),
  ) =>
  (evidence: Evidence) => {
    const { further, ofOneTask } = evidence;
    const looksAt = (write: Recorded): readonly Look[] => {
      const isOfOneTask = ofOneTask.includes(write);
      return [...write.looks, ...further].filter(
        (look) => look.clause === clause && (look.due?.includes(write.mark) ?? isOfOneTask),
      );
    };
    const judge = judging(known, (write) => {
      const looks = looksAt(write);
      if (looks.length === 0)
        throw new NotJudged('The task does not name what the filter asks for.');
      const readable = looks.filter((look) => isThere(look, write) !== undefined);
      expect(readable.length > 0 ? readable : looks, write, evidence);
    });
    const asked = evidence.writes.filter((one) => looksAt(one).length > 0);
    return judge({ ...evidence, writes: asked.length > 0 ? asked : ofOneTask });
  };

/** How many characters may stand before a mark, as a quote, and how many more are to fit into the same line. */
const besideMark = 8;

/** Whether the PDF of the sample shows how every comment begins that is longer than a mark: then any PDF shows the marks. */
function isCommentShown({ mark, shown }: Recorded, { csv, pdf }: BothFiles): boolean {
  const column = shown?.row.findIndex((cell) => cell.includes(mark)) ?? -1;
  const text = textOf(pdf) ?? '';
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
  const of = `${write.of}${write.to?.assigned_to_type === 'TEAM' ? ' to a team' : ''}`;
  if (write.shown === undefined)
    expectAsAsked(write.looks, write, `an event with the comment of ${of}`);
}

/** @throws Violation where an export by its task, entity or actor lacks the event, and another shows it */
function expectInItsExports(write: Recorded, { records, writes }: Evidence): void {
  const { looks: ownLooks, of } = write;
  // An export that could not be read to its end counts as one without: `expectAsAsked` says then that it is in doubt.
  const lookWithout = ownLooks.find((look) => !isThere(look, write));
  const lookWith =
    records.find((look) => !ownLooks.includes(look) && isThere(look, write)) ??
    ownLooks.find((look) => isThere(look, write));
  if (lookWithout === undefined || lookWith === undefined) return;
  const lost = writes.find((one) => one.shown === undefined && taskIn(one) === taskIn(write));
  if (lost !== undefined) {
    const why =
      'The comment of another write to the task is on no event: those found may be on the events of others.';
    throw new Inconclusive(why, [lost.answer, lookWith.answer]);
  }
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
function expectToTheLetter(write: Recorded, { knowledge, records }: Evidence): void {
  const { comment, looks } = write;
  // A file of few events may not show its own encoding: those of all others count too.
  const tables = [...records.map(({ table }) => table), knowledge.base.table];
  const isLimited = tables.some((table) => table?.encoding === 'windows-1252');
  const isShown = isLimited ? showsAsFarAsWritable : shows;
  const isKept = (look: Look): boolean =>
    rowsOf(look, write)
      .flat()
      .flatMap(textsIn)
      .some((text) => isShown(text, comment));
  const lossy = looks.find((look) => isThere(look, write) && !isKept(look));
  if (lossy === undefined) return;
  const cells = rowsOf(lossy, write).flat();
  const cell = cells.find((text) => text.includes(comment.slice(0, 16))) ?? '';
  throw new Violation(
    {
      kind: 'field',
      of: 'recorded event',
      fields: ['comment'],
      expected: JSON.stringify(comment),
      // Only a cell that is shorter than the comment is one that cuts it.
      actual: JSON.stringify(cell.slice(0, Math.max(400, comment.length))),
    },
    [lossy.answer],
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
function formulaGuard(cells: readonly string[], comment: string): Observation<'export.csv-form'>[] {
  const beginning = comment.slice(0, 16);
  const [before] = cells.find((cell) => cell.includes(beginning))?.split(beginning) ?? [];
  if (before === '') return [{ formulaGuard: 'none' }];
  if (before === "'") return [{ formulaGuard: 'an apostrophe' }];
  return before === '\t' ? [{ formulaGuard: 'a TAB' }] : [];
}

/** A text in quotes that may hold quotes, escaped. */
const inQuotes = /"((?:[^"\\]|\\.)*)"/gs;

/**
 * The cell as it is, and what it shows in quotes, with line feeds escaped or not, and, where it is JSON, every text in it,
 * which may be JSON again.
 */
function textsIn(cell: string): string[] {
  const quoted = Array.from(cell.matchAll(inQuotes), ([, text = '']) =>
    text.replace(/\\(["\\])/g, '$1'),
  );
  const texts = [cell, ...quoted].flatMap((text) => [text, text.replaceAll('\\n', '\n')]);
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
    'update.answers-with-the-updated-task': ({ steps }) => {
      if (steps.length === 0) throw new NothingSeen();
      stepJudges['update.answers-with-the-updated-task']({ steps });
    },
    ...Object.fromEntries(clausesOfQuestions.map((clause) => [clause, judgingAnswers(clause)])),
    ...Object.fromEntries(
      clausesOfRows.map((clause) => [
        clause,
        (evidence: Evidence) => {
          if (evidence.further.some((look) => look.clause === clause))
            judgingAnswers(clause)(evidence);
          throw new NothingSeen();
        },
      ]),
    ),
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
      writes.flatMap((write) => formulaGuard(cellsOf(write), write.comment)),
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
