import { parametersOf } from '../../reference/export/query.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, listFilters, metadataKeys } from '../../schemas/operations.ts';
import {
  auditTrailClauses,
  clauseOfKey,
  clauseOfList,
  combinedFilterClauses,
} from '../clause-groups.ts';
import { type Broken, type Fault, fault, table, type Wire, whole } from './fault.ts';

/** What a request sends, by name; lists with all their values. */
interface Sent {
  readonly has: (name: string) => boolean;
  readonly values: (name: string) => readonly string[];
}

type IsMeant = (sent: Sent) => boolean;

function sentIn(target: string): Sent {
  const parameters = parametersOf(target);
  const values = (name: string) =>
    parameters.filter(([one]) => one.replace(/\[\d*\]$/, '') === name).map(([, value]) => value);
  return { has: (name) => values(name).length > 0, values };
}

/** Answers some exports that would be served with another status. */
const refusing =
  (status: number, isMeant: IsMeant): Wire =>
  (handle) =>
  async (request) => {
    const isExport = request.target.includes('/audit-sentinel/events/export');
    const response = await handle(request);
    if (!isExport || response.status !== 200 || !isMeant(sentIn(request.target))) return response;
    return { status, headers: { 'content-type': 'application/json' }, body: '{"error":"refused"}' };
  };

const isPdf: IsMeant = ({ values }) => values('file_type')[0] === 'pdf';
const isZoned: IsMeant = ({ values }) => !['UTC', undefined].includes(values('timezone')[0]);
const isEnglish: IsMeant = ({ values }) => values('locale')[0] === 'en';
const hasList: IsMeant = ({ has }) => listFilters.some(has);
const hasKey: IsMeant = ({ has }) => metadataKeys.some((key) => has(`metadata[${key}]`));
const hasTwoOf = ({ values }: Sent, filter: ListFilter) => new Set(values(filter)).size > 1;

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

/** Refuses some exports with a status, which is the last word of the id. */
const refused =
  (status: number) =>
  (id: string, broken: Broken, isMeant: IsMeant): Fault =>
    fault(`${id}-${status}`, { mayBreak, ...whole(broken) }, refusing(status, isMeant));

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

const oddZone = {
  breaks: ['export.timezone-formats-the-dates'],
  mayBreak: [...mayBreak, 'errors.odd-value-is-no-server-error'],
} as const;

const together: readonly Fault[] = statuses.flatMap((status) => [
  ...listFilters.map((filter) =>
    refused(status)(
      `export-two-values-of-${dashed(filter)}-are`,
      ['export.lists-are-any-of'],
      (sent) => hasTwoOf(sent, filter),
    ),
  ),
  ...table(refused(status), ['export.filters-combine'], {
    'export-two-lists-are': ({ has }) => listFilters.filter(has).length > 1,
    'export-a-list-and-a-metadata-key-are': (sent) => hasList(sent) && hasKey(sent),
  }),
  ...table(refused(status), ['export.metadata-keys-combine'], {
    'export-two-metadata-keys-are': ({ has }) =>
      metadataKeys.filter((key) => has(`metadata[${key}]`)).length > 1,
  }),
  refused(status)('export-a-timezone-is', oddZone, isZoned),
  ...table(refused(status), ['export.timezone-formats-the-dates'], {
    'export-a-timezone-of-quarter-hours-is': ({ values }) =>
      values('timezone')[0] === 'Asia/Kathmandu',
  }),
  refused(status)('export-locale-en-is', ['export.locale-defaults-to-en'], isEnglish),
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
    ...table(refused(status), served, {
      'export-pdf-with-two-values-of-a-list-is': (sent) =>
        isPdf(sent) && listFilters.some((filter) => hasTwoOf(sent, filter)),
      'export-pdf-with-a-list-and-metadata-is': (sent) =>
        isPdf(sent) && hasList(sent) && hasKey(sent),
      'export-pdf-with-a-timezone-is': (sent) => isPdf(sent) && isZoned(sent),
    }),
    ...table(refused(status), ['export.locale-defaults-to-en'], {
      'export-pdf-with-locale-en-is': (sent) => isPdf(sent) && isEnglish(sent),
    }),
  ]),
];

/** Requests that the document permits, and that are refused (4. Export audit events, Errors). */
export const exportRefusedFaults: readonly Fault[] = [...single, ...together, ...inPdf];
