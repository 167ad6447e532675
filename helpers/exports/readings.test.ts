import { expect, test } from 'vitest';
import type { Difference } from '../../schemas/difference.ts';
import { Api } from '../api.ts';
import { digestOfKey, keyOfRow, multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { Client } from '../http/client.ts';
import { createPacing } from '../http/pacing.ts';
import { Recorder } from '../http/recorder.ts';
import { inVirtualTime } from '../http/virtual-time.fixture.ts';
import { pause } from '../http/waiting.ts';
import { PdfUnreadable } from '../pdf/read-pdf.ts';
import { type CsvDownload, Downloads, fileReaders } from './downloads.ts';
import type { KnownPlace } from './filter-search.ts';
import type { KnownFilters } from './filters.ts';
import type { ExportQuery } from './query.ts';
import { Readings } from './readings.ts';
import { placesOf } from './shown-values.ts';

const limits = { requestTimeoutMs: 1000, maxExportBytes: 2 ** 21, retryBudgetMs: 0, writes: false };
const whole = { start: 0, end: 9, timezone: 'UTC' };

/** Readings of a target whose events are what the test says; each request is counted. */
function readingsOf(first: readonly string[], { settleMs = 0, header = 'Id,Type' } = {}) {
  const target = {
    header,
    events: first,
    sent: 0,
    /** A type that is answered with the events of another one. */
    mistaken: {} as Readonly<Record<string, string>>,
    afterwards: (): void => {},
  };
  const client = new Client(
    async ({ url }) => {
      target.sent += 1;
      const type = new URL(url).searchParams.get('event_type');
      const kept = type && (target.mistaken[type] ?? type);
      const events = target.events.filter((event) => kept === null || event.endsWith(`,${kept}`));
      const file = new URL(url).searchParams.get('file_type') ?? 'csv';
      const text = `${file}\n${[target.header, ...events].join('\n')}\n`;
      target.afterwards();
      return { status: 200, headers: [], body: pieces(text.replace(/^csv\n/, '')) };
    },
    new Recorder(),
    createPacing(8, 0),
    limits,
  );
  const access = {
    apiKey: 'the-key',
    target: { baseUrl: 'http://target.test/v5' },
    wrongRegionUrl: undefined,
  };
  const api = new Api(client, access, 'a scenario');
  const readers = {
    csv: fileReaders().csv,
    pdf: () => Promise.reject(new PdfUnreadable('broken', 'text only')),
  };
  const downloads = new Downloads(api, readers);
  return { target, downloads, readings: new Readings(downloads, downloads, settleMs) };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Lets readings know the events of the window, read twice, and what a type has kept of them. */
async function learned(
  { downloads, readings }: ReturnType<typeof readingsOf>,
  ofType?: CsvDownload,
  unclear?: CsvDownload,
  shown?: KnownPlace,
): Promise<void> {
  const download = await downloads.csv(whole);
  const again = await downloads.csv(whole, { isAnew: true });
  if (download.table === undefined) throw new Error('The CSV was not read.');
  readings.addWindow({
    columns: { ignored: new Set(), times: undefined, dates: undefined, shifted: undefined },
    base: { table: download.table, download, again, utc: { timezone: 'UTC' } },
    ...(ofType && { filters: { ...filtersKnownBy(ofType, shown), unclear } }),
  });
}

function filtersKnownBy(download: CsvDownload, shown?: KnownPlace): KnownFilters {
  const [value = ''] = download.query.filters?.event_type ?? [];
  const values = [{ value, events: multiset(download.table?.rows ?? []), download }];
  const nothingElse = {
    shown,
    unmatched: undefined,
    others: undefined,
    empty: [],
    further: [],
    keptAll: undefined,
    refused: undefined,
    exchanged: undefined,
  };
  return {
    known: new Map([['event_type', { values, ...nothingElse }]]),
    impossible: 'no such type',
    unclear: undefined,
  };
}

const events = ['1,task', '2,task', '3,file', '4,file'];
const tasks = { ...whole, filters: { event_type: ['task'] } };

function idsIn({ table }: CsvDownload): string[] | undefined {
  return table?.rows.map(([id = '']) => id);
}

async function idsOf(readings: Readings, query: ExportQuery = whole) {
  return idsIn(await readings.csv(query));
}

test('what stood still is served as it was read, and one more reading shows it', async () => {
  const made = readingsOf(events);
  await learned(made);
  await made.readings.csv(tasks);
  expect(made.target.sent).toBe(3);
  expect(await made.readings.settle()).toBe(false);
  expect(made.target.sent).toBe(5);
  // Nothing was asked for since.
  expect(await made.readings.settle()).toBe(false);
  expect(made.target.sent).toBe(5);
});

test('that something moved is known until something is asked for: nothing is read for that twice', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  await readings.csv(tasks);
  target.events = events.slice(1);
  expect(await readings.settle()).toBe(true);
  const { sent } = target;
  expect(await readings.settle()).toBe(true);
  expect(target.sent).toBe(sent);
  await readings.csv(tasks);
  expect(await readings.settle()).toBe(false);
});

test('a file that was asked for anew is served as it came, and can be had without what moved', async () => {
  const { readings, target, ...made } = readingsOf(events);
  await learned({ readings, target, ...made });
  await readings.csv(tasks);
  target.events = ['1,file', ...events.slice(1)];
  expect(await readings.settle()).toBe(true);
  const anew = await readings.csv(whole, { isAnew: true });
  expect(idsIn(anew)).toEqual(['1', '2', '3', '4']);
  expect(idsIn(readings.settled(anew))).toEqual(['2', '3', '4']);
});

test('without an export there is nothing to read once more', async () => {
  const { readings, target } = readingsOf(events);
  expect(await readings.settle()).toBe(false);
  expect(target.sent).toBe(0);
});

test.for([
  ['imported', [...events, '5,task'], ['1', '2', '3', '4'], ['1', '2']],
  ['purged', events.slice(1), ['2', '3', '4'], ['2']],
  ['changed', ['1,file', ...events.slice(1)], ['2', '3', '4'], ['2']],
] as const)('an event that is %s is served in no table', async ([, then, all, ofTasks]) => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  target.events = then;
  await readings.csv(tasks);
  expect(await readings.settle()).toBe(true);
  expect(await idsOf(readings)).toEqual(all);
  expect(await idsOf(readings, tasks)).toEqual(ofTasks);
  expect(await readings.settle()).toBe(false);
});

test('an event that one copy has, and another not yet, is served in no table', () =>
  inVirtualTime(async () => {
    const made = readingsOf(events, { settleMs: 60 });
    const { target, readings } = made;
    await learned(made);
    const ahead = [...events, '5,task'];
    target.events = ahead;
    await readings.csv(tasks);
    target.events = events;
    const caughtUp = pause(20).then(() => {
      target.events = ahead;
    });
    expect(await readings.settle()).toBe(true);
    await caughtUp;
    expect(await idsOf(readings)).toEqual(['1', '2', '3', '4']);
    expect(await idsOf(readings, tasks)).toEqual(['1', '2']);
  }));

test('a query that is asked for later is read once more too', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  target.events = events.slice(1);
  expect(await readings.settle()).toBe(true);
  target.events = events.slice(2);
  expect(await idsOf(readings, tasks)).toEqual([]);
  expect(await idsOf(readings)).toEqual(['2', '3', '4']);
  expect(await readings.settle()).toBe(true);
  expect(await idsOf(readings)).toEqual(['3', '4']);
  expect(await readings.settle()).toBe(false);
});

const files = { ...whole, filters: { event_type: ['file'] } };

test('what values of a filter keep is read once more where the filter was sent: rows may not show it', async () => {
  const made = readingsOf(events);
  const { downloads, readings, target } = made;
  const ofTasks = await downloads.csv(tasks);
  await learned(made, ofTasks);
  target.mistaken = { task: 'nobody' };
  expect(await readings.settle()).toBe(false);
  expect(await idsOf(readings, files)).toEqual(['3', '4']);
  expect(await readings.settle()).toBe(true);
  expect(await idsOf(readings)).toEqual(['3', '4']);
});

test('the file of another query, which is right later, is no change of events', async () => {
  const made = readingsOf(events);
  await learned(made);
  expect(await idsOf(made.readings, files)).toEqual(['3', '4']);
  made.target.mistaken = { task: 'file' };
  expect(await idsOf(made.readings, tasks)).toEqual(['3', '4']);
  made.target.mistaken = {};
  expect(await made.readings.settle()).toBe(false);
  expect(await idsOf(made.readings, tasks)).toEqual(['3', '4']);
});

const typesIn = (table: CsvTable): KnownPlace | undefined => {
  const place = placesOf(table, new Set()).find(({ name }) => name === 'Type');
  return place && { ...place, isConfirmed: true };
};

test.each([
  ['shows, is no change of events', typesIn, false],
  ['does not show, may be one', () => undefined, true],
])(
  'that an export has other events later, by values that the window %s',
  async (_, shownIn, may) => {
    const made = readingsOf(events);
    const { downloads, readings, target } = made;
    const ofTasks = await downloads.csv(tasks);
    const { table } = await downloads.csv(whole);
    if (table === undefined) throw new Error('The CSV was not read.');
    await learned(made, ofTasks, undefined, shownIn(table));
    target.mistaken = { file: 'nothing' };
    expect(await idsOf(readings, files)).toEqual([]);
    target.mistaken = {};
    expect(await readings.settle()).toBe(may);
  },
);

test.each([
  ['one event', ['1,task', '3,file'], ['3,file', '1,file']],
  ['events that are not what they were', events, ['5,task', '6,task', '7,file', '8,file']],
])('%s of another query may have changed', async (_, before, after) => {
  const made = readingsOf(before);
  await learned(made);
  await made.readings.csv(files);
  made.target.mistaken = { task: 'file' };
  await made.readings.csv(tasks);
  made.target.mistaken = {};
  made.target.events = after;
  expect(await made.readings.settle()).toBe(true);
});

test('what is gone where the same is asked for again has not changed where it is there in other words', async () => {
  const made = readingsOf(events);
  const { target, readings, downloads } = made;
  await learned(made, await downloads.csv(tasks));
  await readings.csv(tasks);
  target.mistaken = { task: 'nothing' };
  let left = [whole, tasks].length;
  target.afterwards = () => {
    left -= 1;
    if (left === 0) target.mistaken = {};
  };
  expect(await readings.settle()).toBe(false);
  expect(await idsOf(readings, tasks)).toEqual(['1', '2']);
});

test('events that go and come back do not count as changed', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  const download = await made.downloads.csv(whole);
  target.events = events.slice(2);
  await learned(made);
  target.events = events;
  expect(await readings.settle()).toBe(false);
  expect((await readings.csv(whole)).table).toBe(download.table);
});

test('events that are changed again and again do not count as lost', async () => {
  const before = ['1,a,b,c,d,task', '2,a,b,c,d,task', '3,a,b,c,d,file'];
  const after = ['1,a,b,c,d,file', '2,a,b,c,d,file', '3,a,b,c,d,file'];
  const made = readingsOf(before, { header: 'Id,A,B,C,D,Type' });
  const { target, readings } = made;
  await learned(made);
  for (const [end, now] of [after, before, after].entries()) {
    target.events = now;
    // What is asked for anew is read once more, with everything else.
    await readings.csv({ ...files, end });
    expect(await readings.settle()).toBe(end === 0);
  }
  expect(await idsOf(readings, { ...files, end: 0 })).toEqual(['3']);
});

test('equal rows of several events are unsettled where their number changes', async () => {
  const made = readingsOf(['1,task', '1,task', '2,file']);
  const { target, readings } = made;
  await learned(made);
  target.events = ['1,task', '2,file'];
  expect(await readings.settle()).toBe(true);
  expect(await idsOf(readings)).toEqual(['2']);
});

test('other forms of a query with unsettled events are read at one moment', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  const inKolkata = { ...tasks, timezone: 'Asia/Kolkata' };
  target.events = events.slice(1);
  await readings.csv(tasks);
  await readings.csv(inKolkata);
  await readings.pdf({ ...tasks, fileType: 'pdf' });
  target.events = ['5,task', ...events.slice(1)];
  expect(await readings.settle()).toBe(true);
  // They hold what came meanwhile, and bring along the plain CSV that does; it is served without that all the same.
  const zoned = await readings.csv(inKolkata);
  expect(idsIn(zoned)).toEqual(['5', '2']);
  expect(zoned.beside && idsIn(zoned.beside)).toEqual(['5', '2']);
  const pdf = await readings.pdf({ ...tasks, fileType: 'pdf' });
  expect(pdf.answer.text).toContain('5,task');
  expect(pdf.beside).toBe(zoned.beside);
  expect(await idsOf(readings, tasks)).toEqual(['2']);
  expect(await idsOf(readings)).toEqual(['2', '3', '4']);
  expect(await readings.settle()).toBe(false);
});

test.each([{ locale: 'en' }, { fileType: 'csv' }])(
  'a query that says the default %o is settled by its rows',
  async (form) => {
    const made = readingsOf(events);
    const { target, readings } = made;
    await learned(made);
    target.events = ['5,task', ...events];
    expect(await idsOf(readings, { ...tasks, ...form })).toEqual(['5', '1', '2']);
    expect(await readings.settle()).toBe(true);
    const settled = await readings.csv({ ...tasks, ...form });
    expect(idsIn(settled)).toEqual(['1', '2']);
    expect(settled.beside).toBeUndefined();
  },
);

test('where there is no such moment, the other forms stay unsettled', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  await readings.csv(tasks);
  await readings.pdf({ ...tasks, fileType: 'pdf' });
  let count = 5;
  target.afterwards = () => {
    target.events = [...target.events, `${count++},task`];
  };
  expect(await readings.settle()).toBe(true);
  expect(await readings.settle()).toBe(true);
});

test('what is asked for anew is sent each time, and never read once more', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await readings.csv(whole, { isAnew: true });
  target.events = [];
  expect((await readings.csv(whole, { isAnew: true })).table?.rows.length).toBe(0);
  expect(target.sent).toBe(2);
  expect(await readings.settle()).toBe(false);
  expect(target.sent).toBe(2);
});

test.each([
  ['is learned from what stood still', true],
  ['counts where it is clear', false],
])('what was learned %s, also for those who look at new events', async (_, isUnclear) => {
  const made = readingsOf(events);
  const { target, readings } = made;
  const ofType = await made.downloads.csv(tasks);
  await learned(made, ofType, isUnclear ? ofType : undefined);
  await readings.csv({ ...whole, start: 9 }, { isAnew: true });
  target.events = events.slice(1);
  expect(await readings.settle()).toBe(isUnclear);
});

test('a difference stands on events most of which stood still, and not on those that moved', async () => {
  const made = readingsOf(events);
  await learned(made);
  await made.readings.csv(tasks);
  made.target.events = ['2,task', '3,file', '4,file'];
  expect(await made.readings.settle()).toBe(true);
  const rowsOf = (...rows: string[]) =>
    rows.map((row) => digestOfKey(keyOfRow(row.split(','), new Set())));
  const lost = { kind: 'events', when: 'a type', fileType: 'csv', missing: 1, extra: 0 } as const;
  const dated = {
    kind: 'dates',
    timezone: 'UTC',
    fileType: 'csv',
    expected: '',
    actual: '',
  } as const;
  const standsStill = (difference: Difference): boolean =>
    made.readings.standsStill({ difference });
  expect(standsStill({ ...lost, rows: rowsOf('2,task') })).toBe(true);
  expect(standsStill({ ...lost, rows: rowsOf('2,task', '3,file', '5,task') })).toBe(true);
  // The one that no reading of the window holds may be what the other was meanwhile.
  expect(standsStill({ ...lost, rows: rowsOf('2,task', '5,task') })).toBe(false);
  // One of them may have been changed, and changed back.
  expect(standsStill({ ...lost, rows: rowsOf('1,task', '2,task') })).toBe(false);
  expect(standsStill({ ...lost, rows: rowsOf('1,task') })).toBe(false);
  // An event that no reading of the window holds may have moved twice.
  expect(standsStill({ ...lost, rows: rowsOf('5,task') })).toBe(false);
  // Whatever moved, it may not be there.
  expect(standsStill({ ...lost, rows: rowsOf('5,task'), beyond: 'range_end' })).toBe(true);
  expect(standsStill({ ...lost, rows: rowsOf('2,task'), fileType: 'pdf' })).toBe(false);
  expect(standsStill({ ...dated, mark: '2' })).toBe(true);
  expect(standsStill({ ...dated, mark: '1' })).toBe(false);
  // Two events of the window hold it, of which one moved.
  expect(standsStill({ ...dated, mark: 'task' })).toBe(false);
  expect(standsStill(dated)).toBe(false);
});

test('a refusal stands where each value of the request still keeps an event that stood still', async () => {
  const made = readingsOf(events);
  const { target, readings, downloads } = made;
  await learned(made, await downloads.csv(tasks));
  await readings.csv(tasks);
  const difference = { kind: 'status', when: 'an export', expected: '200', actual: 404 } as const;
  const stands = (query: string): boolean => readings.standsStill({ difference, query });
  target.events = events.slice(1);
  expect(await readings.settle()).toBe(true);
  expect(stands('')).toBe(true);
  expect(stands('?event_type[]=task&timezone=UTC')).toBe(true);
  expect(stands('?event_type[]=task&event_type[]=file')).toBe(false);
  // Whatever came, that are far fewer events than a PDF may hold; of all of them that is not known.
  expect(stands('?event_type=task&file_type=pdf')).toBe(true);
  expect(stands('?file_type=pdf')).toBe(false);
  target.events = events.slice(2);
  await readings.csv({ ...tasks, start: 1 });
  expect(await readings.settle()).toBe(true);
  expect(stands('?event_type=task')).toBe(false);
});

test('a refused PDF does not stand where so many events came that it may hold too many', async () => {
  const made = readingsOf(events);
  const { target, readings, downloads } = made;
  await learned(made, await downloads.csv(tasks));
  await readings.csv(tasks);
  const difference = { kind: 'status', when: 'an export', expected: '200', actual: 400 } as const;
  target.events = [...events, ...Array.from({ length: 3000 }, (_, index) => `${index + 100},task`)];
  expect(await readings.settle()).toBe(true);
  const stands = (query: string): boolean => readings.standsStill({ difference, query });
  expect(stands('?event_type=task')).toBe(true);
  expect(stands('?event_type=task&file_type=pdf')).toBe(false);
});

test('a form is read beside its CSV where that was first asked for after events moved, in whatever order', async () => {
  const made = readingsOf(events);
  await learned(made);
  const translated = { ...tasks, locale: 'de', order: 'reversed' } as const;
  await made.readings.csv(translated);
  made.target.events = ['2,task', '3,file', '4,file'];
  expect(await made.readings.settle()).toBe(true);
  expect(await idsOf(made.readings, tasks)).toEqual(['2']);
  expect(await made.readings.settle()).toBe(true);
  const { beside, ...form } = await made.readings.csv(translated);
  expect(idsIn(form)).toEqual(['2']);
  expect(beside && idsIn(beside)).toEqual(['2']);
});

test('where events moved, only the answers in question and the window are read once more', async () => {
  const made = readingsOf(events);
  const { target, readings } = made;
  await learned(made);
  const { answer } = await readings.csv(tasks);
  await readings.csv({ ...whole, filters: { event_type: ['file'] } });
  target.events = events.slice(1);
  const { sent } = target;
  expect(await readings.settle([answer.exchange.number])).toBe(true);
  expect(target.sent).toBe(sent + 2);
  expect(await idsOf(readings, tasks)).toEqual(['2']);
});

test.for([
  ['left out where ids tell events apart', 'a', ['zwei']],
  ['kept where two show the same id', 'b', ['eins', 'zwei']],
] as const)('in another locale an event that moved is %s', async ([, other, expected]) => {
  const id = (letter: string) => `00000000-0000-4000-8000-00000000000${letter}`;
  const [moved, still] = [`one,${id('b')},task`, `two,${id(other)},task`];
  const made = readingsOf([moved, still], { header: 'Name,Entity,Type' });
  const { target, readings } = made;
  await learned(made);
  target.events = [moved.replace('one', 'eins'), still.replace('two', 'zwei')];
  const german = { ...tasks, locale: 'de' };
  await readings.csv(german);
  target.events = [still];
  expect(await readings.settle()).toBe(true);
  expect(await idsOf(readings, german)).toEqual(expected);
});

test('an export that comes in other columns leaves undecided what is compared with it', async () => {
  const made = readingsOf(events);
  await learned(made);
  made.target.header = 'Type,Identifier';
  await expect(made.readings.settle()).rejects.toThrow(/other columns than before/);
});
