import { expect, test } from 'vitest';
import { exchange } from './exchange.fixture.ts';
import { Recorder } from './recorder.ts';

test('numbers are given when requests are sent, and exchanges stand in that order', () => {
  const recorder = new Recorder();
  const { operation, scenario, request } = exchange;
  const wire = { method: 'GET', url: request.url, headers: {}, route: 'direct' } as const;
  const sent = { operation, scenario, ...wire };
  const [first, second] = [recorder.begin(), recorder.begin()];
  recorder.record({ ...sent, ...second });
  recorder.record({ ...sent, ...first });
  expect(recorder.sent).toBe(2);
  expect(recorder.exchanges.map(({ number }) => number)).toEqual([1, 2]);
});

test('the time of the run never runs back', () => {
  const recorder = new Recorder();
  const before = recorder.elapsed();
  expect(before).toBeGreaterThanOrEqual(0);
  expect(recorder.elapsed()).toBeGreaterThanOrEqual(before);
});
