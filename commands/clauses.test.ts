import { expect, test } from 'vitest';
import { ajv } from '../helpers/ajv.ts';
import { suiteVersion } from '../helpers/version.ts';
import { renderOnTerminal } from '../reports/terminal.ts';
import { scenario } from '../runner/scenario.ts';
import { clauseIds } from '../schemas/clauses.ts';
import { catalogueSchema } from '../schemas/files.ts';
import { catalogueOf, clausesReport, listClauses, searched } from './clauses.ts';

const reading = scenario({
  name: 'a task is read',
  act: async () => {},
  judges: { 'task.id': () => {} },
});
const listed = listClauses([reading]);

test('every clause is listed, with the scenarios that look at it', () => {
  expect(listed.map(({ id }) => id)).toEqual(clauseIds);
  expect(listed.find(({ id }) => id === 'task.id')).toEqual({
    id: 'task.id',
    section: 'Task',
    level: 'stated',
    text: 'A task has the field `id`, a string.',
    scenarios: ['a task is read'],
  });
});

test('for programs: by its schema, with the version of the suite', () => {
  const catalogue = JSON.parse(JSON.stringify(catalogueOf(listed)));
  expect(ajv.validate(catalogueSchema, catalogue), ajv.errorsText()).toBe(true);
  expect(catalogue.suite).toBe(suiteVersion);
  expect(catalogue.clauses).toHaveLength(clauseIds.length);
});

test('for people: by section, with level, scenarios and why something is untestable', () => {
  const report = clausesReport(listed);
  const text = renderOnTerminal(report, { color: false, width: 80 });
  expect(text).toContain(
    '  task.id (stated)\n    A task has the field `id`, a string.\n    - a task is read\n',
  );
  expect(text).toContain(
    [
      '  errors.unexpected-error-is-500 (stated)',
      '    An unexpected error of the export is answered with 500.',
      '    Untestable: ',
    ].join('\n'),
  );
  expect(report.title).toMatch(
    /^\d+ clauses to be judged: \d+ stated, \d+ implied; \d+ open points; \d+ untestable$/,
  );
  const [judged = 0, stated = 0, implied = 0, open = 0, untestable = 0] =
    report.title.match(/\d+/g)?.map(Number) ?? [];
  expect(judged).toBe(stated + implied);
  expect(judged + open + untestable).toBe(clauseIds.length);
});

test('a search finds the beginnings of ids, and words wherever they stand', () => {
  const found = (...words: string[]) => searched(listed, words).map(({ id }) => id);
  expect(found('task.id')).toEqual(['task.id']);
  expect(found('conflict.').every((id) => id.startsWith('conflict.'))).toBe(true);
  expect(found('conflict.')).toContain('conflict.changes-nothing');
  expect(found('a TASK is read', 'task.id')).toEqual(['task.id']);
  expect(found('stated', 'apikey', 'export')).toContain('export.needs-the-apikey');
  expect(found('stated', 'xyzzy')).toEqual([]);
});
