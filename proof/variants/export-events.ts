import { createHash } from 'node:crypto';
import { allColumns, typeColumn } from '../../reference/export/columns.ts';
import { ExportRefused } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { auditRules } from '../../reference/rules/audit.ts';
import {
  clausesOfKeysInRowsOnly,
  except,
  judgedByOwnEvents,
  judgedUnder,
} from '../clause-groups.ts';
import { eachOnce, table } from '../faults/fault.ts';
import { refusingComments, type Variant, variant } from './variant.ts';

const recording = (
  id: string,
  opens: Variant['opens'],
  change: (event: Omit<AuditEvent, 'id'>) => Partial<AuditEvent>,
  unseen?: string,
): Variant =>
  variant(
    id,
    { opens, ...(unseen !== undefined && { unseen }) },
    {
      auditEvent(asked, task, earlier, at) {
        const event = auditRules.auditEvent(asked, task, earlier, at);
        return event && { ...event, ...change(event) };
      },
    },
  );

/** How changes of assignment are recorded (Events). */
export const auditTrailVariants: readonly Variant[] = [
  variant('events-are-readable-a-little-later', 'audit.delay', { auditDelay: () => 90 }),
  recording('events-of-assignments-have-other-names', 'audit.classification-values', (event) => ({
    eventType: 'task_assignment',
    subType: event.subType === 'unassigned' ? 'deleted' : 'updated',
    systemSource: 'assignment_service',
  })),
  recording(
    'events-are-described-in-other-words',
    'audit.event-fields',
    () => ({ description: 'Task was given on; see there' }),
    'Texts of events may name people: they are not observed.',
  ),
  // They are waited for in the record of the task, too: how late they are does not show.
  recording(
    'events-of-assignments-do-not-name-their-task',
    'audit.delay',
    ({ metadata: { task_id: _, ...metadata } }) => ({ metadata }),
  ),
  // What stands before a comment is no guard against formulas.
  recording('comments-are-recorded-as-json-in-json', 'export.csv-form', ({ comment }) => ({
    comment: comment && JSON.stringify({ change: JSON.stringify({ comment }) }),
  })),
  ...table(recording, 'comment.normalization', {
    'recorded-comments-have-pairs-for-line-feeds': (event) => ({
      comment: event.comment?.replace(/\r?\n/g, '\r\n') ?? null,
    }),
    'recorded-comments-are-in-nfc': (event) => ({
      comment: event.comment?.normalize('NFC') ?? null,
    }),
  }),
  ...[40, 200].map((limit) =>
    variant(
      `comments-over-${limit}-characters-are-not-recorded-but-refused`,
      {
        opens: 'comment.length-limit',
        unseen:
          'How long a comment may be is looked at elsewhere; those that are to be recorded are short enough.',
        // The shortest one has no letter of two characters.
        follows: limit === 40 ? ['comment.normalization'] : [],
      },
      refusingComments((comment) => comment.length > limit),
    ),
  ),
];

type Events = readonly AuditEvent[];

const ordered = (
  id: string,
  opens: Variant['opens'],
  orderEvents: (events: Events) => Events,
): Variant => variant(`export-events-${id}`, opens, { orderEvents });

const stored = (
  id: string,
  storedEvents: (events: Events) => Events,
  {
    rules,
    ...rest
  }: Pick<Variant, 'hides' | 'follows' | 'unseen' | 'rules'> & Partial<Pick<Variant, 'opens'>> = {},
): Variant =>
  variant(
    `export-store-${id}`,
    { opens: 'audit.classification-values', ...rest },
    { storedEvents, ...rules },
  );

const typesCut = allColumns.map((column) =>
  column === typeColumn
    ? { ...column, cell: ({ eventType }: AuditEvent) => eventType.split('/')[0] ?? '' }
    : column,
);

/** Which events are stored is up to the target. */
const unseen = 'How many events there are, and which, is not observed.';

/** Sorted by keys, each of which is made once. */
const sortedBy =
  (keyOf: (event: AuditEvent) => string) =>
  (events: Events): Events =>
    events
      .map((event) => ({ event, key: keyOf(event) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ event }) => event);

const changed = (change: (event: AuditEvent) => Partial<AuditEvent>) =>
  eachOnce((event) => ({ ...event, ...change(event) }));

/** Whether it was recorded of a write: what is said of those of the past begins otherwise. */
const isOfTheRun = (description: string): boolean => description.startsWith('Task ');

const season = 120 * 24 * 60 * 60_000;

/** The events of a season within two minutes: many in each second. */
const inABurst = (at: number): number => at - (at % season) + Math.floor((at % season) / 100_000);

/** Other events, in other orders (4. Export audit events, Audit event). */
export const exportEventVariants: readonly Variant[] = [
  ...table(ordered, 'export.order-of-events', {
    'come-newest-first': (events) => events.toReversed(),
    'are-shuffled': sortedBy(({ id }) => createHash('md5').update(id).digest('hex')),
    'are-shuffled-anew-each-time': sortedBy(() => String(Math.random())),
    'are-sorted-by-id': sortedBy(({ id }) => id),
    'are-grouped-by-type': sortedBy(({ eventType, subType }) => `${eventType} ${subType}`),
  }),
  variant(
    'export-is-recorded-as-an-event',
    {
      opens: 'audit.event-fields',
      unseen: 'It shows among events of the present only, where others write too.',
    },
    {
      exportEvent: ({ fileType }, now) => ({
        at: now,
        auditeeId: '5f0c4d5c-6a0e-4a51-8f4c-0a6f9f5f7a10',
        eventType: 'export',
        subType: 'created',
        systemSource: 'audit_service',
        metadata: { tag: fileType },
        description: `Audit events exported as ${fileType}`,
        comment: null,
      }),
    },
  ),
  stored('holds-the-last-three-thousand-events', (events) => events.slice(-3000), { unseen }),
  stored(
    'holds-no-past-events',
    (events) => events.filter(({ description }) => isOfTheRun(description)),
    {
      hides: [
        ...except(judgedUnder('4. Export audit events: query parameters'), judgedByOwnEvents),
        'export.is-repeatable',
        'export.locale-keeps-the-events',
        'export.timezone-formats-the-dates',
        'audit.events-are-classified',
      ],
      follows: [
        'export.array-encoding',
        'export.brackets-of-metadata',
        'export.range-with-offset',
        'export.malformed-range',
        'export.date-style',
        'export.order-of-events',
        'export.pdf-form',
        'export.case-of-filter-values',
        'audit.event-fields',
      ],
    },
  ),
  stored(
    'holds-few-events',
    (events) => {
      const past = events.filter(({ description }) => !isOfTheRun(description)).slice(-40);
      return [...past, ...events.filter(({ description }) => isOfTheRun(description))];
    },
    { unseen },
  ),
  stored(
    'holds-hundreds-of-events-in-each-of-a-few-minutes',
    changed(({ at, description }) => (isOfTheRun(description) ? {} : { at: inABurst(at) })),
    { unseen },
  ),
  stored(
    'holds-events-that-were-imported-without-a-date',
    changed(({ id, description }) => {
      const isImported = !isOfTheRun(description) && id.endsWith('7');
      return isImported ? { at: id < '8' ? 0 : Date.UTC(1900, 0, 1) } : {};
    }),
    { unseen },
  ),
  stored('holds-events-of-one-type', (events) =>
    events.filter(({ eventType }) => eventType === 'task' || eventType === 'assessment'),
  ),
  // By the same names the two lists keep the same events, and the examples of the document are none of them: columns tell.
  stored(
    'names-sources-as-the-types-of-their-events',
    changed(({ eventType, description }) =>
      isOfTheRun(description) ? {} : { systemSource: eventType },
    ),
    { rules: { csvColumns: () => allColumns } },
  ),
  // Rows without a tag are lost to the shorter of two types only in part.
  stored(
    'holds-types-of-which-rows-show-the-beginning',
    changed(({ eventType, metadata, id, description }) =>
      isOfTheRun(description) || (metadata.tag !== undefined && id < 'c')
        ? {}
        : { eventType: `${eventType}/automatic` },
    ),
    { follows: ['audit.event-fields'], rules: { csvColumns: () => typesCut } },
  ),
  stored(
    'holds-few-kinds-of-metadata',
    changed(({ metadata: { entity_id, task_id } }) => ({
      metadata: { ...(entity_id && { entity_id }), ...(task_id && { task_id }) },
    })),
    {
      opens: 'audit.event-fields',
      hides: [
        ...clausesOfKeysInRowsOnly,
        'export.filters-by-metadata-assessment-id',
        'export.filters-by-metadata-workflow-instance-id',
      ],
      follows: ['export.case-of-filter-values'],
    },
  ),
  stored(
    'holds-no-comments-but-those-of-tasks',
    changed(({ metadata, comment }) => ({
      comment: metadata.task_id === undefined ? null : comment,
    })),
    { unseen },
  ),
  variant(
    'export-csv-over-6000-events-is-refused',
    {
      opens: 'limits.csv-size',
      showsAmongMany: true,
      // The export without parameters is one of them.
      follows: ['export.csv-content-type'],
    },
    {
      isWithinLimit: ({ length: count }, { fileType }) => {
        if (fileType === 'csv' && count > 6000) {
          throw new ExportRefused('a CSV holds at most 6,000 events');
        }
        return fileType === 'csv' || count <= 5000;
      },
    },
  ),
  // As an import in one transaction leaves them.
  variant(
    'export-store-holds-thousands-of-events-of-one-instant',
    {
      opens: 'audit.classification-values',
      showsAmongMany: true,
      unseen,
      hides: [
        'limits.pdf-of-5000-events-is-allowed',
        'limits.pdf-over-5000-events-is-400',
        'export.refusal-carries-no-events',
      ],
      follows: ['export.order-of-events'],
    },
    {
      storedEvents: changed(({ id, description }) =>
        isOfTheRun(description) || id > 'b' ? {} : { at: Date.UTC(2026, 5, 10, 9) },
      ),
    },
  ),
];
