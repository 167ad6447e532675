import { expect, test } from 'vitest';
import { conformantRun, violatedRun } from '../../reports/example-results.fixture.ts';
import { between, renderTable } from './table.ts';

test('counts of verdicts, then violations by section with the words of one', () => {
  const table = renderTable([
    { name: 'one', version: '1.0.0', results: conformantRun },
    { name: 'two', version: '2.0.0', results: violatedRun },
  ]);
  expect(table).toMatchInlineSnapshot(`
    "| mock | version | violated | upheld | inconclusive | not judged |
    | --- | --- | --: | --: | --: | --: |
    | one | 1.0.0 | 0 | 6 | 0 | 0 |
    | two | 2.0.0 | 2 | 3 | 1 | 1 |

    | violated | one | two | for example |
    | --- | --: | --: | --- |
    | 1. Update a task assignment |  | 1 | PUT /tasks/{id}/update-assignment: the other fields after an assignment: expected \`{"name":"Review","step_name":"Screening","status":"INCOMPLETE"}\`, got \`{"name":"Review","step_name":"Approval","status":"INCOMPLETE"}\` |
    | Errors: 409 Version mismatch |  | 1 | PUT /tasks/{id}/update-assignment: an If-Match one version old: expected \`409\`, got \`200\` |
    "
  `);
});

test('the part between two markers is replaced, and nothing else', () => {
  const text = 'a\n<!-- mocks -->\nold\n<!-- /mocks -->\nb\n';
  const once = between(text, 'mocks', 'new\n');
  expect(once).toBe('a\n<!-- mocks -->\n\nnew\n\n<!-- /mocks -->\nb\n');
  expect(between(once, 'mocks', 'new\n')).toBe(once);
  expect(() => between('a', 'mocks', 'new')).toThrow('There is no <!-- mocks -->');
});
