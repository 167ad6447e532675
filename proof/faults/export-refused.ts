import { parametersOf } from '../../reference/export/query.ts';
import { dashed } from '../../schemas/clause.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import {
  auditTrailClauses,
  clauseOfKey,
  clauseOfList,
  combinedFilterClauses,
} from '../clause-groups.ts';
import { type Fault, fault, type Wire } from './fault.ts';

/** What a request sends, by name; lists with all their values. */
interface Sent {
  readonly has: (name: string) => boolean;
  readonly values: (name: string) => readonly string[];
}

function sentIn(target: string): Sent {
  const parameters = parametersOf(target);
  const values = (name: string) =>
    parameters.filter(([one]) => one.replace(/\[\d*\]$/, '') === name).map(([, value]) => value);
  return { has: (name) => values(name).length > 0, values };
}

/** Answers some exports that would be served with another status. */
const refusing =
  (status: number, isMeant: (sent: Sent) => boolean): Wire =>
  (handle) =>
  async (request) => {
    const isExport = request.target.includes('/audit-sentinel/events/export');
    const response = await handle(request);
    if (!isExport || response.status !== 200 || !isMeant(sentIn(request.target))) return response;
    return { status, headers: { 'content-type': 'application/json' }, body: '{"error":"refused"}' };
  };

const isPdf = ({ values }: Sent) => values('file_type')[0] === 'pdf';

const statuses = [400, 404, 500] as const;
const mayBreak = [
  ...combinedFilterClauses,
  ...auditTrailClauses,
  'export.answers-200',
  'export.timezone-formats-the-dates',
  'versioning.paths-are-under-v5',
  'export.pdf-holds-the-events-of-the-csv',
  'export.pdf-opens',
  'export.timezone-keeps-the-events',
  'export.locale-keeps-the-events',
] as const;

/** One each, and every one for some: what fails is tried again, and takes its time. */
const statusesOf = (name: string, index: number): readonly number[] =>
  ['tag', 'event_type'].includes(name) ? statuses : [index % 2 === 0 ? 400 : 404];

const single: readonly Fault[] = [
  ...metadataKeys.flatMap((key, index) =>
    statusesOf(key, index).map((status) =>
      fault(
        `export-metadata-${dashed(key)}-is-always-${status}`,
        { breaks: [clauseOfKey(key)], mayBreak },
        refusing(status, ({ has }) => has(`metadata[${key}]`)),
      ),
    ),
  ),
  ...listFilters.flatMap((filter, index) =>
    statusesOf(filter, index).map((status) =>
      fault(
        `export-${dashed(filter)}-is-always-${status}`,
        { breaks: [clauseOfList(filter)], mayBreak: [...mayBreak, ...auditTrailClauses] },
        refusing(status, ({ has }) => has(filter)),
      ),
    ),
  ),
];

const together: readonly Fault[] = statuses.flatMap((status) => [
  ...listFilters.map((filter) =>
    fault(
      `export-two-values-of-${dashed(filter)}-are-${status}`,
      { breaks: ['export.lists-are-any-of'], mayBreak },
      refusing(status, ({ values }) => new Set(values(filter)).size > 1),
    ),
  ),
  fault(
    `export-two-lists-are-${status}`,
    { breaks: ['export.filters-combine'], mayBreak },
    refusing(status, ({ has }) => listFilters.filter(has).length > 1),
  ),
  fault(
    `export-a-list-and-a-metadata-key-are-${status}`,
    { breaks: ['export.filters-combine'], mayBreak },
    refusing(
      status,
      ({ has }) => listFilters.some(has) && metadataKeys.some((key) => has(`metadata[${key}]`)),
    ),
  ),
  fault(
    `export-two-metadata-keys-are-${status}`,
    { breaks: ['export.metadata-keys-combine'], mayBreak },
    refusing(status, ({ has }) => metadataKeys.filter((key) => has(`metadata[${key}]`)).length > 1),
  ),
  fault(
    `export-a-timezone-is-${status}`,
    {
      breaks: ['export.timezone-formats-the-dates'],
      mayBreak: [...mayBreak, 'errors.odd-value-is-no-server-error'],
    },
    refusing(status, ({ values }) => !['UTC', undefined].includes(values('timezone')[0])),
  ),
  fault(
    `export-a-timezone-of-quarter-hours-is-${status}`,
    { breaks: ['export.timezone-formats-the-dates'], mayBreak },
    refusing(status, ({ values }) => values('timezone')[0] === 'Asia/Kathmandu'),
  ),
  fault(
    `export-locale-en-is-${status}`,
    { breaks: ['export.locale-defaults-to-en'], mayBreak },
    refusing(status, ({ values }) => values('locale')[0] === 'en'),
  ),
]);

const served = ['export.answers-200'] as const;

const inPdf: readonly Fault[] = [
  ...metadataKeys.map((key, index) =>
    fault(
      `export-pdf-with-metadata-${dashed(key)}-is-refused`,
      { breaks: served, mayBreak },
      refusing(statuses[index % 3] ?? 400, (sent) => isPdf(sent) && sent.has(`metadata[${key}]`)),
    ),
  ),
  ...listFilters.map((filter, index) =>
    fault(
      `export-pdf-with-${dashed(filter)}-is-refused`,
      { breaks: served, mayBreak },
      refusing(statuses[index % 3] ?? 400, (sent) => isPdf(sent) && sent.has(filter)),
    ),
  ),
  ...statuses.flatMap((status) => [
    fault(
      `export-pdf-with-two-values-of-a-list-is-${status}`,
      { breaks: served, mayBreak },
      refusing(
        status,
        (sent) => isPdf(sent) && listFilters.some((one) => new Set(sent.values(one)).size > 1),
      ),
    ),
    fault(
      `export-pdf-with-a-list-and-metadata-is-${status}`,
      { breaks: served, mayBreak },
      refusing(
        status,
        (sent) =>
          isPdf(sent) &&
          listFilters.some(sent.has) &&
          metadataKeys.some((key) => sent.has(`metadata[${key}]`)),
      ),
    ),
    fault(
      `export-pdf-with-a-timezone-is-${status}`,
      { breaks: served, mayBreak },
      refusing(
        status,
        (sent) => isPdf(sent) && !['UTC', undefined].includes(sent.values('timezone')[0]),
      ),
    ),
    fault(
      `export-pdf-with-locale-en-is-${status}`,
      { breaks: ['export.locale-defaults-to-en'], mayBreak },
      refusing(status, (sent) => isPdf(sent) && sent.values('locale')[0] === 'en'),
    ),
  ]),
];

/** Requests that the document permits, and that are refused (4. Export audit events, Errors). */
export const exportRefusedFaults: readonly Fault[] = [...single, ...together, ...inPdf];
