import { metadataKeys } from '../../schemas/operations.ts';
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
} from '../export/columns.ts';

/** Words by which headings of other services may be known, in lower case and without marks; the first match counts. */
const names: readonly (readonly [name: RegExp, column: Column])[] = [
  ...metadataColumns.map(
    (column, index) => [new RegExp(`^(metadata)?${nameOf(index)}$`), column] as const,
  ),
  [/^(event)?id$|^reference$/, idColumn],
  [/time|date|when|createdat|occurred/, timeColumn],
  [/auditee|user|actor|causedby|performedby/, auditeeColumn],
  [/subtype|whathappened|action/, subTypeColumn],
  [/type|category|area/, typeColumn],
  [/source|camethrough|origin/, sourceColumn],
  [/comment|remark|note/, commentColumn],
  [/^metadata$/, metadataInOneCell],
  [/description|inwords|details|summary/, descriptionColumn],
];

/** The name of a metadata key without its marks. */
function nameOf(index: number): string {
  return (metadataKeys[index] ?? '').replaceAll('_', '');
}

/**
 * Columns under these headings: each holds what its heading seems to name, and nothing where it names nothing that
 * is known.
 */
export function columnsCalled(headings: readonly string[]): readonly Column[] {
  const used = new Set<Column>();
  const named = headings.map((heading) => {
    const known = allColumns.find((column) => column.heading.en === heading && !used.has(column));
    if (known !== undefined) used.add(known);
    return known;
  });
  return headings.map((heading, index) => {
    const column = named[index] ?? guessed(heading, used);
    if (column === undefined) return { ...empty, heading: untranslated(heading) };
    used.add(column);
    const isOwn = column.heading.en === heading;
    return isOwn ? column : { ...column, heading: { ...column.heading, en: heading } };
  });
}

function guessed(heading: string, used: ReadonlySet<Column>): Column | undefined {
  const plain = heading.toLowerCase().replace(/[^a-z]/g, '');
  return names.find(([name, column]) => name.test(plain) && !used.has(column))?.[1];
}

/** The cell of a column that nothing is known to stand in. */
export const nothing: Column['cell'] = () => '';

const empty: Omit<Column, 'heading'> = { part: 'text', cell: nothing };
