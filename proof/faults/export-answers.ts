import { ExportRefused } from '../../reference/export/query.ts';
import type { Handle } from '../../reference/reference.ts';
import type { ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import { exportRules } from '../../reference/rules/export.ts';
import { rowClauses } from '../clause-groups.ts';
import { bytesOf, type Fault, fault, refusedWith } from './fault.ts';

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
  fault('export-answers-201', ['export.answers-200'], { rules: { exportStatus: () => 201 } }),
  fault('export-answers-202', ['export.answers-200'], { rules: { exportStatus: () => 202 } }),
  fault(
    'export-needs-a-file-type',
    ['export.parameters-are-optional', 'export.file-type-defaults-to-csv'],
    {
      mayBreak: ['export.answers-200'],
      rules: {
        readFileType: (value) => {
          if (value === undefined) throw new ExportRefused('file_type is missing');
          return exportRules.readFileType(value);
        },
      },
    },
  ),
  fault(
    'export-needs-a-range',
    ['export.parameters-are-optional', 'export.range-bounds-are-independent'],
    {
      mayBreak: ['export.answers-200'],
      rules: {
        readBound: (value, name) => {
          if (value === undefined) throw new ExportRefused(`${name} is missing`);
          return exportRules.readBound(value, name);
        },
      },
    },
  ),
  fault('export-needs-a-filter', ['export.parameters-are-optional'], {
    mayBreak: ['export.answers-200'],
    rules: {
      queryActedOn: (query) => {
        const filters = { ...query.lists, ...query.metadata };
        const { start, end } = query;
        if (Object.keys(filters).length > 0 || start !== undefined || end !== undefined) {
          return query;
        }
        throw new ExportRefused('an export needs a filter');
      },
    },
  }),
  fault('export-file-type-defaults-to-pdf', ['export.file-type-defaults-to-csv'], {
    rules: { readFileType: (value) => exportRules.readFileType(value ?? 'pdf') },
  }),
];

const invalidExport = ['errors.invalid-export-is-400'] as const;
const oddValue = ['errors.odd-value-is-no-server-error'] as const;

/** Reads values that are invalid as if they were not, or fails over them. */
const invalidValues: readonly Fault[] = [
  ...(['range_start', 'range_end'] as const).map((bound) =>
    fault(`export-malformed-${bound.replace('_', '-')}-is-ignored`, invalidExport, {
      rules: {
        readBound: (value, name) => {
          if (name !== bound) return exportRules.readBound(value, name);
          try {
            return exportRules.readBound(value, name);
          } catch {
            return undefined;
          }
        },
      },
    }),
  ),
  fault('export-malformed-bounds-are-ignored', invalidExport, {
    rules: {
      readBound: (value, name) => {
        try {
          return exportRules.readBound(value, name);
        } catch {
          return undefined;
        }
      },
    },
  }),
  fault('export-unknown-file-types-are-csv', invalidExport, {
    rules: { readFileType: (value) => (value === 'pdf' ? 'pdf' : 'csv') },
  }),
  fault('export-unknown-file-types-are-pdf', invalidExport, {
    rules: { readFileType: (value = 'csv') => (value === 'csv' ? 'csv' : 'pdf') },
  }),
  failingOver(
    'malformed-bounds',
    [...invalidExport, ...oddValue],
    /range_(start|end)=(not-a-time|soon)/,
  ),
  failingOver('unknown-file-types', [...invalidExport, ...oddValue], /file_type=(?!csv|pdf)/),
  failingOver('unknown-locales', oddValue, /locale=xx/),
  failingOver('unknown-timezones', oddValue, /timezone=(Nowhere|Mars)/),
  failingOver('unknown-metadata-keys', oddValue, /metadata(%5B|\[)(no_such_key|colour)/),
];

/** Answers 500 where the query matches. */
function failingOver(what: string, breaks: Fault['breaks'], query: RegExp): Fault {
  return fault(`export-fails-over-${what}`, breaks, {
    // They are asked for without a key too.
    mayBreak: ['auth.is-checked-before-the-request'],
    wire: (handle) => async (request) =>
      isExport(request) && query.test(request.target)
        ? { status: 500, headers: {}, body: '' }
        : handle(request),
  });
}

const refusals: readonly Fault[] = [
  ...[200, 404, 422, 500].map((status) =>
    fault(`export-refuses-with-${status}`, ['errors.reversed-range-is-400', ...invalidExport], {
      mayBreak: [
        'limits.pdf-over-5000-events-is-400',
        ...(status === 500 ? oddValue : []),
        // A locale that is not supported selects nothing then.
        ...(status === 200 ? (['export.locale-keeps-the-events'] as const) : []),
      ],
      rules: refusedWith('invalid-export', status),
    }),
  ),
  fault('export-400-carries-events', ['export.refusal-carries-no-events'], { wire: withFile(400) }),
  fault('export-401-carries-the-events-of-the-last-export', ['export.refusal-carries-no-events'], {
    wire: (handle) => {
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
  fault('export-content-length-is-too-long', ['export.content-length-is-true'], {
    wire: lengthOff(1),
  }),
  fault('export-content-length-is-too-short', ['export.content-length-is-true'], {
    wire: lengthOff(-1),
  }),
  fault(
    'export-content-length-counts-characters-and-not-bytes',
    ['export.content-length-is-true'],
    {
      wire: answering(200, async (response) => {
        const body = await bytesOf(response);
        const length = String(new TextDecoder().decode(body).length);
        return { ...response, body, headers: { ...response.headers, 'content-length': length } };
      }),
    },
  ),
  fault('export-file-ends-before-its-length', ['export.content-length-is-true'], {
    mayBreak: [...rowClauses, 'export.pdf-opens'],
    wire: cutBy(100),
  }),
  fault(
    'export-file-is-empty',
    [
      'export.pdf-opens',
      'audit.records-assignment-comments',
      'audit.records-unassignment-comments',
    ],
    {
      wire: answering(200, async (response) => ({
        ...response,
        headers: { ...response.headers, 'content-length': '0' },
        body: '',
      })),
    },
  ),
  fault('export-csv-is-a-web-page', ['export.csv-is-one-table'], {
    mayBreak: ['export.file-type-defaults-to-csv'],
    wire: answering(200, async (response) => {
      const isCsv = response.headers['content-type']?.startsWith('text/csv');
      return isCsv
        ? { ...response, body: '<!doctype html>\n<title>Sign in</title>\n<h1>Sign in</h1>\n' }
        : response;
    }),
  }),
  fault('export-csv-is-json', ['export.csv-is-one-table'], {
    mayBreak: ['export.file-type-defaults-to-csv'],
    wire: answering(200, async (response) => {
      const isCsv = response.headers['content-type']?.startsWith('text/csv');
      if (!isCsv) return response;
      const lines = new TextDecoder().decode(await bytesOf(response)).split('\r\n');
      return { ...response, body: JSON.stringify(lines.map((line) => ({ line }))) };
    }),
  }),
  fault('export-loses-another-event-each-time', ['export.is-repeatable'], {
    mayBreak: rowClauses,
    wire: (handle) => {
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
  }),
];

/** Exports answered with the wrong status, refused with events, or sent in files that are not whole (4. Export audit events, Errors). */
export const exportAnswerFaults: readonly Fault[] = [
  ...requests,
  ...invalidValues,
  ...refusals,
  ...files,
];
