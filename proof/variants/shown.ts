import {
  auditeeColumn,
  type Column,
  commentColumn,
  descriptionColumn,
  idColumn,
  metadataColumns,
  metadataInOneCell,
  sourceColumn,
  subTypeColumn,
  timeColumn,
  typeColumn,
  untranslated,
} from '../../reference/export/columns.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { type MetadataKey, metadataKeys } from '../../schemas/operations.ts';
import { allColumnsBut } from '../exports.ts';

/*
 * Ways to show what an event holds. The document shows no column (4. Export audit events): a value that a filter
 * selects by may stand in a column of its own, in a cell with others, inside a sentence, or nowhere.
 */

const people = ['Ann', 'Bruno', 'Chloé', 'Dmitri', 'Ewa', 'Femi', 'Gül', 'Haruto', 'Inés', 'Jörg'];
const families = ['Lindqvist', 'Moreau', "O'Brien", 'Petrov', 'Sato', 'de la Cruz', 'Weiß'];

/** The name of a user: always the same for one id. */
export function nameOfUser(id: string): string {
  const number = Number.parseInt(id.slice(0, 6), 16);
  const person = people[number % people.length];
  return `${person} ${families[Math.floor(number / people.length) % families.length]}`;
}

/** A code in words: `task_platform_v2` as `Task platform v2`. */
export function labelOf(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const noun: Readonly<Record<MetadataKey, string>> = {
  entity_id: 'entity',
  assessment_id: 'assessment',
  task_id: 'task',
  workflow_instance_id: 'workflow',
  screening_application_id: 'application',
  screening_config_id: 'screening configuration',
  match_id: 'match',
  inquiry_id: 'inquiry',
  tag: 'tag',
  cache_id: 'cache',
  workflow_step: 'step',
};

/** The metadata of an event, in the order of the document. */
export function metadataOf({ metadata }: AuditEvent): (readonly [MetadataKey, string])[] {
  return metadataKeys.flatMap((key) => {
    const value = metadata[key];
    return value === undefined ? [] : [[key, value] as const];
  });
}

const metadataCell = (cell: Column['cell'], heading = 'Details'): Column => ({
  heading: untranslated(heading),
  part: 'metadata',
  cell,
});

const metadataAs = (written: (key: MetadataKey, value: string) => string, end: string): Column =>
  metadataCell((event) =>
    metadataOf(event)
      .map(([key, value]) => written(key, value))
      .join(end),
  );

const withLabels = (column: Column): Column => ({
  ...column,
  cell: (event, row) => labelOf(column.cell(event, row)),
});

const person: Column = {
  ...auditeeColumn,
  cell: ({ auditeeId }) => `${nameOfUser(auditeeId)} (${auditeeId})`,
};

const name: Column = { ...auditeeColumn, cell: ({ auditeeId }) => nameOfUser(auditeeId) };

const withoutMetadata = allColumnsBut(...metadataColumns, descriptionColumn);

const sentence: Column = {
  heading: untranslated('What happened'),
  part: 'text',
  cell: (event) => {
    const about = metadataOf(event)
      .map(([key, value]) => `${noun[key]} ${value}`)
      .join(', ');
    const { auditeeId, eventType, subType, systemSource } = event;
    const what = `${nameOfUser(auditeeId)}: ${eventType} ${subType} by ${systemSource}`;
    return about === '' ? what : `${what} (${about})`;
  },
};

/** Metadata as Java writes a map. */
export const withMap: readonly Column[] = [
  ...withoutMetadata,
  metadataCell((event) => {
    const pairs = metadataOf(event).map(([key, value]) => `${key}=${value}`);
    return `{${pairs.join(', ')}}`;
  }),
];

/** Columns that show events in ways of which none gives every filter a column. */
export const waysOfShowing = {
  /** All metadata of an event in one cell, as JSON. */
  'metadata-as-json': [...allColumnsBut(...metadataColumns), metadataInOneCell],
  /** As lines of `key: value`. */
  'metadata-as-lines': [
    ...withoutMetadata,
    metadataAs((key, value) => `${labelOf(key)}: ${value}`, '\n'),
  ],
  /** As `key=value` inside a text, comments in quotes, with people as `Name (id)` and labels for codes. */
  'labels-and-pairs-in-text': [
    idColumn,
    timeColumn,
    person,
    ...[typeColumn, subTypeColumn, sourceColumn].map(withLabels),
    metadataCell((event) => {
      const pairs = metadataOf(event).map(([key, value]) => `${key}=${value}`);
      const comment = event.comment?.replace(/["\\]/g, '\\$&') ?? '';
      return `Recorded automatically; ${['seq=1', ...pairs, `comment="${comment}"`].join('; ')}`;
    }, 'Remarks'),
  ],
  /** As a sentence, people by name only. */
  'sentences-and-names': [timeColumn, sentence, commentColumn],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

/** The columns of people by name, for exports that show no id of them. */
export const namesOnly: readonly Column[] = [
  idColumn,
  timeColumn,
  name,
  typeColumn,
  subTypeColumn,
  sourceColumn,
  commentColumn,
  ...metadataColumns,
];
