import { describe, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { renderAsMarkdown } from './blocks-markdown.ts';
import {
  exampleReview,
  exampleRuns,
  hostileRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { runReport } from './run-report.ts';
import type { WaiverReview } from './verdicts.ts';

const renderMarkdown = (results: Results, review?: WaiverReview): string =>
  renderAsMarkdown(runReport(toldRun({ results, ...(review && { review }) })));

describe('summary.md', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      await expect(renderMarkdown(results)).toMatchFileSnapshot(`golden/${name}/summary.md`);
    });
  }

  test('of a run with waivers matches its golden file', async () => {
    const summary = renderMarkdown(violatedRun, exampleReview);
    await expect(summary).toMatchFileSnapshot('golden/waived/summary.md');
  });

  test('keeps what the target says inside code', async () => {
    const summary = renderMarkdown(hostileRun);
    await expect(summary).toMatchFileSnapshot('golden/hostile/summary.md');
    expect(summary).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    // Without code blocks and code spans nothing of it may be left.
    const outside = summary
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toMatch(/script|alert|evil|someone/);
  });
});
