import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Results } from '../../schemas/results.ts';
import { compareResults, comparisonReport } from '../compare.ts';
import { exampleExchanges, hostileExchanges } from '../example-exchanges.fixture.ts';
import { exampleMock, exampleReference } from '../example-fidelity.fixture.ts';
import {
  exampleReview,
  exampleRuns,
  hostileRun,
  toldRun,
  violatedRun,
} from '../example-results.fixture.ts';
import { fidelityOf, fidelityReport } from '../fidelity.ts';
import { renderAsPage } from './blocks.ts';
import { renderPage } from './page.ts';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executable = [process.env.CHROMIUM_PATH, ...usual].find(
  (path) => path !== undefined && existsSync(path),
);
const missing =
  'no Chromium here: install the package "chromium", or give its path as CHROMIUM_PATH';

// A pipeline that has installed a browser says so, and then its absence is a failure.
if (executable === undefined && process.env.REQUIRE_BROWSER === 'yes') throw new Error(missing);

const { conformant, interrupted } = exampleRuns;
const longHistory = Array.from({ length: 12 }, (_, index) =>
  index % 3 === 0 ? violatedRun : conformant,
);

/** A run of chosen clauses, one of them left out on purpose. */
const chosenRun = {
  ...violatedRun,
  clauses: violatedRun.clauses.map((clause) => {
    if (clause.id.startsWith('conflict.')) return clause;
    const kind = clause.id === 'task.assignment' ? 'left out' : 'not selected';
    return {
      ...clause,
      verdict: 'not judged' as const,
      reasons: [{ kind } as const],
      scenarios: [],
    };
  }),
  violations: violatedRun.violations.filter(({ clause }) => clause.startsWith('conflict.')),
};

/** A run with 42 findings: fields whose names break nowhere, and values of any length. */
const manyFindings: Results = {
  ...violatedRun,
  violations: Array.from({ length: 14 }).flatMap((_, index) =>
    violatedRun.violations.map((violation, place) => ({
      ...violation,
      difference: {
        kind: 'field' as const,
        of: 'task' as const,
        fields: [`${'field_'.repeat(index)}${place}`],
        expected: JSON.stringify('a value '.repeat(index * 3)),
        actual: JSON.stringify('value'.repeat(index * 20)),
      },
    })),
  ),
};

const pageOf = (parts: Parameters<typeof toldRun>[0]) => renderPage(toldRun(parts));

const pages = {
  violations: pageOf({ results: violatedRun, exchanges: exampleExchanges }),
  waived: pageOf({
    results: violatedRun,
    exchanges: exampleExchanges,
    review: exampleReview,
    history: longHistory,
  }),
  chosen: pageOf({ results: chosenRun, exchanges: exampleExchanges }),
  interrupted: pageOf({ results: interrupted, exchanges: [] }),
  compare: renderAsPage(
    comparisonReport(
      compareResults(conformant, {
        ...violatedRun,
        clauses: violatedRun.clauses.map((clause) =>
          clause.id === 'update.success-status' ? { ...clause, observed: [204] } : clause,
        ),
      }),
    ),
  ),
  conformant: pageOf({ results: exampleRuns.conformant, exchanges: exampleExchanges }),
  'not-run': pageOf({ results: exampleRuns['not-run'], exchanges: [] }),
  'left-changed': pageOf({
    results: { ...conformant, leftChanged: violatedRun.leftChanged },
    exchanges: exampleExchanges,
  }),
  'many-findings': pageOf({
    results: manyFindings,
    exchanges: exampleExchanges,
    history: longHistory,
  }),
  error: pageOf({ results: exampleRuns.error, exchanges: exampleExchanges }),
  fidelity: renderAsPage(fidelityReport(fidelityOf(exampleReference, exampleMock), 'not faithful')),
  hostile: pageOf({ results: hostileRun, exchanges: hostileExchanges }),
};

describe.skipIf(executable === undefined)(
  `the page in a browser${executable === undefined ? ` (skipped: ${missing})` : ''}`,
  () => {
    let browser: Browser;
    let directory: string;
    let page: Page;
    /** What must never happen: errors, dialogs, requests that leave the file. */
    let complaints: string[];

    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: executable ?? '',
        args: ['--no-sandbox'],
      });
      directory = await mkdtemp(join(tmpdir(), 'page-'));
      for (const [name, text] of Object.entries(pages)) {
        await writeFile(join(directory, `${name}.html`), text);
      }
    }, 60_000);

    afterAll(async () => {
      await browser?.close();
      if (directory !== undefined) await rm(directory, { recursive: true });
    });

    beforeEach(async () => {
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      complaints = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) complaints.push(`request: ${request.url()}`);
      });
    });

    afterEach(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });

    const addressOf = (name: keyof typeof pages, fragment = ''): string =>
      `${pathToFileURL(join(directory, `${name}.html`)).href}${fragment}`;
    const shownClauses = (): Promise<string[]> =>
      page.locator('.clause:visible > summary .what > code').allTextContents();

    test('filters, and keeps the filter in the address', async () => {
      await page.goto(addressOf('violations'));
      await page.getByRole('checkbox', { name: 'violated' }).check();
      expect(await shownClauses()).toEqual([
        'update.keeps-the-other-fields',
        'conflict.differing-version-is-409',
      ]);
      expect(await page.getByText('2 of 10 clauses').isVisible()).toBe(true);
      await page.getByRole('checkbox', { name: 'stated' }).check();
      expect(page.url()).toBe(addressOf('violations', '#clauses?verdict=violated&level=stated'));
      await page.reload();
      expect(await shownClauses()).toEqual(['conflict.differing-version-is-409']);
      await page.getByRole('button', { name: 'Show all' }).click();
      expect(await shownClauses()).toHaveLength(10);
    });

    test('searches clauses, headers and bodies', async () => {
      await page.goto(addressOf('violations'));
      const search = page.getByRole('searchbox');
      await search.fill('besides INCOMPLETE');
      expect(await shownClauses()).toEqual(['task.status-values']);
      // Only a body holds this one.
      await search.fill('no complete response within 15000');
      expect(await shownClauses()).toEqual(['task.assignment', 'task.status-values']);
      await search.fill('nowhere to be found');
      expect(await shownClauses()).toEqual([]);
    });

    test('leads from a clause to its findings and to its evidence', async () => {
      await page.goto(addressOf('violations'));
      const clause = page.locator('[id="conflict.differing-version-is-409"]');
      await clause.locator('> summary').click();
      expect(await clause.getByText('200, not 409 (#3)').isVisible()).toBe(true);
      await clause.getByRole('link', { name: 'finding 2' }).click();
      expect(new URL(page.url()).hash).toBe('#finding-2');
      await clause.getByRole('link', { name: 'a stale If-Match answers 409' }).click();
      const scenario = page.locator('.scenario[open]');
      await scenario.locator('.exchange > summary').click();
      expect(
        await scenario.getByText('If-Match: 2026-11-05T09:29:59.001Z').first().isVisible(),
      ).toBe(true);
      expect(await scenario.getByText('-H "apikey: $API_KEY"').isVisible()).toBe(true);
    });

    test('shows the query of an export line by line', async () => {
      await page.goto(addressOf('violations', '#exchange-9'));
      const exchange = page.locator('#exchange-9');
      expect(await exchange.getByText('?metadata[tag]=kyc\n  &file_type=csv').isVisible()).toBe(
        true,
      );
    });

    test('leads from a link to what it names, opened', async () => {
      await page.goto(addressOf('violations'));
      await page.locator('.finding').getByRole('link', { name: '#5' }).click();
      const exchange = page.locator('#exchange-5');
      await exchange.getByText('As a curl command').waitFor();
      const finding = page.locator('#finding-1 .sides').first();
      expect(await finding.locator('mark').allTextContents()).toEqual(['Screening', 'Approval']);
    });

    test('shows the request and the response of each violation at once, and copies the command', async () => {
      await page.goto(addressOf('violations'));
      const findings = page.locator('.finding');
      expect(await findings.count()).toBe(3);
      const stale = findings.filter({ hasText: 'an If-Match one version old' }).first();
      expect(await stale.getByText('If-Match: 2026-11-05T09:29:59.001Z').first().isVisible()).toBe(
        true,
      );
      expect(await stale.getByText('200 OK').isVisible()).toBe(true);
      expect(await stale.locator('.compared').count()).toBe(0);
      const simultaneous = findings.filter({ hasText: 'several simultaneous writes' });
      expect(await simultaneous.locator('.compared').allTextContents()).toEqual([
        'compared',
        'compared',
      ]);
      await page.evaluate('getSelection().removeAllRanges()');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await stale.getByRole('button', { name: 'Copy the command' }).last().click();
      await stale.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await stale.locator('pre.command').last().textContent());
      expect(copied).toMatch(/^\(\n: "\$\{API_KEY:.*\ntask=https:.*-H "apikey: \$API_KEY".*\n\)$/s);
    });

    test('shows of a run of chosen clauses these, and what is left out of them as that', async () => {
      await page.goto(addressOf('chosen'));
      expect(await shownClauses()).toEqual([
        'task.assignment',
        'conflict.differing-version-is-409',
        'conflict.changes-nothing',
        'conflict.one-of-simultaneous-writes-wins',
      ]);
      await page.getByRole('checkbox', { name: 'left out' }).check();
      expect(await shownClauses()).toEqual(['task.assignment']);
      expect(await page.getByText('6 other clauses were not looked at.').isVisible()).toBe(true);
    });

    test('keeps the marks of many runs in their column', async () => {
      await page.goto(addressOf('waived'));
      const row = page.locator('.clause > summary').first();
      expect(await row.locator('.mark').count()).toBe(10);
      const [marks, next] = await Promise.all([
        row.locator('.mark').last().boundingBox(),
        row.locator('> .quiet').boundingBox(),
      ]);
      if (marks === null || next === null) throw new Error('they are not shown');
      expect(marks.x + marks.width).toBeLessThanOrEqual(next.x);
    });

    test.for(['compare', 'fidelity'] as const)(
      'has every cell on the screen of a phone: %s',
      async (name) => {
        await page.setViewportSize({ width: 390, height: 900 });
        await page.goto(addressOf(name));
        const cells = await page.locator('.report td').all();
        expect(cells.length).toBeGreaterThan(0);
        for (const cell of cells) {
          const box = await cell.boundingBox();
          expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
        }
      },
    );

    test('works with the keyboard alone', async () => {
      await page.goto(addressOf('violations'));
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to the clauses');
      await page.keyboard.press('Enter');
      await page.locator('[id="task.assignment"] > summary').focus();
      await page.keyboard.press('Enter');
      expect(await page.locator('[id="task.assignment"] .seen').isVisible()).toBe(true);
    });

    test('prints the evidence of the violations, and none of the controls', async () => {
      await page.goto(addressOf('violations'));
      expect((await page.pdf()).byteLength).toBeGreaterThan(20_000);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('#filter').isVisible()).toBe(false);
      await page.locator('#finding-1 > summary').click();
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      expect(await page.locator('.finding[open]').count()).toBe(3);
    });

    test('prints what became of findings, and no heading without what stands under it', async () => {
      await page.goto(addressOf('waived'));
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.report .recent:visible').count()).toBeGreaterThan(3);
      expect(await page.locator('.clause .recent:visible').count()).toBe(0);
      expect(await page.locator('.appendix:visible').count()).toBe(0);
      expect(await page.locator('.finding .command:visible').count()).toBe(0);
    });

    test('runs nothing of a hostile target', async () => {
      await page.goto(addressOf('hostile'));
      for (const summary of await page.locator('.clause > summary').all()) await summary.click();
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('img, body style').count()).toBe(0);
    });

    // Object.keys forgets which names there are.
    const named = (Object.keys(pages) as (keyof typeof pages)[]).filter(
      (name) => name !== 'hostile',
    );
    test.for(named)('is accessible, and no wider than its window: %s', async (name) => {
      await page.goto(addressOf(name));
      for (const summary of await page.locator('.clause > summary').all()) await summary.click();
      await page.evaluate(axe.source);
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [820, undefined],
        [1280, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        const surplus = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(surplus, `at ${width} pixels`).toBe(0);
        // What it finds depends on colors, and on what is shown to the narrowest and to the widest.
        if (colorScheme === undefined) continue;
        await page.emulateMedia({ colorScheme });
        // What a page answers has no type.
        const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
        const serious = found.violations.filter(
          ({ impact }) => impact === 'serious' || impact === 'critical',
        );
        expect(
          serious.map(({ id, nodes }) => [id, nodes[0]?.html]),
          `${colorScheme}, at ${width} pixels`,
        ).toEqual([]);
      }
    });
  },
);
