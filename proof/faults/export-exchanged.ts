import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, type MetadataKey, metadataKeys } from '../../schemas/operations.ts';
import {
  auditTrailClauses,
  clauseOfKey,
  clauseOfList,
  combinedFilterClauses,
} from '../clause-groups.ts';
import { waysOfShowing } from '../variants/shown.ts';
import { type Fault, fault } from './fault.ts';

/** Compares list filters with fields of others. */
const listsReading = (
  fields: Readonly<Partial<Record<ListFilter, ListFilter>>>,
): Pick<Rules, 'listedValue'> => ({
  listedValue: (event, filter) => exportRules.listedValue(event, fields[filter] ?? filter),
});

/** Compares metadata keys with values of others. */
const keysReading = (
  values: Readonly<Partial<Record<MetadataKey, MetadataKey>>>,
): Pick<Rules, 'metadataValue'> => ({
  metadataValue: (event, key) => exportRules.metadataValue(event, values[key] ?? key),
});

/** Lists whose values are names, of which the document gives examples. */
const named = ['event_type', 'sub_type', 'system_source'] as const;

const lists: readonly Fault[] = named.flatMap((one, index) => [
  ...named
    .filter((other) => other !== one)
    .map((other) =>
      fault(
        `export-${dashed(one)}-selects-by-${dashed(other)}`,
        { breaks: [clauseOfList(one)], mayBreak: combinedFilterClauses },
        listsReading({ [one]: other }),
      ),
    ),
  ...named
    .slice(index + 1)
    .map((other) =>
      fault(
        `export-${dashed(one)}-and-${dashed(other)}-are-exchanged`,
        { breaks: [clauseOfList(one), clauseOfList(other)], mayBreak: combinedFilterClauses },
        listsReading({ [one]: other, [other]: one }),
      ),
    ),
]);

/** Headings of single words do not tell these two apart, and their forms do not tell texts. */
const needNames: readonly MetadataKey[] = [
  'screening_application_id',
  'screening_config_id',
  'tag',
  'workflow_step',
];

/** What such an exchange shows in: cells that name the keys as requests do. */
const namingKeys = (...keys: readonly MetadataKey[]): Partial<Rules> =>
  keys.some((key) => needNames.includes(key))
    ? { csvColumns: () => waysOfShowing['metadata-as-json'] }
    : {};

/** Each with a key that it is easily taken for. */
const similar: readonly (readonly [MetadataKey, MetadataKey])[] = [
  ['entity_id', 'task_id'],
  ['assessment_id', 'entity_id'],
  ['task_id', 'assessment_id'],
  ['workflow_instance_id', 'workflow_step'],
  ['screening_application_id', 'screening_config_id'],
  ['match_id', 'inquiry_id'],
  ['tag', 'workflow_step'],
  ['cache_id', 'match_id'],
];

const keys: readonly Fault[] = [
  ...metadataKeys.map((key, index) => {
    const next = metadataKeys[(index + 1) % metadataKeys.length] ?? key;
    return fault(
      `export-metadata-${dashed(key)}-selects-by-${dashed(next)}`,
      { breaks: [clauseOfKey(key)], mayBreak: [...combinedFilterClauses, ...auditTrailClauses] },
      { ...keysReading({ [key]: next }), ...namingKeys(key, next) },
    );
  }),
  ...similar.map(([one, other]) =>
    fault(
      `export-metadata-${dashed(one)}-and-${dashed(other)}-are-exchanged`,
      {
        breaks: [clauseOfKey(one), clauseOfKey(other)],
        mayBreak: [...combinedFilterClauses, ...auditTrailClauses],
      },
      { ...keysReading({ [one]: other, [other]: one }), ...namingKeys(one, other) },
    ),
  ),
];

/** Filters that select by what belongs to another one (4. Export audit events). */
/** For one value, the events of another one are kept besides. */
const keepsAnother = fault(
  'export-a-source-keeps-the-events-of-a-rarer-one-besides',
  { breaks: [clauseOfList('system_source')], mayBreak: combinedFilterClauses },
  {
    matchesList: (value, wanted) =>
      wanted.includes(value) ||
      (value === 'task_platform_v2' && wanted.includes('assessment_service')),
  },
);

/** Two values are one. */
const twins: readonly unknown[] = ['high risk', 'geprüft'];
const takesTwoForOne = fault(
  'export-metadata-tag-takes-two-values-for-one',
  { breaks: [clauseOfKey('tag')], mayBreak: combinedFilterClauses },
  {
    matchesMetadata: (value, wanted, key) =>
      value === wanted || (key === 'tag' && twins.includes(value) && twins.includes(wanted)),
  },
);

export const exportExchangedFaults: readonly Fault[] = [
  ...lists,
  ...keys,
  keepsAnother,
  takesTwoForOne,
];
