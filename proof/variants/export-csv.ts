import {
  allColumns,
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
import { quoted } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { metadataKeys } from '../../schemas/operations.ts';
import { clausesOfKeysInRowsOnly } from '../clause-groups.ts';
import { allColumnsBut } from '../exports.ts';
import { type Variant, variant } from './variant.ts';

const withoutIds = allColumnsBut(idColumn);

const epoch: Column = {
  heading: untranslated('timestamp'),
  part: 'identity',
  cell: ({ at }) => String(at),
};

const exportedAt: Column = {
  heading: { en: 'Exported', de: 'Exportiert', fr: 'Exporté' },
  part: 'text',
  isOfTheExport: true,
  cell: (_event, { date, now }) => date(now),
};

const recordedAt: Column = {
  heading: { en: 'Recorded', de: 'Erfasst', fr: 'Enregistré' },
  part: 'text',
  cell: ({ at, id }, { date }) => date(at + (Number.parseInt(id.slice(0, 4), 16) % 900) + 1),
};

const rowNumber: Column = {
  heading: untranslated('#'),
  part: 'identity',
  isOfTheExport: true,
  cell: (_event, { number }) => String(number),
};

const day: Column = {
  ...timeColumn,
  cell: (event, row) => timeColumn.cell(event, row).slice(0, 10),
};
const timeOfDay: Column = {
  heading: { en: 'At', de: 'Um', fr: 'À' },
  part: 'identity',
  cell: (event, row) => timeColumn.cell(event, row).slice(11),
};

const classification: Column = {
  heading: untranslated('Event'),
  part: 'classification',
  cell: ({ eventType, subType, systemSource }) => `${eventType}.${subType} (${systemSource})`,
};

const withColumns = (
  id: string,
  columns: readonly Column[],
  rest: Pick<Variant, 'hides' | 'follows'> = {},
): Variant =>
  variant(
    `export-csv-${id}`,
    { opens: 'export.csv-columns', ...rest },
    { csvColumns: () => columns },
  );

const withForm = (id: string, rules: Partial<Rules>, follows: Variant['follows'] = []): Variant =>
  variant(`export-csv-${id}`, { opens: 'export.csv-form', follows }, rules);

const withHeadings = (id: string, csvHeadings: Rules['csvHeadings']): Variant =>
  variant(`export-csv-${id}`, 'export.csv-columns', { csvHeadings });

const fieldNames = [
  'id',
  'created_at',
  'auditee_id',
  'event_type',
  'sub_type',
  'system_source',
  'description',
  'comment',
  ...metadataKeys.map((key) => `metadata.${key}`),
];

const columns: readonly Variant[] = [
  withColumns('has-no-ids', withoutIds),
  withColumns('has-no-ids-and-no-times', allColumnsBut(idColumn, timeColumn), {
    hides: ['export.timezone-formats-the-dates'],
    follows: [
      'export.date-style',
      'export.order-of-events',
      'export.pdf-form',
      'audit.event-fields',
    ],
  }),
  withColumns('has-no-metadata', allColumnsBut(...metadataColumns), {
    hides: clausesOfKeysInRowsOnly,
    follows: ['export.case-of-filter-values', 'audit.event-fields'],
  }),
  withColumns(
    'has-metadata-in-one-cell',
    [...allColumnsBut(...metadataColumns), metadataInOneCell],
    { follows: ['export.pdf-form'] },
  ),
  withColumns('has-no-description', allColumnsBut(descriptionColumn)),
  withColumns('has-no-user', allColumnsBut(auditeeColumn), { follows: ['audit.event-fields'] }),
  withColumns('has-its-columns-the-other-way-round', allColumns.toReversed()),
  withColumns('has-the-time-of-the-export', [...allColumns, exportedAt]),
  withColumns('has-row-numbers', [rowNumber, ...allColumns]),
  withColumns('has-the-time-twice', [epoch, ...allColumns], { follows: ['export.date-style'] }),
  withColumns('has-the-time-of-recording-before-that-of-the-event', [recordedAt, ...allColumns]),
  withColumns('has-day-and-time-apart', [
    idColumn,
    day,
    timeOfDay,
    ...allColumnsBut(idColumn, timeColumn),
  ]),
  withColumns(
    'has-the-classification-in-one-cell',
    [...allColumnsBut(typeColumn, subTypeColumn, sourceColumn), classification],
    {
      follows: ['audit.event-fields', 'audit.classification-values', 'export.pdf-form'],
    },
  ),
  withColumns('has-ids-times-and-comments-only', [idColumn, timeColumn, commentColumn], {
    hides: [...clausesOfKeysInRowsOnly, 'audit.events-are-classified'],
    follows: ['export.case-of-filter-values', 'audit.event-fields', 'audit.classification-values'],
  }),
];

const forms: readonly Variant[] = [
  withForm('has-no-headings', { csvHeadings: () => undefined }, ['export.csv-columns']),
  withForm(
    'has-no-headings-and-no-ids',
    {
      csvHeadings: () => undefined,
      csvColumns: () => withoutIds,
    },
    ['export.csv-columns'],
  ),
  withHeadings('has-technical-headings', () => fieldNames),
  withHeadings('has-headings-in-capitals', (shown, locale) =>
    shown.map(({ heading }) => heading[locale].toUpperCase()),
  ),
  withForm('has-a-title', { csvTitle: () => [['Audit events']] }),
  withForm(
    'has-a-title-in-two-lines-and-no-headings',
    {
      csvTitle: (locale) => [['Audit events'], [`locale, ${locale}`]],
      csvHeadings: () => undefined,
    },
    ['export.csv-columns'],
  ),
  withForm('has-semicolons', { csvDelimiter: () => ';' }),
  withForm('has-semicolons-and-a-byte-order-mark', {
    csvDelimiter: () => ';',
    csvByteOrderMark: () => true,
  }),
  withForm('has-a-byte-order-mark', { csvByteOrderMark: () => true }),
  withForm('has-tabs', { csvDelimiter: () => '\t' }),
  withForm('has-bars', { csvDelimiter: () => '|' }),
  withForm('ends-lines-with-a-line-feed', { csvLineEnd: () => '\n' }),
  withForm('does-not-end-its-last-line', { csvEndsLastLine: () => false }),
  withForm('quotes-every-cell', { csvCell: () => quoted }),
  withForm('is-empty-where-nothing-matches', { csvHeadingsWhenEmpty: () => false }),
];

/** CSV exports of other columns and forms (4. Export audit events). */
export const exportCsvVariants: readonly Variant[] = [...columns, ...forms];
