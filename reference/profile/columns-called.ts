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

/** What headings of other services may say, in lower-case letters alone; the first match counts. */
const names: readonly (readonly [name: RegExp, column: Column])[] = [
  ...metadataColumns.map(
    (column, index) =>
      [
        new RegExp(`^(metadata)?${(metadataKeys[index] ?? '').replaceAll('_', '')}$`),
        column,
      ] as const,
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

/** A column for each heading, with what the heading seems to name; one that names nothing known has empty cells. */
export function columnsCalled(headings: readonly string[]): readonly Column[] {
  const left = new Set([...allColumns, metadataInOneCell]);
  const own = headings.map((heading) => allColumns.find((column) => column.heading.en === heading));
  for (const column of own) if (column !== undefined) left.delete(column);
  return headings.map((heading, index) => {
    const letters = heading.toLowerCase().replace(/[^a-z]/g, '');
    const guessed = names.find(([name, column]) => name.test(letters) && left.has(column))?.[1];
    const column = own[index] ?? guessed;
    if (column === undefined)
      return { part: 'text', heading: untranslated(heading), cell: () => '' };
    left.delete(column);
    return { ...column, heading: { ...column.heading, en: heading } };
  });
}
