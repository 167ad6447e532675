import {
  allColumns,
  type Column,
  descriptionColumn,
  metadataColumns,
  metadataInOneCell,
  subTypeColumn,
  typeColumn,
  untranslated,
} from '../../reference/export/columns.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { metadataKeys } from '../../schemas/operations.ts';
import { allColumnsBut } from '../exports.ts';
import { eachOnce } from '../faults/fault.ts';
import { labelOf, namesOnly, waysOfShowing, withMap } from './shown.ts';
import { type Variant, variant } from './variant.ts';

/** Tags of which one reads like two, the first of which exists too. */
const tagsWithCommas: Readonly<Record<string, string>> = {
  'kyc-high': 'sanctions,eu',
  pep: 'sanctions',
};

/** The events with tags that hold commas. */
const withCommas = eachOnce((event) => {
  const tag = tagsWithCommas[event.metadata.tag ?? ''];
  return tag === undefined ? event : { ...event, metadata: { ...event.metadata, tag } };
});

const showing = (
  id: string,
  columns: (typeof waysOfShowing)[keyof typeof waysOfShowing],
  rest: Omit<Variant, 'id' | 'opens' | 'rules'> = {},
): Variant =>
  variant(
    `export-csv-shows-${id}`,
    { opens: 'export.csv-columns', ...rest },
    { csvColumns: () => columns, storedEvents: withCommas },
  );

const parts = {
  'metadata-as-json': showing('metadata-as-json', waysOfShowing['metadata-as-json'], {
    follows: ['export.pdf-form'],
  }),
  'metadata-as-lines': showing('metadata-as-lines', waysOfShowing['metadata-as-lines'], {
    follows: ['export.pdf-form'],
  }),
  'labels-and-pairs-in-text': showing(
    'labels-and-pairs-in-text',
    waysOfShowing['labels-and-pairs-in-text'],
    { follows: ['export.pdf-form', 'audit.classification-values'] },
  ),
  'sentences-and-names': showing('sentences-and-names', waysOfShowing['sentences-and-names'], {
    hides: ['audit.events-are-classified'],
    follows: ['export.pdf-form', 'audit.event-fields', 'audit.classification-values'],
  }),
} satisfies Readonly<Record<keyof typeof waysOfShowing, Variant>>;

/** Ways to show an event other than one column for each filter (4. Export audit events). */
export const waysOfShowingEvents: Readonly<Record<keyof typeof waysOfShowing, Variant>> = parts;

/** The tags of an event that has several, of which any is enough: they are stored as one text. */
export const divided = (value: string | undefined): readonly string[] => value?.split(' & ') ?? [];

const double = new WeakMap<AuditEvent, AuditEvent>();

/** Tags that stand behind others. */
const secondTags = ['high risk', 'pep', 'kyc-high', 'kyc', 'KYC', 'geprüft', 'KYC+AML', 'a,b;c'];

/** Some of the events with a second tag. */
function withSecondTags(events: readonly AuditEvent[]): readonly AuditEvent[] {
  return events.map((event, index) => {
    const { tag } = event.metadata;
    const second = secondTags[Math.floor(index / 3) % secondTags.length];
    if (tag === undefined || index % 3 !== 0 || tag === second) return event;
    const known = double.get(event) ?? {
      ...event,
      metadata: { ...event.metadata, tag: `${tag} & ${second}` },
    };
    double.set(event, known);
    return known;
  });
}

const tagColumn = metadataColumns[metadataKeys.indexOf('tag')];

/** All columns, of which that of tags shows some of those of an event. */
const showingTags = (shown: (tags: readonly string[]) => string): readonly Column[] =>
  allColumns.map((column) =>
    column === tagColumn
      ? { ...column, cell: ({ metadata }: AuditEvent) => shown(divided(metadata.tag)) }
      : column,
  );

const metadataWithLists: Column = {
  ...metadataInOneCell,
  cell: ({ metadata }) => JSON.stringify({ ...metadata, tag: divided(metadata.tag) }),
};

/** Some events have two tags, which a list shows: a filter is to find either. */
export const severalTags = {
  storedEvents: withSecondTags,
  matchesMetadata: (value: string | undefined, wanted: string) => divided(value).includes(wanted),
  csvColumns: () => [...allColumnsBut(...metadataColumns), metadataWithLists],
};

/** Long tags with a comma: what stands before it reads like a tag. */
const withLongTags = eachOnce((event) => {
  const { tag } = event.metadata;
  if (tag !== 'pep' && tag !== 'kyc-high') return event;
  const long = `a ${tag} tag that was pasted from the subject line of a mail, including the words that nobody needed (second reminder, please handle before the end of the quarter)`;
  return { ...event, metadata: { ...event.metadata, tag: long } };
});

/** The events with matches and caches that are known by a number. */
const withNumbers = eachOnce((event) => {
  const { match_id, cache_id } = event.metadata;
  return {
    ...event,
    metadata: {
      ...event.metadata,
      ...(match_id && { match_id: `M-${Number.parseInt(match_id.slice(0, 4), 16)}` }),
      ...(cache_id && { cache_id: `cache:eu-${cache_id.slice(0, 3)}` }),
    },
  };
});

/** `Assessment: created`. */
const whatHappened: Column = {
  ...typeColumn,
  heading: untranslated('Event'),
  cell: ({ eventType, subType }) => `${labelOf(eventType)}: ${subType.replaceAll('_', ' ')}`,
};

/** Services whose columns do not show what filters select by. */
export const exportShownVariants: readonly Variant[] = [
  ...Object.values(parts),
  variant(
    'export-csv-shows-metadata-as-a-map',
    { opens: 'export.csv-columns', follows: ['export.pdf-form'] },
    { csvColumns: () => withMap },
  ),
  variant(
    'export-csv-shows-people-by-name',
    { opens: 'export.csv-columns', follows: ['export.pdf-form', 'audit.event-fields'] },
    { csvColumns: () => namesOnly },
  ),
  variant(
    'export-csv-shows-types-before-subtypes-and-ids-that-are-numbers',
    {
      opens: 'export.csv-columns',
      follows: [
        'export.pdf-form',
        'export.case-of-filter-values',
        'audit.event-fields',
        'audit.classification-values',
      ],
    },
    {
      storedEvents: withNumbers,
      csvColumns: () =>
        allColumnsBut(subTypeColumn, descriptionColumn).map((column) =>
          column === typeColumn ? whatHappened : column,
        ),
    },
  ),
  variant(
    'export-csv-shows-the-first-of-several-tags',
    { opens: 'export.csv-columns', unseen: 'The headings are the same.' },
    { ...severalTags, csvColumns: () => showingTags(([first = '']) => first) },
  ),
  variant(
    'export-csv-shows-several-tags-with-commas-in-one-cell',
    {
      opens: 'export.csv-columns',
      follows: ['export.pdf-form'],
      unseen: 'The headings are the same.',
    },
    {
      ...severalTags,
      storedEvents: (events) => withSecondTags(withLongTags(events)),
      csvColumns: () => showingTags((tags) => tags.toReversed().join('; ')),
    },
  ),
];
