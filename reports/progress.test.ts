import { describe, expect, test } from 'vitest';
import { hostileRun, violatedRun } from './example-results.fixture.ts';
import { createProgress } from './progress.ts';

function recorder() {
  const writes: string[] = [];
  return { writes, write: (text: string) => writes.push(text) };
}

const state = { finished: 12, total: 64, requests: 87, current: 'a task is read', violations: [] };

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
