import { PDFParse } from 'pdf-parse';
import { expect, test } from 'vitest';
import { pdfLayouts } from '../../proof/pdf-layouts.ts';
import { commentedEvents } from '../commented-events.fixture.ts';
import { exportRules } from '../rules/export.ts';
import { pdfFile } from './export-pdf.ts';

const context = { locale: 'en', date: (at: number) => `at ${at}`, now: 0 } as const;

const events = commentedEvents((index) => 1000 + index);

const withLayout = (layout: keyof typeof pdfLayouts) => ({
  ...exportRules,
  pdfForm: () => ({ ...exportRules.pdfForm('en'), layout: pdfLayouts[layout] }),
});

/** The text of a file, white space taken out: lines may be broken anywhere. */
async function textIn(file: Uint8Array): Promise<string> {
  const parser = new PDFParse({ data: new Uint8Array(file) });
  const { text } = await parser.getText({ pageJoiner: '' });
  await parser.destroy();
  return compact(text);
}

const compact = (text: string) => text.replace(/\s/g, '');

test.for(['table', 'lines', 'cards'] as const)('%s: every cell can be read', async (layout) => {
  const text = await textIn(await pdfFile(events, context, withLayout(layout)));
  const cells = events.flatMap(({ id, at, comment, description }) => [
    id,
    `at ${at}`,
    comment ?? '',
    description,
  ]);
  expect(cells.filter((cell) => !text.includes(compact(cell)))).toEqual([]);
  expect(text.match(/tag-\d+/g)?.length).toBe(events.length);
});

test('an event that is longer than a page goes on on the next', async () => {
  const comment = Array.from({ length: 400 }, (_, line) => `line ${line}.`).join('\n');
  const long = events.slice(0, 1).map((event) => ({ ...event, comment }));
  const text = await textIn(await pdfFile([...long, ...events], context, exportRules));
  expect(text).toContain('line0.');
  expect(text).toContain('line399.');
});

test('without events there is one page', async () => {
  const parser = new PDFParse({ data: new Uint8Array(await pdfFile([], context, exportRules)) });
  expect((await parser.getText()).total).toBe(1);
  await parser.destroy();
});

test('the same events give the same bytes, made again or cached', async () => {
  const cached = { ...context, dateKey: 'as above' };
  const first = await pdfFile(events, cached, exportRules);
  expect(await pdfFile([...events], cached, exportRules)).toBe(first);
  const second = await pdfFile(events, context, exportRules);
  expect(second).not.toBe(first);
  expect(Buffer.compare(first, second)).toBe(0);
  const fewer = await pdfFile(events.slice(1), cached, exportRules);
  expect(Buffer.compare(first, fewer)).not.toBe(0);
});
