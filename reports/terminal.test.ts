import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import {
  conformantRun,
  exampleReview,
  exampleRuns,
  hostileRun,
  interruptedRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { runReport, type ToldRun } from './run-report.ts';
import { createProgress, renderOnTerminal, type TerminalOptions, terminal } from './terminal.ts';

const { paint, wrap } = terminal({ color: true, width: 30 });

test('colours do not count', () => {
  const painted = paint('red', '2026-10-31');
  expect(wrap(`it shows this: ${painted} and more`, '')).toEqual([
    `it shows this: ${painted} and`,
    'more',
  ]);
});

test('a long address stays whole, so that it can be copied', () => {
  const address = '/export?range_start=2026-06-29&timezone=UTC&locale=en';
  expect(wrap(`#3 GET ${address} and more`, '  ', '    ')).toEqual([
    `  #3 GET ${address}`,
    '    and more',
  ]);
});

const renderSummary = (results: Results, options: TerminalOptions & Partial<ToldRun>): string =>
  renderOnTerminal(runReport(toldRun({ results, ...options })), options);

const plainly = { color: false, width: 80, exchanges: exampleExchanges } as const;
const hostile = { ...plainly, exchanges: hostileExchanges } as const;

describe('the summary on a terminal', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      const summary = renderSummary(results, { ...plainly, detail: 'verbose' });
      await expect(summary).toMatchFileSnapshot(`golden/${name}/console.txt`);
    });
  }

  test('of a run with waivers, and the files that were written, matches its golden file', async () => {
    const files = ['index.html', 'exchanges.har', 'findings/1.sh', 'findings/2.sh'];
    const summary = renderSummary(violatedRun, {
      ...plainly,
      review: exampleReview,
      files: [
        ...files.map((name) => `reports/latest/${name}`),
        'reports/history/eu.staging.example-v5/2026-11-05T09-30-00.000Z.json',
      ],
    });
    await expect(summary).toMatchFileSnapshot('golden/waived/console.txt');
  });

  test('keeps to the width, but for words that are longer', () => {
    const summary = renderSummary(violatedRun, { ...plainly, width: 60 });
    // Commands are not broken: they are to be pasted.
    const told = summary.replace(/^\($.*?^\)$/gms, '');
    const tooLong = told.split('\n').filter((line) => line.length > 60);
    for (const line of tooLong) {
      expect(line).toMatch(
        / --seed 42$|^ {2}npm run contract -- restore |^ {6,}(?:\w+ +)?\S+$|^VIOLATIONS {2}|^ {16}\{"update":|^ {6}(?:request|answer|see also) /,
      );
    }
  });

  test('lets nothing of the target steer the terminal', () => {
    const plain = renderSummary(hostileRun, hostile);
    expect(plain).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(plain).toContain('\\u001b[2J');
  });

  test('holds nothing that a pipeline takes for a command', () => {
    for (const width of [40, 80, 120]) {
      const summary = renderSummary(hostileRun, { ...hostile, width });
      expect(summary).not.toMatch(/^\s*::|##\[/m);
    }
  });

  test('is the same text in colour', () => {
    const plain = renderSummary(violatedRun, plainly);
    const colored = renderSummary(violatedRun, { ...plainly, color: true });
    expect(colored).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored)).toBe(plain);
  });

  test('counts what it does not spell out', () => {
    const [example] = violatedRun.violations;
    const [clause] = violatedRun.clauses;
    if (example === undefined || clause === undefined) throw new Error('the example is empty');
    const ids = Array.from({ length: 30 }, (_, index) => `clause-${index}`);
    const summary = renderSummary(
      {
        ...violatedRun,
        clauses: ids.map((id) => ({ ...clause, id, verdict: 'violated' })),
        violations: ids.flatMap((id) =>
          ['a', 'b', 'c', 'd', 'e'].map((scenario) => ({
            ...example,
            clause: id,
            scenario,
            difference: {
              kind: 'field' as const,
              of: 'task' as const,
              fields: [id],
              expected: '1',
              actual: '2',
            },
          })),
        ),
      },
      { ...plainly, width: 100 },
    );
    expect(summary).toContain('\nFindings (30)\n');
    expect(summary).toContain('\n  and 18 more findings, about clause-12, clause-13,');
    expect(summary).toMatch(/clause-19 and 10\s+more/);
  });

  test('tells what several clauses and scenarios have in common once', () => {
    const [violation] = violatedRun.violations;
    const [clause] = violatedRun.clauses;
    if (violation === undefined || clause === undefined) throw new Error('the example is empty');
    const ids = ['a.starts', 'a.ends', 'a.splits', 'a.combines', 'a.filters'];
    const summary = renderSummary(
      {
        ...violatedRun,
        clauses: ids.map((id) => ({ ...clause, id, verdict: 'violated' })),
        violations: ids.map((id) => ({ ...violation, clause: id })),
      },
      plainly,
    );
    expect(summary).toContain('\nFindings (1)\n');
    expect(summary.match(/expected {2}/g)).toHaveLength(1);
    expect(summary.replaceAll(/\s+/g, ' ')).toContain(
      'clauses a.starts (stated), a.ends (stated), a.splits (stated), a.combines (stated) and 1 more',
    );
  });

  test('says before the verdict which tasks are not as they were before, and what to do', () => {
    const summary = renderSummary(
      { ...violatedRun, verdict: 'conformant', clauses: conformantRun.clauses, violations: [] },
      { ...plainly, width: 200 },
    );
    expect(summary).toMatch(
      /\n {2}1 task is left as somebody else has changed it\. 1 task could NOT be put back\. This command tries again, .*\n {2}npm run contract -- restore --base-url \S+\n\nTASKS LEFT CHANGED .* 1 task could NOT be put back\.\n$/,
    );
  });

  test('shows where long texts differ', () => {
    const [violation] = violatedRun.violations;
    if (violation === undefined) throw new Error('the example is empty');
    const comment = 'a comment '.repeat(400);
    const summary = renderSummary(
      {
        ...violatedRun,
        violations: [
          {
            ...violation,
            difference: {
              kind: 'field',
              of: 'task',
              fields: ['assignment.assignment_comment'],
              expected: JSON.stringify(comment),
              actual: JSON.stringify(comment.slice(0, 255)),
            },
          },
        ],
      },
      { ...plainly, width: 500 },
    );
    expect(summary).toContain('" (255 of 4,000 characters)\n');
  });

  test('tells of an export beside another one what it asks for otherwise', () => {
    const [violation] = violatedRun.violations;
    const [exchange] = exampleExchanges;
    if (violation === undefined || exchange === undefined) throw new Error('the example is empty');
    const exported = 'https://eu.staging.example/v5/audit-sentinel/events/export?sub_type=task';
    const seeAlso = (shown: string, compared: string): string | undefined => {
      const exchanges = [shown, compared].map((query, index) => ({
        ...exchange,
        number: index + 1,
        request: { method: 'GET', url: `${exported}${query}`, headers: [] },
      }));
      const on = exchanges.map(({ number }) => ({ request: 'GET …/export', exchange: number }));
      const violations = [{ ...violation, on }];
      const summary = renderSummary(
        { ...violatedRun, violations },
        { ...plainly, width: 200, exchanges },
      );
      return /see also {2}(.*)/.exec(summary)?.[1];
    };
    expect(seeAlso('&file_type=pdf', '')).toBe('#2 the same without file_type=pdf');
    expect(seeAlso('&timezone=Etc%2FGMT%2B5', '&timezone=UTC&locale=de')).toBe(
      '#2 the same with timezone=UTC, locale=de',
    );
    expect(seeAlso('&sub_type=a', '')).toBe('#2 the same without sub_type=a');
    expect(seeAlso('', '')).toBe('#2 GET /v5/audit-sentinel/events/export?sub_type=task');
    expect(seeAlso('&a=1&b=2', '&a=2&b=3')).toBe(
      '#2 GET /v5/audit-sentinel/events/export?sub_type=task&a=2&b=3',
    );
  });

  test('shows what is not configured by variable, those that cost most first', () => {
    const lacks = (...variables: string[]) => [
      {
        kind: 'not configured' as const,
        lacks: variables.map((variable) => ({ variable, what: 'something' })),
      },
    ];
    const unusable = { value: 'cadff918', status: 404 };
    const clauses = conformantRun.clauses.map((one, index) => ({
      ...one,
      level: 'stated' as const,
      verdict: 'not judged' as const,
      reasons:
        index === 0
          ? [
              {
                kind: 'not configured' as const,
                lacks: [
                  { variable: 'ASSESSMENT_IDS', what: 'an assessment', unusable: [unusable] },
                ],
              },
            ]
          : [
              ...lacks('MAILBOX_URL', 'TASK_IDS', 'USER_IDS'),
              ...lacks(...(index < 4 ? ['USER_IDS', 'TASK_IDS'] : ['MAILBOX_URL'])),
            ],
    }));
    const summary = renderSummary({ ...conformantRun, verdict: 'incomplete', clauses }, plainly);
    expect(summary).toContain(
      [
        '  MAILBOX_URL: something → 6 clauses',
        '  TASK_IDS + USER_IDS: something; something → 3 clauses',
        '  ASSESSMENT_IDS: an assessment; ASSESSMENT_IDS: cadff918 is not there (404) → 1',
        '    clause',
        '',
      ].join('\n'),
    );
  });

  test('may be the last line alone, which is the verdict', () => {
    const line = renderSummary(violatedRun, { ...plainly, detail: 'quiet' });
    expect(line).toBe(
      'VIOLATIONS  3 findings; of 6 clauses 3 upheld, 2 violated (1 stated, 1 implied), 1 inconclusive. 1 task could NOT be put back.\n',
    );
    expect(renderSummary(violatedRun, plainly).endsWith(`\n${line}`)).toBe(true);
  });

  test('says at once that a run was interrupted', () => {
    expect(renderSummary(interruptedRun, { ...plainly, detail: 'quiet' })).toMatch(
      /^INCOMPLETE, INTERRUPTED BY SIGINT, of the embedded reference service {2}/,
    );
  });
});

function recorder() {
  const writes: string[] = [];
  return { writes, write: (text: string) => writes.push(text) };
}

const state = {
  ...{ finished: 12, total: 64, requests: 87, throttled: 0 },
  ...{ current: 'a task is read', violations: [] },
};

describe('progress', () => {
  test('renews one line on a terminal, at most twenty times a second, and takes it away', () => {
    const stream = recorder();
    let time = 0;
    const progress = createProgress(stream, { isTTY: true, now: () => time });
    progress.update(state);
    time = 20;
    progress.update({ ...state, finished: 13 });
    time = 60;
    progress.update({ ...state, finished: 14 });
    progress.done();
    expect(stream.writes).toEqual([
      '\r[12/64] a task is read … 87 requests\u001b[K',
      '\r[14/64] a task is read … 87 requests\u001b[K',
      '\r\u001b[K',
    ]);
  });

  test('stays on one line of a narrow terminal', () => {
    const stream = recorder();
    const progress = createProgress(stream, { isTTY: true, width: 32, now: () => 0 });
    progress.update(state);
    expect(stream.writes).toEqual(['\r[12/64] a task i … 87 requests\u001b[K']);
  });

  test('writes a plain line every ten seconds where there is no terminal', () => {
    const stream = recorder();
    let time = 0;
    const progress = createProgress(stream, { isTTY: false, now: () => time });
    for (time = 0; time <= 25_000; time += 1000) progress.update(state);
    progress.done();
    expect(stream.writes).toEqual([
      '[12/64] a task is read … 87 requests\n',
      '[12/64] a task is read … 87 requests\n',
    ]);
  });

  test('says what to set where the target answers too many requests with 429', () => {
    const stream = recorder();
    createProgress(stream, { isTTY: true, now: () => 0 }).update({ ...state, throttled: 9 });
    expect(stream.writes).toEqual([
      '\r[12/64] a task is r … 87 requests, 9 answered 429: set MAX_REQUESTS_PER_SECOND\u001b[K',
    ]);
  });

  test('lets nothing of a name steer the terminal', () => {
    const stream = recorder();
    createProgress(stream, { isTTY: true, now: () => 0 }).update({
      ...state,
      current: '\u001b[2J',
    });
    expect(stream.writes).toEqual(['\r[12/64] \\u001b[2J … 87 requests\u001b[K']);
  });

  test('says what is violated once for each finding, above the line that renews itself', () => {
    const stream = recorder();
    const progress = createProgress(stream, { isTTY: true, now: () => 0 });
    const [, stale] = violatedRun.violations;
    if (stale === undefined) throw new Error('There is no violation.');
    progress.update(state);
    for (const scenario of ['one', 'another']) {
      progress.update({ ...state, violations: [{ ...stale, scenario }] });
    }
    expect(stream.writes).toEqual([
      '\r[12/64] a task is read … 87 requests\u001b[K',
      '\r\u001b[K',
      '  ✗ PUT …/update-assignment accepts an If-Match one version old: 200, not 409\n',
      '\r[12/64] a task is read … 87 requests\u001b[K',
    ]);
  });

  test('writes what is violated into a log at once, without what would steer it', () => {
    const stream = recorder();
    const { violations } = hostileRun;
    createProgress(stream, { isTTY: false, now: () => 0 }).update({ ...state, violations });
    expect(stream.writes.length).toBeGreaterThan(0);
    for (const line of stream.writes) expect(line).toMatch(/^ {2}✗ [^\p{Cc}\u202e]+\n$/u);
  });
});
