import { isTimezone, zoneOffset } from '../../reference/export/zone.ts';
import type { ServiceRequest } from '../../reference/request.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import { except, rowClauses } from '../clause-groups.ts';
import { nanoseconds } from '../exports.ts';
import { bytesOf, type Fault, fault, table, type Wire } from './fault.ts';

/*
 * Settings that are not those of one request alone: of a connection that the next request gets, or of a formatter that
 * requests share (4. Export audit events).
 */

type Setting = 'locale' | 'timezone';

/** The parameters of an export; undefined of other requests. */
function parametersOf({ target }: ServiceRequest): URLSearchParams | undefined {
  const [path = '', query = ''] = target.split('?');
  return path.endsWith('/export') ? new URLSearchParams(query) : undefined;
}

function withParameters(request: ServiceRequest, parameters: URLSearchParams): ServiceRequest {
  const [path] = request.target.split('?');
  return { ...request, target: `${path}?${parameters}` };
}

function withSetting(request: ServiceRequest, setting: Setting, value: string): ServiceRequest {
  const parameters = new URLSearchParams(parametersOf(request));
  parameters.set(setting, value);
  return withParameters(request, parameters);
}

/** The value that a request sets, where it is one that the service takes. */
function settingOf(request: ServiceRequest, setting: Setting): string | undefined {
  const value = parametersOf(request)?.get(setting) ?? '';
  const isKnown = setting === 'timezone' ? isTimezone(value) : ['en', 'de', 'fr'].includes(value);
  return isKnown ? value : undefined;
}

const isPdf = (request: ServiceRequest): boolean =>
  parametersOf(request)?.get('file_type') === 'pdf';

/** What was set last holds for who sets nothing. */
const staysSet =
  (setting: Setting, isMeant: (request: ServiceRequest) => boolean = () => true): Wire =>
  (handle) => {
    let last: string | undefined;
    return (request) => {
      const parameters = parametersOf(request);
      if (parameters === undefined || !isMeant(request)) return handle(request);
      if (last !== undefined && !parameters.has(setting)) {
        return handle(withSetting(request, setting, last));
      }
      last = settingOf(request, setting) ?? last;
      return handle(request);
    };
  };

/** UTC is taken for what is set anyhow. */
const staysSetForUtc: Wire = (handle) => {
  let last = 'UTC';
  return (request) => {
    if (parametersOf(request) === undefined) return handle(request);
    const set = settingOf(request, 'timezone') ?? 'UTC';
    if (set !== 'UTC') last = set;
    return handle(withSetting(request, 'timezone', last));
  };
};

/** A file is written as the next request wants it, where that comes while it is being made. */
const isSharedByAll =
  (setting: Setting, byDefault: string): Wire =>
  (handle) => {
    let change = (_value: string): void => {};
    return async (request) => {
      const parameters = parametersOf(request);
      const isOdd = parameters?.has(setting) && settingOf(request, setting) === undefined;
      if (parameters === undefined || isOdd) return handle(request);
      const own = settingOf(request, setting) ?? byDefault;
      change(own);
      const value = await new Promise<string>((resolve) => {
        change = resolve;
        setImmediate(() => resolve(own));
      });
      return handle(withSetting(request, setting, value));
    };
  };

const minute = Number(nanoseconds.minute / nanoseconds.millisecond);

/** An export without filters of so many milliseconds takes a while: whoever sets another zone meanwhile changes it. */
const long = 45 * 24 * 60 * minute;

const changesWhileLong: Wire = (handle) => {
  const set: string[] = [];
  return async (request) => {
    const parameters = parametersOf(request);
    if (parameters === undefined) return handle(request);
    const own = settingOf(request, 'timezone') ?? 'UTC';
    if (own !== 'UTC') set.push(own);
    const [from, to] = ['range_start', 'range_end'].map((name) =>
      Date.parse(parameters.get(name) ?? ''),
    );
    const isFiltered = [...parameters.keys()].some((name) => !/^(range_|timezone$)/.test(name));
    if (isFiltered || !((to ?? 0) - (from ?? 0) > long)) return handle(request);
    const before = set.length;
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    const last = set.length > before ? set.at(-1) : undefined;
    return handle(last === undefined ? request : withSetting(request, 'timezone', last));
  };
};

/** Bounds are read in the timezone that was set last, where none is. */
const boundsStaySet: Wire = (handle) => {
  let last = 'UTC';
  return (request) => {
    const parameters = parametersOf(request);
    if (parameters === undefined) return handle(request);
    const isSet = parameters.has('timezone');
    last = settingOf(request, 'timezone') ?? last;
    if (isSet) return handle(request);
    for (const bound of ['range_start', 'range_end']) {
      const at = Date.parse(parameters.get(bound) ?? '');
      if (Number.isNaN(at)) continue;
      const ahead = zoneOffset(last)(at) * minute;
      parameters.set(bound, new Date(at - ahead).toISOString());
    }
    return handle(withParameters(request, parameters));
  };
};

/** What the export before, where it is of a kind, changes about the next one. */
const afterOne =
  (
    isMeant: (before: ServiceRequest) => boolean,
    change: (parameters: URLSearchParams, before: URLSearchParams) => void,
  ): Wire =>
  (handle) => {
    let before: ServiceRequest | undefined;
    return (request) => {
      const parameters = parametersOf(request);
      if (parameters === undefined) return handle(request);
      const changing = before && isMeant(before) ? parametersOf(before) : undefined;
      before = request;
      if (changing === undefined) return handle(request);
      change(parameters, changing);
      return handle(withParameters(request, parameters));
    };
  };

const isReversed = (request: ServiceRequest): boolean => {
  const [start = '', end = ''] = ['range_start', 'range_end'].map(
    (name) => parametersOf(request)?.get(name) ?? '',
  );
  return end !== '' && start > end;
};

const keysIn = (parameters: URLSearchParams): string[] =>
  [...parameters.keys()].filter((name) => name.startsWith('metadata['));

/** A query with metadata keys is kept read, and each use takes the last key out of what is kept. */
const losesAKeyEachTime: Wire = (handle) => {
  const kept = new Map<string, URLSearchParams>();
  return (request) => {
    const parameters = kept.get(request.target) ?? parametersOf(request);
    if (parameters === undefined) return handle(request);
    const answer = handle(withParameters(request, parameters));
    const [last] = keysIn(parameters).slice(1).slice(-1);
    if (last !== undefined) parameters.delete(last);
    kept.set(request.target, parameters);
    return answer;
  };
};

/** Values are read into the places of the list before: where that had more of them, its last ones stay. */
const staysFilled =
  (list: ListFilter): Wire =>
  (handle) => {
    const places: string[] = [];
    return (request) => {
      const parameters = parametersOf(request);
      const values = parameters?.getAll(list) ?? [];
      if (parameters === undefined || values.length === 0) return handle(request);
      places.splice(0, values.length, ...values);
      parameters.delete(list);
      for (const value of places) parameters.append(list, value);
      return handle(withParameters(request, parameters));
    };
  };

/** A PDF in a zone has its whole hours alone, where the same was asked for as a CSV right before. */
const wholeHoursAfterCsv = afterOne(
  (before) => !isPdf(before),
  (own, before) => {
    const others = new URLSearchParams(own);
    others.delete('file_type');
    const isSame = own.get('file_type') === 'pdf' && `${others}` === `${before}`;
    if (isSame && own.get('timezone') === 'Asia/Kathmandu') own.set('timezone', 'Etc/GMT-5');
  },
);

const noContent = { status: 204, headers: {}, body: '' } as const;

/** A range_start alone is answered once: then nothing is new. */
const isAnsweredOnce: Wire = (handle) => {
  const answered = new Set<string>();
  return async (request) => {
    const parameters = parametersOf(request);
    const isMeant = parameters?.has('range_start') && !parameters.has('range_end');
    if (isMeant && answered.has(request.target)) return noContent;
    answered.add(request.target);
    return handle(request);
  };
};

/** A table without rows is no content, where it is translated. */
const hasNoContent: Wire = (handle) => async (request) => {
  const response = await handle(request);
  const locale = settingOf(request, 'locale') ?? 'en';
  if (response.status !== 200 || locale === 'en' || isPdf(request)) return response;
  const body = await bytesOf(response);
  return body.indexOf(10) < body.length - 1 ? { ...response, body } : noContent;
};

const formats = 'export.timezone-formats-the-dates';
const english = 'export.locale-defaults-to-en';

/** Files of other requests, in whatever language or zone: which of them there are is a matter of chance. */
const anyFile = except(rowClauses, ['export.pdf-holds-the-events-of-the-csv']);

export const exportSettingFaults: readonly Fault[] = [
  fault(
    'export-pdf-right-after-its-csv-is-in-a-zone-of-whole-hours',
    [formats],
    wholeHoursAfterCsv,
  ),
  fault(
    'export-sub-types-stay-where-a-later-list-is-shorter',
    {
      breaks: [
        'export.lists-are-any-of',
        'export.filters-combine',
        'export.range-combines-with-filters',
      ],
      mayBreak: rowClauses,
    },
    staysFilled('sub_type'),
  ),
  ...table(
    fault,
    { breaks: ['export.is-repeatable'], mayBreak: rowClauses },
    {
      'export-right-after-a-pdf-is-filtered-by-its-lists-too': afterOne(isPdf, (own, before) => {
        for (const list of listFilters) {
          if (own.has(list)) for (const value of before.getAll(list)) own.append(list, value);
        }
      }),
      'export-asked-for-twice-has-a-metadata-key-less': losesAKeyEachTime,
      'export-right-after-a-refusal-has-no-second-metadata-key': afterOne(isReversed, (own) => {
        for (const key of keysIn(own).slice(1)) own.delete(key);
      }),
      'export-right-after-one-without-a-key-has-no-second-metadata-key': afterOne(
        ({ headers }) => headers.apikey === undefined,
        (own) => {
          for (const key of keysIn(own).slice(1)) own.delete(key);
        },
      ),
      'export-right-after-a-refusal-has-no-bound-with-an-offset': afterOne(isReversed, (own) => {
        for (const bound of ['range_start', 'range_end'])
          if (own.get(bound)?.endsWith('+00:00')) own.delete(bound);
      }),
      'export-without-filters-right-after-a-refusal-lacks-its-first-half': afterOne(
        isReversed,
        (own, before) => {
          const [from, to] = [own.get('range_start'), before.get('range_start')].map((bound) =>
            Date.parse(bound ?? ''),
          );
          const isFiltered = listFilters.some((list) => own.has(list)) || keysIn(own).length > 0;
          const middle = ((from ?? 0) + (to ?? 0)) / 2;
          if (!isFiltered && middle > 0) own.set('range_start', new Date(middle).toISOString());
        },
      ),
      'export-right-after-one-of-two-metadata-keys-has-no-first-value-of-a-list': afterOne(
        (before) => keysIn(parametersOf(before) ?? new URLSearchParams()).length > 1,
        (own) => {
          for (const list of listFilters) {
            const [, ...others] = own.getAll(list);
            if (own.has(list)) own.delete(list);
            for (const value of others) own.append(list, value);
          }
        },
      ),
    },
  ),
  ...table(
    fault,
    {
      breaks: ['export.answers-200'],
      mayBreak: [...rowClauses, 'export.parameters-are-optional'],
    },
    {
      'export-from-a-range-start-on-is-204-when-asked-for-again': isAnsweredOnce,
      'export-without-events-in-another-locale-is-204': hasNoContent,
    },
  ),
  fault(
    'export-without-timezone-has-the-timezone-of-the-export-before',
    [formats],
    staysSet('timezone'),
  ),
  fault(
    'export-without-timezone-has-its-range-in-the-timezone-of-the-export-before',
    { breaks: ['export.timezone-keeps-the-events'], mayBreak: anyFile },
    boundsStaySet,
  ),
  ...table(
    fault,
    { breaks: [formats], mayBreak: rowClauses },
    {
      'export-in-utc-has-the-timezone-of-the-export-before': staysSetForUtc,
      'export-has-the-timezone-of-the-export-after-it': isSharedByAll('timezone', 'UTC'),
      'export-of-weeks-has-the-timezone-of-an-export-meanwhile': changesWhileLong,
    },
  ),
  fault(
    'export-without-locale-has-the-locale-of-the-export-before',
    { breaks: [english], mayBreak: anyFile },
    staysSet('locale'),
  ),
  fault(
    'export-pdf-without-locale-has-the-locale-of-the-pdf-before',
    [english],
    staysSet('locale', isPdf),
  ),
  fault(
    'export-has-the-locale-of-the-export-after-it',
    { breaks: [english], mayBreak: rowClauses },
    isSharedByAll('locale', 'en'),
  ),
];
