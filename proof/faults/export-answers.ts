import { ExportRefused } from '../../reference/export/query.ts';
import type { Handle } from '../../reference/reference.ts';
import type { ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import { exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { rowClauses } from '../clause-groups.ts';
import { bytesOf, type Fault, fault, refusedWith, table } from './fault.ts';

const isExport = ({ target }: ServiceRequest) => target.includes('/audit-sentinel/events/export');

/** Changes the answers to exports of one status; it may ask the service again. */
const answering = (
  status: number,
  change: (
    response: ServiceResponse,
    request: ServiceRequest,
    handle: Handle,
  ) => Promise<ServiceResponse>,
) => {
  return (handle: Handle): Handle =>
    async (request) => {
      const response = await handle(request);
      const isMeant = isExport(request) && response.status === status;
      return isMeant ? change(response, request, handle) : response;
    };
};

const exportAnswers = (status: number): Partial<Rules> => ({
  successStatus: (operation) => (operation === 'export' ? status : 200),
});

/** Says that the file has so many bytes more than it has. */
const lengthOff = (more: number) =>
  answering(200, async (response) => {
    const body = await bytesOf(response);
    const length = String(Math.max(0, body.length + more));
    return { ...response, body, headers: { ...response.headers, 'content-length': length } };
  });

/** Sends a file of which the end is missing, as if it were whole. */
const cutBy = (bytes: number) =>
  answering(200, async (response) => {
    const body = await bytesOf(response);
    const headers = { ...response.headers, 'content-length': String(body.length) };
    return { ...response, headers, body: body.subarray(0, Math.max(0, body.length - bytes)) };
  });

/** Gives a refusal the file of the export without parameters. */
const withFile = (status: number) =>
  answering(status, async (response, request, handle) => {
    const target = request.target.split('?')[0] ?? '';
    const file = await handle({ ...request, target });
    return { ...file, status: response.status };
  });

const requests: readonly Fault[] = [
  fault('export-answers-201', ['export.answers-200'], exportAnswers(201)),
  fault('export-answers-202', ['export.answers-200'], exportAnswers(202)),
  fault(
    'export-needs-a-file-type',
    {
      breaks: ['export.parameters-are-optional', 'export.file-type-defaults-to-csv'],
      mayBreak: ['export.answers-200'],
    },
    {
      readFileType: (value) => {
        if (value === undefined) throw new ExportRefused('file_type is missing');
        return exportRules.readFileType(value);
      },
    },
  ),
  fault(
    'export-needs-a-range',
    {
      breaks: ['export.parameters-are-optional', 'export.range-bounds-are-independent'],
      mayBreak: ['export.answers-200'],
    },
    {
      readBound: (value, name) => {
        if (value === undefined) throw new ExportRefused(`${name} is missing`);
        return exportRules.readBound(value, name);
      },
    },
  ),
  fault(
    'export-needs-a-filter',
    { breaks: ['export.parameters-are-optional'], mayBreak: ['export.answers-200'] },
    {
      queryActedOn: (query) => {
        const filters = { ...query.lists, ...query.metadata };
        const { start, end } = query;
        if (Object.keys(filters).length > 0 || start !== undefined || end !== undefined) {
          return query;
        }
        throw new ExportRefused('an export needs a filter');
      },
    },
  ),
  fault('export-file-type-defaults-to-pdf', ['export.file-type-defaults-to-csv'], {
    readFileType: (value) => exportRules.readFileType(value ?? 'pdf'),
  }),
];

const invalidExport = ['errors.invalid-export-is-400'] as const;
const oddValue = ['errors.odd-value-is-no-server-error'] as const;

/** Reads values that are invalid as if they were not, or fails over them. */
const invalidValues: readonly Fault[] = [
  ...(['range_start', 'range_end'] as const).map((bound) =>
    fault(`export-malformed-${bound.replace('_', '-')}-is-ignored`, invalidExport, {
      readBound: (value, name) => {
        if (name !== bound) return exportRules.readBound(value, name);
        try {
          return exportRules.readBound(value, name);
        } catch {
          return undefined;
        }
      },
    }),
  ),
  ...table(fault, invalidExport, {
    'export-malformed-bounds-are-ignored': {
      readBound: (value, name) => {
        try {
          return exportRules.readBound(value, name);
        } catch {
          return undefined;
        }
      },
    },
    'export-unknown-file-types-are-csv': {
      readFileType: (value) => (value === 'pdf' ? 'pdf' : 'csv'),
    },
    'export-unknown-file-types-are-pdf': {
      readFileType: (value = 'csv') => (value === 'csv' ? 'csv' : 'pdf'),
    },
  }),
  ...table(failingOver, [...invalidExport, ...oddValue], {
    'malformed-bounds': /range_(start|end)=(not-a-time|soon)/,
    'unknown-file-types': /file_type=(?!csv|pdf)/,
  }),
  failingOver('unknown-locales', oddValue, /locale=xx/),
  failingOver('unknown-timezones', oddValue, /timezone=(Nowhere|Mars)/),
  failingOver('unknown-metadata-keys', oddValue, /metadata(%5B|\[)(no_such_key|colour)/),
];

/** Answers 500 where the query matches. */
function failingOver(what: string, breaks: Fault['breaks'], query: RegExp): Fault {
  return fault(
    `export-fails-over-${what}`,
    {
      breaks,
      // They are asked for without a key too.
      mayBreak: ['auth.is-checked-before-the-request'],
    },
    (handle) => async (request) =>
      isExport(request) && query.test(request.target)
        ? { status: 500, headers: {}, body: '' }
        : handle(request),
  );
}

const refusals: readonly Fault[] = [
  ...[200, 404, 422, 500].map((status) =>
    fault(
      `export-refuses-with-${status}`,
      {
        breaks: ['errors.reversed-range-is-400', ...invalidExport],
        mayBreak: [
          'limits.pdf-over-5000-events-is-400',
          ...(status === 500 ? oddValue : []),
          // A locale that is not supported selects nothing then.
          ...(status === 200 ? (['export.locale-keeps-the-events'] as const) : []),
        ],
      },
      refusedWith('invalid-export', status),
    ),
  ),
  ...table(fault, ['export.refusal-carries-no-events'], {
    'export-400-carries-events': withFile(400),
    'export-401-carries-the-events-of-the-last-export': (handle) => {
      let last = new Uint8Array();
      return async (request) => {
        const response = await handle(request);
        if (!isExport(request)) return response;
        if (response.status === 401) return { ...response, body: last };
        if (response.status !== 200) return response;
        last = new Uint8Array(await bytesOf(response));
        return { ...response, body: last };
      };
    },
  }),
];

const files: readonly Fault[] = [
  ...table(fault, ['export.content-length-is-true'], {
    'export-content-length-is-too-long': lengthOff(1),
    'export-content-length-is-too-short': lengthOff(-1),
    'export-content-length-counts-characters-and-not-bytes': answering(200, async (response) => {
      const body = await bytesOf(response);
      const length = String(new TextDecoder().decode(body).length);
      return { ...response, body, headers: { ...response.headers, 'content-length': length } };
    }),
  }),
  fault(
    'export-file-ends-before-its-length',
    { breaks: ['export.content-length-is-true'], mayBreak: [...rowClauses, 'export.pdf-opens'] },
    cutBy(100),
  ),
  fault(
    'export-file-is-empty',
    [
      'export.pdf-opens',
      'audit.records-assignment-comments',
      'audit.records-unassignment-comments',
    ],
    answering(200, async (response) => ({
      ...response,
      headers: { ...response.headers, 'content-length': '0' },
      body: '',
    })),
  ),
  ...table(
    fault,
    { breaks: ['export.csv-is-one-table'], mayBreak: ['export.file-type-defaults-to-csv'] },
    {
      'export-csv-is-a-web-page': answering(200, async (response) => {
        const isCsv = response.headers['content-type']?.startsWith('text/csv');
        return isCsv
          ? { ...response, body: '<!doctype html>\n<title>Sign in</title>\n<h1>Sign in</h1>\n' }
          : response;
      }),
      'export-csv-is-json': answering(200, async (response) => {
        const isCsv = response.headers['content-type']?.startsWith('text/csv');
        if (!isCsv) return response;
        const lines = new TextDecoder().decode(await bytesOf(response)).split('\r\n');
        return { ...response, body: JSON.stringify(lines.map((line) => ({ line }))) };
      }),
    },
  ),
  fault(
    'export-loses-another-event-each-time',
    { breaks: ['export.is-repeatable'], mayBreak: rowClauses },
    (handle) => {
      let count = 0;
      return answering(200, async (response) => {
        const isCsv = response.headers['content-type']?.startsWith('text/csv');
        if (!isCsv) return response;
        const lines = new TextDecoder().decode(await bytesOf(response)).split(/(?<=\r\n)/);
        count += 1;
        const lost = lines.length < 3 ? -1 : 1 + (count % (lines.length - 2));
        return { ...response, body: lines.filter((_, index) => index !== lost).join('') };
      })(handle);
    },
  ),
];

/** Exports answered with the wrong status, refused with events, or sent in files that are not whole (4. Export audit events, Errors). */
export const exportAnswerFaults: readonly Fault[] = [
  ...requests,
  ...invalidValues,
  ...refusals,
  ...files,
];
