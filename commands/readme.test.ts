import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { select } from '../contract/selection.ts';
import { exampleRuns, exampleWaivers } from '../reports/example-results.fixture.ts';
import { headline } from '../reports/run-report.ts';
import { reviewWaivers, verdictUnder, waiversFail } from '../reports/verdicts.ts';
import { exitCode } from '../runner/verdicts.ts';
import { variableNames } from '../schemas/configuration.ts';
import type { Waiver } from '../schemas/files.ts';
import { clauseVerdicts, type Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { check } from './check.ts';
import { clauses } from './clauses.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { pages as allPages, exitCodesOf, linksIn, shellLines } from './documents.fixture.ts';
import { fidelity } from './fidelity.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { waive } from './waive.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const pages = allPages.filter(({ path }) => path !== 'CONTRIBUTING.md');
const readme = read('README.md');
const commands = {
  check,
  clauses,
  compare,
  doctor,
  fidelity,
  restore,
  serve,
  waive,
  help: check,
};

describe('the README and docs/', () => {
  test('name every verdict, and every variable on its page', () => {
    const table = read('docs/variables.md');
    expect(variableNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
    for (const text of [readme, read('docs/qa.md')]) {
      expect(clauseVerdicts.filter((verdict) => !text.includes(`\`${verdict}\``))).toEqual([]);
    }
  });

  test('name no variable and no option that there is not', () => {
    const options = new Set(
      ['help', ...Object.values(commands).flatMap(({ options }) => Object.keys(options))].map(
        (name) => `--${name}`,
      ),
    );
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const lines = pages.flatMap(({ text }) => shellLines(text));
    const own = lines.filter((line) => /^npm (run|test)/.test(line));
    expect(own.length).toBeGreaterThan(15);
    for (const line of own) {
      const [, script = 'test', rest = ''] =
        /^npm (?:run )?([\w:]+)(?: -- (.*))?$/.exec(line) ?? [];
      expect(scripts, line).toContain(script);
      const [first = ''] = rest.split(' ');
      if (script === 'contract' && /^[a-z]/.test(first)) {
        expect(Object.keys(commands), line).toContain(first);
      }
      for (const [option] of rest.matchAll(/--[a-z-]+/g))
        expect([...options], line).toContain(option);
    }
  });

  test('give every verdict of a run the exit code that it has', () => {
    const { conformant, violations, error, interrupted } = exampleRuns;
    const plain = { ...conformant, leftChanged: [] };
    const runs: readonly (readonly [Results, readonly Waiver[]])[] = [
      [plain, []],
      [violations, []],
      [plain, exampleWaivers],
      [exampleRuns['not-run'], []],
      [error, []],
      [{ ...interrupted, interruptedBy: null }, []],
      [{ ...conformant, leftChanged: violations.leftChanged }, []],
      [interrupted, []],
    ];
    const rows = runs.map(([results, waivers]) => {
      const review = reviewWaivers(results, waivers, true);
      const code = exitCode(verdictUnder(review, results), {
        waiversFail: waiversFail(review),
        tasksLeftChanged: results.leftChanged.some(({ outcome }) => outcome === 'failed'),
        interruptedBy: results.interruptedBy,
      });
      const word = headline(results, review).title.toUpperCase();
      return [`\`${word.replace(/^.*(, INTERRUPTED BY) SIGINT$/, '…$1')}\``, `${code}`];
    });
    expect(rows).toEqual([...exitCodesOf('README.md', 2)]);
  });

  test('run with --only and -t what is there to be run', () => {
    const chosen = pages.flatMap(({ text }) => [
      ...text.matchAll(/(?:--only|-t) (?:'([^']+)'|([a-z-]+\.[a-z-]*))/g),
    ]);
    const texts = chosen.map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(texts).toHaveLength(9);
    for (const text of texts) expect(select(scenarios, { only: [text] })).not.toEqual([]);
  });

  test('link to files that are there', () => {
    for (const { path, text } of pages) {
      const gone = linksIn(text).filter((to) => !existsSync(new URL(to, new URL(path, root))));
      expect(gone, path).toEqual([]);
    }
  });

  test('link to headings that are there', () => {
    const headings = new Map(
      pages.map(({ path, text }) => [
        new URL(path, root).href,
        [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
          title
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        ),
      ]),
    );
    for (const { path, text } of pages) {
      for (const [, to = '', heading = ''] of text.matchAll(/\]\(([\w./-]*)#([^)]+)\)/g)) {
        const { href } = new URL(to || new URL(path, root).href, new URL(path, root));
        expect(headings.get(href), `${path} → ${to}`).toContain(heading);
      }
    }
  });

  test('are short where they begin, and the README has the region on its first screen', () => {
    const words = (text: string): number => text.trim().split(/\s+/).length;
    expect(words(readme)).toBeLessThanOrEqual(1_000);
    expect(words(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(1_800);
    expect(readme.split('\n').slice(0, 25).join('\n')).toContain('BASE_URL');
  });

  test('show a run as it is: the README has a finding and the verdict of the terminal', async () => {
    const terminal = read('reports/golden/violations/console.txt');
    const [finding] = /^ {2}✗ 2 .*?(?=\n\n)/ms.exec(terminal) ?? [];
    expect(finding).toBeDefined();
    const block = `${finding}\n\n${terminal.trimEnd().split('\n').at(-1)}`;
    const shown = readme.replace(/(```text\n).*?(?=```)/s, (_, start) => `${start}${block}\n`);
    await expect(shown).toMatchFileSnapshot('../README.md');
  });

  test('of docs/ are all reached from the README', () => {
    for (const { path } of pages.slice(1)) expect(readme).toContain(`](${path})`);
  });
});
