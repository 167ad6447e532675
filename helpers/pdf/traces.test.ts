import { describe, expect, it, test } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import { readEventText } from './find-events.ts';
import { table, timeOf, uuid } from './tables.fixture.ts';
import { showsInParts, tracesOf } from './traces.ts';

/** Id, time, type, user. */
function eventOf(index: number): [string, string, string, string] {
  return [
    uuid(`event ${index}`),
    timeOf(index),
    index % 2 ? 'created' : 'updated',
    uuid(`user ${index}`),
  ];
}

const events: readonly Row[] = Array.from({ length: 24 }, (_, index) => eventOf(index));
const lost = 11;
const [id, time, type, user] = eventOf(lost);

/** These rows, without the lost one, and something else in its place, above all events, or below. */
interface Printed {
  readonly rows?: readonly Row[];
  readonly among?: readonly string[];
  readonly above?: readonly string[];
  readonly below?: readonly string[];
  readonly others?: readonly Row[];
}

/** Texts in lines of their own, where no id stands. */
const aside = (texts: readonly string[] = []) => texts.map((text) => ['', `(${text})`]);

function printed({ rows = events, among, above, below, others = [] }: Printed) {
  const body = table([
    ...aside(above),
    ...rows.slice(0, lost),
    ...aside(among),
    ...rows.slice(lost + 1),
    ...aside(below),
  ]);
  return { body, found: readEventText(rows, body, others) };
}

/** The events with one value more: the lost one has this. */
const having = (value: string): Row[] =>
  events.map((event, index) => [...event, index === lost ? value : `value ${index}`]);

function traceOf(of: Printed): boolean | undefined {
  const { body, found } = printed(of);
  return tracesOf([lost], found, body).get(lost);
}

describe('of an event that is not recognized', () => {
  it('there is no trace where nothing of it is printed', () => {
    const { body, found } = printed({});
    expect(tracesOf([lost], found, body)).toEqual(new Map([[lost, false]]));
    expect(tracesOf([], found, body)).toEqual(new Map());
  });

  it('there is one where a value that it alone has stands among the events', () => {
    expect(traceOf({ among: [user] })).toBe(true);
    expect(traceOf({ among: [time] })).toBe(true);
    expect(traceOf({ among: [id] })).toBe(true);
    expect(traceOf({ among: [type] })).toBe(false);
    expect(traceOf({ among: [uuid('anyone')] })).toBe(false);
  });

  it('there is one where a half of a value does, as at the end of a page', () => {
    const ofLength = (length: number) => 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q'.slice(0, length);
    const isTrace = (value: string, part: string) =>
      traceOf({ rows: having(value), among: [part] });
    expect(isTrace(ofLength(15), ofLength(8))).toBe(false);
    expect(isTrace(ofLength(15), ofLength(15).slice(-8))).toBe(false);
    for (const length of [16, 20, 31, 32]) {
      const [value, half] = [ofLength(length), Math.ceil(length / 2)];
      expect(isTrace(value, value.slice(0, half))).toBe(true);
      expect(isTrace(value, value.slice(-half))).toBe(true);
      expect(isTrace(value, value.slice(0, half - 1))).toBe(false);
      expect(isTrace(value, value.slice(1 - half))).toBe(false);
    }
  });

  it('a title may name one thing of it, but not two', () => {
    for (const place of ['above', 'below'] as const) {
      expect(traceOf({ [place]: [user] })).toBe(false);
      expect(traceOf({ [place]: [time] })).toBe(false);
      expect(traceOf({ [place]: [user, time] })).toBe(true);
      expect(traceOf({ [place]: [user, user] })).toBe(false);
    }
    expect(traceOf({ above: [user], below: [time] })).toBe(true);
    // Some events are of one user: ids identify them, at the end of their lines.
    const idsLast = events.map((event, index) => [
      event[2] ?? '',
      uuid(`user ${Math.max(4, index)}`),
      event[0] ?? '',
    ]);
    const body = table([...idsLast.toSpliced(lost, 1), [user]]);
    const found = readEventText(idsLast, body);
    expect(tracesOf([lost], found, body).get(lost)).toBe(false);
  });

  it('values of other rows are no traces, nor those of events that the query excludes', () => {
    const shared = events.with(lost + 1, [...eventOf(lost + 1).slice(0, 3), user]);
    expect(traceOf({ rows: shared })).toBe(false);
    const excluded = [uuid('excluded'), eventOf(99)[1], type, user];
    expect(traceOf({ among: [user], others: [excluded] })).toBe(false);
    expect(traceOf({ among: [time], others: [excluded] })).toBe(true);
  });

  it('values of others are not its own where they happen to stand side by side', () => {
    const rows = having('123456');
    const [third = [], fourth = [], first = [], last = []] = [3, 4, 0, 23].map((row) => rows[row]);
    const isTrace = (some: readonly Row[], others: readonly Row[] = []) =>
      traceOf({ rows: some, others, among: ['123456'] });
    const inColumn = rows.with(3, third.with(4, 'abc123')).with(4, fourth.with(4, '456abc'));
    expect(isTrace(inColumn)).toBe(true);
    const inColumns = rows.with(23, last.with(3, 'abc123')).with(0, first.with(4, '456abc'));
    expect(isTrace(inColumns)).toBe(true);
    const ended = rows.with(23, last.with(4, 'abc123'));
    const excluded = ['456abc', '456abc', 'abc123', '456abc', ''];
    expect(isTrace(ended, [excluded])).toBe(true);
  });

  it('a key that other events have too is one where it is not that of these', () => {
    const shared = events.with(lost, [eventOf(lost + 1)[0], ...eventOf(lost).slice(1)]);
    expect(traceOf({ rows: shared })).toBe(false);
    const again = shared.map((event) => [...event, event[0] ?? '']);
    expect(traceOf({ rows: again })).toBe(true);
    expect(traceOf({ rows: shared, above: [uuid(`event ${lost + 1}`)] })).toBe(false);
  });

  it('a title counts in whatever order the file writes it', () => {
    const body = table(events.filter((_, index) => index !== lost));
    const title = table(aside([user, time]));
    const found = readEventText(events, body);
    expect(tracesOf([lost], found, [...title, ...body]).get(lost)).toBe(true);
    expect(tracesOf([lost], found, body).get(lost)).toBe(false);
  });

  it('where nothing is recognized there is none either', () => {
    const body = table([['nothing', 'here']]);
    const nothing = readEventText(events, body);
    expect(tracesOf([lost], nothing, body)).toEqual(new Map([[lost, undefined]]));
  });

  it('parts of long values are traces', () => {
    const comment = (index: number) => `${uuid(`comment ${index}`)} ${uuid(`end ${index}`)}`;
    const rows = events.map((event, index) => [...event, comment(index)]);
    const bare = comment(lost).replaceAll(/[- ]/g, '');
    for (const at of [0, 16, 32, 48]) {
      expect(traceOf({ rows, among: [bare.slice(at, at + 16)] })).toBe(true);
    }
    expect(traceOf({ rows, among: [bare.slice(8, 24)] })).toBe(false);
  });

  it('short values are none, and short words neither: they stand anywhere', () => {
    const isTrace = (value: string) => traceOf({ rows: having(value), among: [value] });
    expect(isTrace('a1234')).toBe(false);
    expect(isTrace('a12345')).toBe(true);
    expect(isTrace('elevenchars')).toBe(false);
    expect(isTrace('twelveletter')).toBe(true);
  });
});

describe('of an event that has nothing of its own', () => {
  /** Rows of which the lost one has its key alone, and this. */
  const bare = (own: string) =>
    events.map((event, index) => [
      ...(index === lost ? [eventOf(lost + 1)[0], ...eventOf(lost + 1).slice(1)] : event),
      index === lost ? own : `value ${index}`,
    ]);

  it('nobody can say whether there is a trace', () => {
    expect(traceOf({ rows: bare('') })).toBeUndefined();
    expect(traceOf({ rows: bare('own value 1') })).toBe(false);
  });

  it('nor where fonts may not show it', () => {
    expect(traceOf({ rows: bare('出席 2026 年 3 月 1 日') })).toBeUndefined();
    expect(
      traceOf({ rows: bare('出席 2026 年 3 月 1 日'), among: ['出席 2026 年 3 月 1 日'] }),
    ).toBe(true);
  });
});

test('a value is there in two parts, each of six characters at least, of twenty in all', () => {
  const inParts = (value: string, ...parts: readonly string[]) =>
    showsInParts(value, printed({ among: parts }).found);
  const value = 'abcdefghij0123456789';
  expect(inParts(value, 'abcdefghij', '0123456789')).toBe(true);
  expect(inParts(value, '0123456789', 'abcdefghij')).toBe(true);
  expect(inParts(value, 'abcdef', 'ghij0123456789')).toBe(true);
  expect(inParts(value, 'abcde', 'fghij0123456789')).toBe(false);
  expect(inParts(value, 'abcdefghij0123', '456789')).toBe(true);
  expect(inParts(value, 'abcdefghij01234', '56789')).toBe(false);
  expect(inParts(value, 'abcdefghij')).toBe(false);
  expect(inParts(value, 'abcdefghij', '123456789')).toBe(false);
  expect(inParts(value, value, 'abcdefghij', '0123456789')).toBe(false);
  expect(inParts(value.slice(0, 19), 'abcdefghij', '012345678')).toBe(false);
});
