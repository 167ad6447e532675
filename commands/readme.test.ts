import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { select } from '../contract/selection.ts';
import { variableNames } from '../schemas/configuration.ts';
import { clauseVerdicts } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { check } from './check.ts';
import { clauses } from './clauses.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { fidelity } from './fidelity.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { waive } from './waive.ts';
import { watch } from './watch.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const pages = ['README.md', ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: read(path) }));
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
  watch,
  help: check,
};

/** What stands in blocks of the shell, a line a command, without comments. */
function shellLines(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split(/\n|&&/)
      .map((line) => line.replace(/\s#.*/, '').trim())
      .filter((line) => line !== ''),
  );
}

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

  test('run with --only and -t what is there to be run', () => {
    const chosen = pages.flatMap(({ text }) => [
      ...text.matchAll(/(?:--only|-t) (?:'([^']+)'|([a-z-]+\.[a-z-]*))/g),
    ]);
    const texts = chosen.map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(texts).toHaveLength(8);
    for (const text of texts) expect(select(scenarios, { only: [text] })).not.toEqual([]);
  });

  test('link to files that are there', () => {
    for (const { path, text } of pages) {
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(
        ([, to = '']) => to,
      );
      const gone = links.filter((to) => !existsSync(new URL(to, new URL(path, root))));
      expect(gone, path).toEqual([]);
    }
  });

  test('are short where they begin: the README, and its pictures', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(151);
    const pictures = readdirSync(new URL('docs/pictures', root));
    expect(pictures.sort()).toEqual(['page.png', 'terminal.png']);
    for (const name of pictures) {
      expect(readme).toContain(`docs/pictures/${name}`);
      expect(statSync(new URL(`docs/pictures/${name}`, root)).size).toBeLessThanOrEqual(150_000);
    }
  });

  test('of docs/ are all reached from the README', () => {
    for (const { path } of pages.slice(1)) expect(readme).toContain(`](${path})`);
  });
});
