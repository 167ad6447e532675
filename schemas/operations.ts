/** The four operations of the document, by the names that results use. */
export const operations = ['update-assignment', 'get-task', 'get-assessment', 'export'] as const;

export type Operation = (typeof operations)[number];

/** The metadata keys that the export may filter by (4. Export audit events). */
export const metadataKeys = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
  'screening_application_id',
  'screening_config_id',
  'match_id',
  'inquiry_id',
  'tag',
  'cache_id',
  'workflow_step',
] as const;

export type MetadataKey = (typeof metadataKeys)[number];

/** The list parameters that the export may filter by (4. Export audit events). */
export const listFilters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const;

export type ListFilter = (typeof listFilters)[number];

/** A filter of the export, as a query names it: one of the four lists, or one of the eleven metadata keys. */
export type Filter = ListFilter | `metadata[${MetadataKey}]`;

export const filters: readonly Filter[] = [
  ...listFilters,
  ...metadataKeys.map((key) => `metadata[${key}]` as const),
];

/** The usual ways to send a list of values, as people read them; the document shows none (4. Export audit events). */
export const encodingExamples = {
  repeat: 'a=1&a=2',
  brackets: 'a[]=1&a[]=2',
  indices: 'a[0]=1&a[1]=2',
  comma: 'a=1%2C2',
  'bare-comma': 'a=1,2',
  pipe: 'a=1|2',
  semicolon: 'a=1;2',
  json: 'a=["1","2"]',
} as const;

export type ListEncoding = keyof typeof encodingExamples;

// Object.keys forgets that it lists exactly these.
export const listEncodings = Object.keys(encodingExamples) as readonly ListEncoding[];

/** The most events that a PDF export may hold (Limits). */
export const pdfEventLimit = 5000;
