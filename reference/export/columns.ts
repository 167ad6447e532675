import { type MetadataKey, metadataKeys } from '../../schemas/operations.ts';
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

export const idColumn: Column = {
  heading: { en: 'Event id', de: 'Ereignis-ID', fr: 'Id de l’événement' },
  part: 'identity',
  cell: (event) => event.id,
};

export const timeColumn: Column = {
  heading: { en: 'Time', de: 'Zeitpunkt', fr: 'Date et heure' },
  part: 'identity',
  cell: ({ at, beyondMs }, { date }) => date(at, beyondMs),
};

export const auditeeColumn: Column = {
  heading: { en: 'Caused by', de: 'Ausgelöst von', fr: 'Causé par' },
  part: 'user',
  cell: (event) => event.auditeeId,
};

export const typeColumn: Column = {
  heading: { en: 'Type', de: 'Art', fr: 'Type' },
  part: 'classification',
  cell: (event) => event.eventType,
};

export const subTypeColumn: Column = {
  heading: { en: 'Subtype', de: 'Unterart', fr: 'Sous-type' },
  part: 'classification',
  cell: (event) => event.subType,
};

export const sourceColumn: Column = {
  heading: { en: 'Source', de: 'Quelle', fr: 'Source' },
  part: 'classification',
  cell: (event) => event.systemSource,
};

export const descriptionColumn: Column = {
  heading: { en: 'Description', de: 'Beschreibung', fr: 'Description' },
  part: 'text',
  cell: (event) => event.description,
};

export const commentColumn: Column = {
  heading: { en: 'Comment', de: 'Kommentar', fr: 'Commentaire' },
  part: 'text',
  cell: (event) => event.comment ?? '',
};

const metadataHeadings: Readonly<Record<MetadataKey, Translations>> = {
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
};

export const metadataColumns: readonly Column[] = metadataKeys.map((key) => ({
  heading: metadataHeadings[key],
  part: 'metadata',
  cell: (event) => event.metadata[key] ?? '',
}));

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
