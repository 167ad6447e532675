import { metadataKeys } from '../../schemas/operations.ts';
import type { AuditEvent } from '../records.ts';

/** Languages in which this service writes exports; the document does not list any (4. Export audit events). */
export const locales = ['en', 'de', 'fr'] as const;

export type Locale = (typeof locales)[number];

export function isLocale(text: string): text is Locale {
  return locales.some((locale) => locale === text);
}

/** A text in every language. */
export type Translations = Readonly<Record<Locale, string>>;

/** A heading that is the same in every language. */
export const untranslated = (text: string): Translations => ({ en: text, de: text, fr: text });

/** How the cells of one export are written. */
export interface ExportContext {
  readonly locale: Locale;
  /** Writes an instant in the style, zone and locale of the export. */
  readonly date: (at: number, beyondMs?: number) => string;
  /** When the export is made, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** The same text wherever dates are written in the same way; without it, nothing is cached for other exports. */
  readonly dateKey?: string;
}

/** What a cell may need besides its event. */
export interface RowContext extends Pick<ExportContext, 'date' | 'now'> {
  /** Counts the rows of the export from 1. */
  readonly number: number;
}

/** Groups of columns: in a PDF, the cells of each stand together. */
export const eventParts = ['identity', 'user', 'classification', 'text', 'metadata'] as const;

export type EventPart = (typeof eventParts)[number];

export interface Column {
  readonly heading: Translations;
  /** The group that the cell belongs to in a PDF. */
  readonly part: EventPart;
  readonly cell: (event: AuditEvent, context: RowContext) => string;
  /** Whether the cell differs from one export to the next. */
  readonly isOfTheExport?: boolean;
}

const headings = {
  id: { en: 'Event id', de: 'Ereignis-ID', fr: 'Id de l’événement' },
  time: { en: 'Time', de: 'Zeitpunkt', fr: 'Date et heure' },
  auditee: { en: 'Caused by', de: 'Ausgelöst von', fr: 'Causé par' },
  type: { en: 'Type', de: 'Art', fr: 'Type' },
  subType: { en: 'Subtype', de: 'Unterart', fr: 'Sous-type' },
  source: { en: 'Source', de: 'Quelle', fr: 'Source' },
  description: { en: 'Description', de: 'Beschreibung', fr: 'Description' },
  comment: { en: 'Comment', de: 'Kommentar', fr: 'Commentaire' },
  entity_id: { en: 'Entity', de: 'Rechtsträger', fr: 'Entité' },
  assessment_id: { en: 'Assessment', de: 'Prüfung', fr: 'Évaluation' },
  task_id: { en: 'Task', de: 'Aufgabe', fr: 'Tâche' },
  workflow_instance_id: { en: 'Workflow', de: 'Ablauf', fr: 'Processus' },
  screening_application_id: { en: 'Application', de: 'Antrag', fr: 'Demande' },
  screening_config_id: { en: 'Screening', de: 'Abgleich', fr: 'Filtrage' },
  match_id: { en: 'Match', de: 'Treffer', fr: 'Correspondance' },
  inquiry_id: { en: 'Inquiry', de: 'Anfrage', fr: 'Enquête' },
  tag: { en: 'Tag', de: 'Schlagwort', fr: 'Étiquette' },
  cache_id: { en: 'Cache', de: 'Zwischenspeicher', fr: 'Cache' },
  workflow_step: { en: 'Step', de: 'Schritt', fr: 'Étape' },
} satisfies Readonly<Record<string, Translations>>;

function column(heading: keyof typeof headings, part: EventPart, cell: Column['cell']): Column {
  return { heading: headings[heading], part, cell };
}

export const idColumn = column('id', 'identity', ({ id }) => id);
export const timeColumn = column('time', 'identity', ({ at, beyondMs }, { date }) =>
  date(at, beyondMs),
);
export const auditeeColumn = column('auditee', 'user', ({ auditeeId }) => auditeeId);
export const typeColumn = column('type', 'classification', ({ eventType }) => eventType);
export const subTypeColumn = column('subType', 'classification', ({ subType }) => subType);
export const sourceColumn = column('source', 'classification', ({ systemSource }) => systemSource);
export const descriptionColumn = column('description', 'text', ({ description }) => description);
export const commentColumn = column('comment', 'text', ({ comment }) => comment ?? '');

export const metadataColumns: readonly Column[] = metadataKeys.map((key) =>
  column(key, 'metadata', ({ metadata }) => metadata[key] ?? ''),
);

/** Everything that an event holds, the metadata one key a column. */
export const allColumns: readonly Column[] = [
  idColumn,
  timeColumn,
  auditeeColumn,
  typeColumn,
  subTypeColumn,
  sourceColumn,
  descriptionColumn,
  commentColumn,
  ...metadataColumns,
];

/** All metadata of an event in one cell, as JSON. */
export const metadataInOneCell: Column = {
  heading: untranslated('metadata'),
  part: 'metadata',
  cell: ({ metadata }) => JSON.stringify(metadata),
};
