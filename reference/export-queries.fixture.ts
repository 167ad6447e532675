import { listFilters, metadataKeys } from '../schemas/operations.ts';
import type { AuditEvent } from './records.ts';

type Part = readonly [name: string, value: string];

const query = (...parts: readonly Part[]) =>
  `?${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

const listed = {
  auditee_id: 'auditeeId',
  event_type: 'eventType',
  sub_type: 'subType',
  system_source: 'systemSource',
} as const;

const distinct = (values: ReadonlyArray<string | undefined>) =>
  [...new Set(values)].filter((value) => value !== undefined);

/** A value, and texts that a wrong comparison takes for it. */
const near = (value: string) => [
  value,
  value.slice(0, -1),
  value.slice(1),
  value.toUpperCase(),
  `_${value.slice(1)}`,
];

/**
 * Queries of exports that differently behaving services answer differently: all parameters, alone and together, valid
 * and invalid.
 * @param events in the order of time; the queries ask for their values and times
 */
export function exportQueries(events: readonly AuditEvent[]): readonly string[] {
  return [
    ...['', '?event_type=none'],
    ...ofFiles(events),
    ...ofRanges(events),
    ...ofFilters(events),
    ...ofFiltersTogether(events),
  ];
}

/** Every pair of filters, and each filter beside all else, with values that events have. */
function ofFiltersTogether(events: readonly AuditEvent[]): readonly string[] {
  const lists = listFilters.map((filter) => ({
    name: filter as string,
    values: distinct(events.map((event) => event[listed[filter]])),
  }));
  const keys = metadataKeys.map((key) => ({
    name: `metadata[${key}]`,
    values: distinct(events.map((event) => event.metadata[key])),
  }));
  const middle = new Date(events[events.length >> 1]?.at ?? 0).toISOString();
  const filters = [...lists, ...keys].map(({ name, values }) => ({
    name,
    parts: values.slice(0, 2).map((value): Part => [name, value]),
  }));
  return filters.flatMap(({ name, parts }) => {
    const others = filters
      .filter((other) => other.name !== name)
      .flatMap((other) => other.parts.slice(0, 1));
    const besides: readonly Part[][] = [
      [['range_start', middle]],
      [['timezone', 'Asia/Kolkata']],
      [['locale', 'de']],
      [['file_type', 'pdf']],
    ];
    const isList = !name.startsWith('metadata');
    return [
      ...others.map((other) => query(...parts.slice(0, 1), other)),
      ...(isList ? others.map((other) => query(...parts, other)) : []),
      ...besides.map((more) => query(...parts.slice(0, isList ? 2 : 1), ...more)),
    ];
  });
}

function ofFilters(events: readonly AuditEvent[]): readonly string[] {
  const lists = listFilters.flatMap((filter) => {
    const values = distinct(events.map((event) => event[listed[filter]]));
    const [a = '', b = '', c = ''] = values;
    return [
      ...near(a).map((value) => query([filter, value])),
      query([filter, a], [filter, b]),
      query([filter, a], [filter, b], [filter, c]),
      query([filter, a], [filter, a]),
      query([filter, a], ['metadata[tag]', 'kyc']),
      query([filter, a], ['file_type', 'pdf']),
      query([filter, a], ['locale', 'de']),
      query([`${filter}[]`, a], [`${filter}[]`, b]),
      query([`${filter}[0]`, a], [`${filter}[1]`, b]),
      ...[`${a},${b}`, `${a}|${b}`, `${a};${b}`, `${a}~${b}`, JSON.stringify([a, b])].map((value) =>
        query([filter, value]),
      ),
    ];
  });
  const metadata = metadataKeys.flatMap((key) => {
    const name = `metadata[${key}]`;
    const values = distinct(events.map((event) => event.metadata[key]));
    const alone = values
      .slice(0, 4)
      .flatMap((value) => [
        ...near(value).map((text) => query([name, text])),
        query([name, value], ['metadata[tag]', 'kyc']),
        query([name, value], ['metadata[tag]', 'kyc'], ['metadata[workflow_step]', 'review']),
      ]);
    return [
      ...alone,
      query([name, values.slice(0, 2).join()]),
      query([name, values[0] ?? ''], ['file_type', 'pdf']),
    ];
  });
  const together = query(['event_type', 'task'], ['sub_type', 'created']);
  const encoded = `?${encodeURIComponent('metadata[tag]')}=kyc`;
  const [entity = 'none'] = distinct(events.map(({ metadata }) => metadata.entity_id));
  const underTwoKeys = (['metadata[task_id]', 'metadata[entity_id]'] as const).map((name) =>
    query([name, entity]),
  );
  return [
    together,
    ...underTwoKeys,
    encoded,
    '?metadata[colour]=red',
    '?colour=red',
    ...lists,
    ...metadata,
  ];
}

function ofRanges(events: readonly AuditEvent[]): readonly string[] {
  const middle = events[events.length >> 1]?.at ?? 0;
  const early = events.find(({ at }) => at % 1000 > 100 && at % 1000 < 900)?.at ?? 0;
  const time = (at: number) => new Date(at).toISOString();
  const bounds = [
    ...[0, 1, -1, 1000].map((later) => time(middle + later)),
    time(middle).replace(/\..*/, 'Z'),
    time(early).replace(/\..*/, '.9Z'),
    time(early).replace(/\..*/, '.99Z'),
    time(middle).replace('Z', '000Z'),
    time(middle).replace('Z', '000000Z'),
    `${time(middle).slice(0, 10)}T00:00:00.000Z`,
    `${time(middle).slice(0, 10)}T23:59:59.999Z`,
    time(middle).replace('Z', '+00:00'),
    time(middle).replace('Z', '+02:00'),
    time(middle).slice(0, 10),
    time(middle).replace(/:\d\d\..*/, 'Z'),
    ...['', 'null', 'soon'],
  ];
  const ranges: ReadonlyArray<readonly [start: number, end: number]> = [
    [middle, middle],
    [middle + 1, middle],
    [middle - 50 * 24 * 3600_000, middle],
    [Math.floor(middle / 1000) * 1000 + 900, Math.floor(middle / 1000) * 1000 + 100],
  ];
  const second = time(middle).slice(0, 19);
  return [
    ...bounds.flatMap((bound) => [query(['range_start', bound]), query(['range_end', bound])]),
    query(['range_start', `${second}Z`], ['range_end', `${second}.999Z`]),
    ...ranges.flatMap(([start, end]) => {
      const range: readonly Part[] = [
        ['range_start', time(start)],
        ['range_end', time(end)],
      ];
      return [
        query(...range),
        query(...range, ['file_type', 'pdf']),
        query(...range, ['metadata[tag]', 'kyc']),
        query(...range, ['event_type', 'task']),
        query(...range, ['timezone', 'Asia/Kolkata']),
      ];
    }),
  ];
}

function ofFiles(events: readonly AuditEvent[]): readonly string[] {
  const zones = [
    ...['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Etc/GMT+5'],
    ...[
      'America/Argentina/Buenos_Aires',
      'America/Port-au-Prince',
      'UTC',
      'Mars/Olympus',
      '',
      'null',
    ],
  ];
  const locales = ['en', 'de', 'fr', 'EN', 'xx', 'de-AT'];
  const types = ['csv', 'pdf', 'PDF', 'xml'];
  const tag = events.find(({ metadata }) => metadata.tag)?.metadata.tag ?? '';
  return [
    ...zones.map((zone) => query(['timezone', zone])),
    ...(['range_start', 'range_end'] as const).map((bound) => {
      const event = bound === 'range_start' ? events[0] : events.at(-1);
      const at = new Date(event?.at ?? 0).toISOString();
      return query([bound, at], ['timezone', 'America/New_York']);
    }),
    ...locales.map((locale) => query(['locale', locale])),
    ...types.map((type) => query(['file_type', type])),
    query(['file_type', 'pdf'], ['locale', 'en']),
    query(['file_type', 'pdf'], ['metadata[tag]', tag]),
    query(['file_type', 'pdf'], ['timezone', 'Asia/Kolkata']),
    query(['file_type', 'pdf'], ['timezone', 'America/New_York']),
    query(['file_type', 'pdf'], ['locale', 'de']),
    query(['file_type', 'pdf'], ['metadata[tag]', tag], ['event_type', 'task']),
    query(['locale', 'de'], ['event_type', 'task']),
  ];
}
