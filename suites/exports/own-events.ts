import type { ExportQuery, FilterSet } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { CannotUphold, Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { plain } from '../../helpers/pdf/plain-text.ts';
import type { PdfReading } from '../../helpers/pdf/read-pdf.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { sameId } from '../../schemas/identifier.ts';
import type { Task } from '../../schemas/task.ts';
import { isRefused, requireTwin } from '../expectations.ts';
import { clockMarginMs, lookUntilRecorded, mentions, serverTime } from './recorded-events.ts';

/*
 * An event of the run's own is known exactly, whatever columns an export has: the task of a commented write, its entity,
 * who acted, about when, and a mark in the comment that stands nowhere else. So filters are judged by whether it is among
 * the events that they keep.
 */

/** A query that the event is to be among, or is not. */
interface Question {
  /** Completes "the events …". */
  readonly what: string;
  readonly clause: JudgedClause;
  readonly filters: FilterSet;
  /** In place of the range about the write. */
  readonly range?: Pick<ExportQuery, 'start' | 'end'>;
  readonly has: boolean;
  /** The only parameter by which the event does not belong there. */
  readonly ignored?: string;
}

interface Asked extends Question {
  readonly query: ExportQuery;
  readonly answer: Answer;
  /** The write whose event is looked for. */
  readonly write: Answer;
  /** undefined where the answer is no export. */
  readonly isThere: boolean | undefined;
  /**
   * Whether the event shows what looks like a tag in its comment; of a PDF only where it shows that from its beginning to
   * its end.
   */
  readonly showsTag?: boolean;
}

interface OwnEvent {
  /** The write that it records. */
  readonly write: Answer;
  /** Whether each of the filters by itself has kept it: otherwise nothing follows from where it is not. */
  readonly isRecorded: boolean;
  readonly asked: readonly Asked[];
  /** Only those whose file shows the mark at all. */
  readonly inPdf: readonly Asked[];
}

/** The ids by which the event is known, and others that it is not known by. */
interface Records {
  readonly task: string;
  readonly entity: string | null;
  readonly actor: string;
  readonly assignee: string;
  /** Other configured users, where several values of a list can be sent. */
  readonly bystanders: readonly string[];
  readonly otherTask: string | undefined;
  readonly otherEntity: string | undefined;
}

const ownEvent = scenario({
  name: 'an event of the run’s own is kept by the filters that name its task, its entity and its actor, and by no others',
  needs: ['writable-task', 'two-users'],
  act: lookFor,
  judges: {
    'audit.event-names-its-records': ({ asked, write }) => {
      requireTwin(write, 'the write that is to be recorded');
      const own = asked.filter(({ has, range }) => has && range === undefined);
      if (!own.some(({ isThere }) => isThere)) throw notRecorded();
      expectAsAsked(own.filter(isOfOne).filter(({ isThere }) => isThere !== undefined));
    },
    'export.filters-by-auditee-id': judging('export.filters-by-auditee-id'),
    'export.filters-by-metadata-task-id': judging('export.filters-by-metadata-task-id'),
    'export.filters-by-metadata-entity-id': judging('export.filters-by-metadata-entity-id'),
    'export.filters-combine': judging('export.filters-combine'),
    'export.metadata-keys-combine': judging('export.metadata-keys-combine'),
    'export.range-combines-with-filters': judging('export.range-combines-with-filters'),
    'export.range-bounds-are-independent': (evidence) => {
      judging('export.range-bounds-are-independent')(evidence);
      throw new CannotUphold('One event does not show that both sides are unbounded.');
    },
    'export.pdf-holds-the-events-of-the-csv': ({ inPdf, isRecorded, write }: OwnEvent) => {
      requireTwin(write, 'the write that is to be recorded');
      if (!isRecorded) throw notRecorded();
      // Whether and how a PDF shows comments is open.
      if (!inPdf.some(({ has, isThere }) => has && isThere)) {
        throw new NotJudged('The PDF of the event does not show its comment.');
      }
      expectAsAsked(inPdf.filter(({ has }) => !has));
      const untagged = inPdf.find(({ showsTag }) => showsTag === false);
      if (untagged === undefined) return;
      throw new Violation(
        { kind: 'other', wrong: 'loses a tag in a comment', expected: tag },
        [untagged.answer],
        [write],
      );
    },
  },
});

function judging(clause: JudgedClause): (evidence: OwnEvent) => void {
  return ({ asked, isRecorded, write }) => {
    requireTwin(write, 'the write that is to be recorded');
    if (!isRecorded) throw notRecorded();
    const own = asked.filter((one) => one.clause === clause);
    if (own.length === 0) throw new NotJudged('The task does not name what the filter asks for.');
    const answered = own.filter(({ isThere }) => isThere !== undefined);
    if (answered.length === 0) {
      throw new Inconclusive(
        'No export of the filter was answered.',
        own.map(({ answer }) => answer),
      );
    }
    expectAsAsked(answered);
  };
}

/** Of two filters together it is one of them that is wrong. */
function isOfOne({ filters }: Asked): boolean {
  return Object.keys(filters).length === 1;
}

function notRecorded(): Inconclusive {
  return new Inconclusive('The event of the write was not found under its records.');
}

/** @throws Violation where the event is among events that it does not belong to, or not among its own */
function expectAsAsked(asked: readonly Asked[]): void {
  const wrong = asked.find(({ has, isThere }) => isThere !== has);
  if (wrong === undefined) return;
  const { what, has, query, filters, answer, write, ignored } = wrong;
  throw new Violation(
    {
      kind: 'events',
      when: `the event of a write among the events ${what}`,
      isOneEvent: true,
      fileType: query.fileType === 'pdf' ? 'pdf' : 'csv',
      missing: has ? 1 : 0,
      extra: has ? 0 : 1,
      ...(ignored !== undefined && {
        ignored: [ignored],
        beside: Object.keys(filters).filter((name) => name !== ignored),
      }),
    },
    [answer],
    [write],
  );
}

async function lookFor(world: World): Promise<OwnEvent> {
  const { tasks, exports, anotherUser, actor, now } = world;
  const task = await tasks.recorded();
  // Not who acts: the event is not caused by whom the task goes to.
  const to = [anotherUser(task), world.user(0), world.user(1)].find(({ id }) => !sameId(id, actor));
  if (to === undefined)
    throw new NotJudged(
      'Every user of USER_IDS is the one of ASSIGNED_BY_ID: another one is needed.',
    );
  const [mark, end] = [world.mark(), world.mark()];
  const sentAt = now();
  const assign = async (comment: string): Promise<Answer> =>
    (await tasks.assign(task, to, { by: actor, comment })).answer;
  const tagged = await assign(`${mark}: to be found, ${tag} ${end}`);
  // A service, or what stands before it, may refuse what looks like a tag.
  const write = isRefused(tagged) ? await assign(`${mark}: to be found`) : tagged;
  // Of a write that was not carried out no event is waited for.
  if (!write.succeeded) return { write, isRecorded: false, asked: [], inPdf: [] };
  const about = {
    start: serverTime(write, Math.min, sentAt) - clockMarginMs,
    end: serverTime(write, Math.max, now()) + clockMarginMs,
  };
  const records = await recordsOf(task, to.id, world);
  const ask = async (question: Question): Promise<Asked> => {
    const query = { filters: question.filters, ...(question.range ?? about) };
    const { answer, table } = await exports.anew(query);
    const row = table?.rows.find((cells) => mentions(cells, mark));
    const isThere = table && row !== undefined;
    const showsTag = row?.some((cell) => cell.includes(tag)) === true;
    return { ...question, query, answer, write, isThere, showsTag };
  };
  /** Asks again while it is not yet among the events that it belongs to. */
  const askAll = async (questions: readonly Question[]): Promise<readonly Asked[]> => {
    const { looks } = await lookUntilRecorded(
      world,
      () => Promise.all(questions.map(ask)),
      ask,
      ({ has, isThere }) => !has || isThere === true,
    );
    return looks;
  };

  const isThere = (one: Asked): boolean => !one.has || one.isThere === true;
  // What it is not known by right after what it is known by: an answer that was kept for another query shows.
  const [own, others] = [true, false].map((has) =>
    singleFilters(records).filter((one) => one.has === has),
  );
  const singles = [...(await askAll(own ?? [])), ...(await askAll(others ?? []))];
  if (!singles.every(isThere)) return { write, isRecorded: false, asked: singles, inPdf: [] };
  const together = await askAll([...pairs(records), ...ranges(records, about)]);
  // Beside the task they have kept it, or are asked whether it is they that do not.
  const parts = together.every(isThere) ? [] : await askAll(partsOfPairs(records));
  const isRecorded = parts.every(isThere);
  const asked = [...singles, ...parts, ...together];
  if (!isRecorded) return { write, isRecorded, asked, inPdf: [] };
  const inPdf = await Promise.all(
    asked
      // Where the CSV is wrong, the filter is, and not the PDF.
      .filter(({ range, has, isThere }) => range === undefined && isThere === has)
      .filter(({ has, filters }) => !has || 'metadata[task_id]' in filters)
      .slice(0, maxPdfs)
      .map(async (one) => {
        const { answer, reading } = await exports.pdfAnytime(one.query);
        const { showsTag: isInCsv, ...asCsv } = one;
        if (reading === undefined) return { ...asCsv, answer, isThere: undefined };
        const text = textOf(reading);
        const comment = between(text, mark, end);
        // Some shorten texts in their middle.
        const isWhole = comment?.includes('...') === false;
        return {
          ...asCsv,
          answer,
          isThere: text.includes(mark),
          ...(isInCsv && isWhole && { showsTag: text.includes('<') }),
        };
      }),
  );
  return { write, isRecorded, asked, inPdf };
}

const maxPdfs = 3;

/**
 * What a program that takes texts for HTML or XML leaves out, or refuses; nobody has to fear that it is run somewhere. In the
 * small files that it is looked for in, no other text has a character of it.
 */
const tag = '<if and only if>';

/** So many ids make no request too long. */
const maxBystanders = 8;

async function recordsOf(task: Task, assignee: string, world: World): Promise<Records> {
  const { tasks, exports, actor, actors, users, taskIds } = world;
  const { encoding } = await exports.knowledge();
  const others = [...actors, ...users.map(({ id }) => id)].filter(
    (id, index, all) =>
      all.findIndex((other) => sameId(id, other)) === index &&
      ![actor, assignee].some((other) => sameId(id, other)),
  );
  const otherTask = taskIds.find((id) => !sameId(id, task.id));
  const otherEntity = otherTask === undefined ? undefined : await tasks.entityOf(otherTask);
  return {
    task: task.id,
    entity: task.entity_id,
    actor,
    assignee,
    bystanders: encoding.forTwoValues.length > 0 ? others.slice(0, maxBystanders) : [],
    otherTask,
    otherEntity:
      typeof otherEntity === 'string' && !sameId(otherEntity, task.entity_id)
        ? otherEntity
        : undefined,
  };
}

/** The task of the event, and each filter with a value that is not the one of the event. */
function singleFilters({ task, assignee, bystanders, otherTask }: Records): Question[] {
  return [
    question('of its task', 'export.filters-by-metadata-task-id', true, {
      'metadata[task_id]': task,
    }),
    question(
      'caused by whom the task went to, or by others',
      'export.filters-by-auditee-id',
      false,
      {
        auditee_id: [assignee, ...bystanders],
      },
    ),
    ignoring(
      'metadata[task_id]',
      question('of another task', 'export.filters-by-metadata-task-id', false, {
        'metadata[task_id]': otherTask,
      }),
    ),
    // The value of one key is none of another.
    ignoring(
      'metadata[entity_id]',
      question('of another entity', 'export.filters-by-metadata-entity-id', false, {
        'metadata[entity_id]': task,
      }),
    ),
  ].flat();
}

/** Two filters at a time: both with the value of the event, and one with another. */
function pairs({ task, entity, actor, assignee, otherEntity }: Records): Question[] {
  const [list, keys] = ['export.filters-combine', 'export.metadata-keys-combine'] as const;
  const ofTask = { 'metadata[task_id]': task };
  return [
    question('of its task, by who made the write', list, true, { ...ofTask, auditee_id: actor }),
    ignoring(
      'auditee_id',
      // An id that events have too, and nobody who causes one.
      question('of its task, by somebody else', list, false, {
        ...ofTask,
        auditee_id: entity ?? assignee,
      }),
    ),
    question('of its task and its entity', keys, true, {
      ...ofTask,
      'metadata[entity_id]': entity,
    }),
    ignoring(
      'metadata[entity_id]',
      question('of its task and another entity', keys, false, {
        ...ofTask,
        'metadata[entity_id]': otherEntity,
      }),
    ),
  ].flat();
}

/** What is asked for beside the task, by itself. */
function partsOfPairs({ entity, actor }: Records): Question[] {
  return [
    question('caused by who made the write', 'export.filters-by-auditee-id', true, {
      auditee_id: actor,
    }),
    question('of its entity', 'export.filters-by-metadata-entity-id', true, {
      'metadata[entity_id]': entity,
    }),
  ].flat();
}

/** The task without a range, and in ranges of one bound, that end before the write, and begin after it. */
function ranges({ task }: Records, { start, end }: { start: number; end: number }): Question[] {
  const [one] = question('of its task', 'export.range-combines-with-filters', true, {
    'metadata[task_id]': task,
  });
  if (one === undefined) return [];
  return [
    {
      ...one,
      clause: 'export.range-bounds-are-independent',
      what: 'of its task, without a range',
      range: {},
    },
    {
      ...one,
      what: 'of its task before the write',
      range: { end: start - 1 },
      has: false,
      ignored: 'range_end',
    },
    {
      ...one,
      what: 'of its task after the write',
      range: { start: end + 1 },
      has: false,
      ignored: 'range_start',
    },
  ];
}

/** The questions whose answer shows, where it is wrong, that a parameter is left out of account. */
function ignoring(ignored: string, questions: readonly Question[]): Question[] {
  return questions.map((one) => ({ ...one, ignored }));
}

/** None where a value is not known. */
function question(
  what: string,
  clause: JudgedClause,
  has: boolean,
  values: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): Question[] {
  const known = Object.entries(values).flatMap(([filter, value]) =>
    value === null || value === undefined ? [] : [[filter, [value].flat()] as const],
  );
  if (known.length < Object.keys(values).length) return [];
  return [{ what, clause, has, filters: Object.fromEntries(known) }];
}

/** The text of a PDF, however its lines are broken. */
function textOf({ pages }: PdfReading): string {
  return plain(pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join(''));
}

/** From the first mark to the end that follows it; undefined where one of them is missing. */
function between(text: string, mark: string, end: string): string | undefined {
  const start = text.indexOf(mark);
  const last = start === -1 ? -1 : text.indexOf(end, start);
  return last === -1 ? undefined : text.slice(start, last);
}

export const ownEventScenarios = [ownEvent];
