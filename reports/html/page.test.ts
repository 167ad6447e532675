import { describe, expect, test } from 'vitest';
import type { Difference } from '../../schemas/difference.ts';
import { exampleExchanges, hostileExchanges } from '../example-exchanges.fixture.ts';
import {
  conformantRun,
  exampleReview,
  exampleRuns,
  hostileRun,
  toldRun,
  violatedRun,
} from '../example-results.fixture.ts';
import { pageBody, pageBytes, renderPage } from './page.ts';

const whole = { bodyLength: 3000, onlyCited: false };

describe('the compliance page', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      const exchanges = results.violations.length > 0 ? exampleExchanges : [];
      const body = pageBody(toldRun({ results, exchanges }), whole);
      await expect(body.text).toMatchFileSnapshot(`../golden/${name}/page.html`);
    });
  }

  test('with waivers, history and changes matches its golden file', async () => {
    const run = toldRun({
      results: violatedRun,
      exchanges: exampleExchanges,
      history: [exampleRuns.interrupted, conformantRun],
      review: exampleReview,
    });
    const body = pageBody(run, whole);
    await expect(body.text).toMatchFileSnapshot('../golden/waived/page.html');
  });

  test('shows of a long export the rows that tell, marked', () => {
    const [, second] = exampleExchanges;
    const [violation] = violatedRun.violations;
    if (second?.response === undefined || violation === undefined) throw new Error('no example');
    const rows = Array.from({ length: 200 }, (_, index) => `${index},screening,kyc`);
    const file = (number: number, lines: readonly string[]) => {
      const body = new TextEncoder().encode(['Id,Type,Tag', ...lines].join('\n'));
      return {
        ...second,
        number,
        operation: 'export' as const,
        response: { status: 200, headers: [], body, size: body.length },
      };
    };
    const difference = {
      kind: 'events',
      when: 'a range',
      fileType: 'csv',
      missing: 1,
      extra: 0,
      of: 200,
    } satisfies Difference;
    const on = [1, 2].map((exchange) => ({
      exchange,
      request: 'GET /audit-sentinel/events/export',
    }));
    const results = {
      ...violatedRun,
      violations: [{ ...violation, difference, on, sequence: [] }],
    };
    const exchanges = [file(1, rows.toSpliced(150, 1)), file(2, rows)];
    const { text } = pageBody(toldRun({ results, exchanges }), whole);
    expect(text).toContain(
      'Id,Type,Tag\n…\n149,screening,kyc\n<mark>150,screening,kyc</mark>\n151,screening,kyc\n… (201 lines)</pre>',
    );
  });

  test('marks the line of the field that is wrong, and says of a long text where it is', () => {
    const comment = `${'a comment '.repeat(399)}that goes on`;
    const [blamed] = exampleExchanges;
    const [violation] = violatedRun.violations;
    if (blamed?.response === undefined || violation === undefined) throw new Error('no example');
    const pageOf = (stored: string): string => {
      const body = new TextEncoder().encode(
        JSON.stringify({ assignment: { assignment_comment: stored } }),
      );
      const response = { ...blamed.response, status: 200, headers: [], body, size: body.length };
      const [expected, actual] = [JSON.stringify(comment), JSON.stringify(stored)];
      const difference = {
        kind: 'field',
        of: 'task',
        fields: ['assignment.assignment_comment'],
        expected,
        actual,
      } satisfies Difference;
      const told = {
        ...violation,
        difference,
        on: [{ exchange: 1, request: 'GET /tasks/{id}' }],
      };
      const results = { ...violatedRun, violations: [told] };
      return pageBody(toldRun({ results, exchanges: [{ ...blamed, response }] }), whole).text;
    };
    const text = pageOf(comment.slice(0, 255));
    expect(text).toContain('<figcaption>Actual (255 of 4,002 characters)</figcaption>');
    expect(text).toContain('<mark>    &quot;assignment_comment&quot;: &quot;a comment a comment');
  });

  test('loads nothing', () => {
    const page = renderPage(toldRun({ results: violatedRun, exchanges: exampleExchanges }));
    expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-`);
    expect(page).not.toMatch(/<(?:link|img|iframe|object|embed|base)\b|\ssrc=|@import|url\(/);
  });

  test('holds no element and no attribute of the target’s making', () => {
    const tags = (page: string) => page.match(/<\/?[a-z][^>]*>/g) ?? [];
    const hostile = renderPage(toldRun({ results: hostileRun, exchanges: hostileExchanges }));
    expect(hostile).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(hostile).not.toMatch(/<script>alert|<style>\*|<img|<\/details>`/);
    expect(tags(hostile).filter((tag) => /^<(?:script|style)/.test(tag))).toEqual([
      '<style>',
      '<script>',
    ]);
    expect(tags(hostile).join('\n')).not.toMatch(/\son\w+=/);
    expect(hostile).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('stays under its size, keeping longest what shows a violation', { timeout: 60_000 }, () => {
    const [, , cited] = exampleExchanges;
    if (cited === undefined) throw new Error('the example is empty');
    const body = new TextEncoder().encode(JSON.stringify('x'.repeat(16_000)));
    const exchanges = Array.from({ length: 1500 }, (_, index) => ({
      ...cited,
      number: index + 1,
      response: { status: 200, headers: [], body, size: body.byteLength },
    }));
    const page = renderPage(toldRun({ results: violatedRun, exchanges }));
    expect(Buffer.byteLength(page)).toBeLessThan(pageBytes);
    expect(page).toContain('id="exchange-3"');
    expect(page).toContain('1,496 exchanges left out to limit the size of this page');
  });
});
