import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { commentColumn, idColumn } from '../export/columns.ts';
import { pastComments } from '../past-events.ts';
import type { AuditEvent } from '../records.ts';
import { exportRules } from '../rules/export.ts';
import { csvFile } from './export-csv.ts';

const event: AuditEvent = {
  id: '1',
  at: 0,
  auditeeId: '',
  eventType: '',
  subType: '',
  systemSource: '',
  metadata: {},
  description: '',
  comment: null,
};
const context = { locale: 'en', date: String, now: 0 } as const;
const idAndComment = { ...exportRules, csvColumns: () => [idColumn, commentColumn] };

async function textOf(events: Iterable<AuditEvent>, rules = idAndComment): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of csvFile(events, context, rules)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('only what would not read back otherwise is quoted', async () => {
  const comments = ['plain', 'a, b', 'say "no"', 'two\nlines', ' space', 'a; b'];
  const text = await textOf(comments.map((comment) => ({ ...event, comment })));
  expect(text).toBe(
    'Event id,Comment\r\n1,plain\r\n1,"a, b"\r\n1,"say ""no"""\r\n1,"two\nlines"\r\n1," space"\r\n1,a; b\r\n',
  );
});

test.for([',', ';', '\t', '|'])(
  'comments read back to the letter with the delimiter %j',
  async (delimiter) => {
    const events = pastComments.map((comment) => ({ ...event, comment }));
    const text = await textOf(events, { ...idAndComment, csvDelimiter: () => delimiter });
    const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true });
    expect(errors).toEqual([]);
    expect(data.slice(1).map(([, comment]) => comment)).toEqual(pastComments);
  },
);

test('mark, title, missing headings and the missing last line end', async () => {
  const text = await textOf([event], {
    ...idAndComment,
    csvByteOrderMark: () => true,
    csvTitle: () => [['Audit, events']],
    csvHeadings: () => undefined,
    csvEndsLastLine: () => false,
  });
  expect(text).toBe('\uFEFF"Audit, events"\r\n1,');
});

test('without events there are headings, or nothing', async () => {
  expect(await textOf([])).toBe('Event id,Comment\r\n');
  expect(await textOf([], { ...idAndComment, csvHeadingsWhenEmpty: () => false })).toBe('');
});

test('rows are made while the file is read', async () => {
  let made = 0;
  const endless = (function* () {
    for (;;) {
      made += 1;
      yield event;
    }
  })();
  for await (const piece of csvFile(endless, context, idAndComment)) {
    expect(piece.length).toBeLessThan(70_000);
    break;
  }
  expect(made).toBeLessThan(20_000);
});
