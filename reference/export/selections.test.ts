import { expect, test } from 'vitest';
import { selectEvents } from '../operations/export.ts';
import type { AuditEvent } from '../records.ts';
import { exportRules } from '../rules/export.ts';
import type { ExportQuery } from './query.ts';
import { isSelectedOnce, joined, selectedOnce } from './selections.ts';

const event = (id: string, eventType: string): AuditEvent => ({
  id,
  at: 0,
  auditeeId: 'user',
  eventType,
  subType: 'created',
  systemSource: 'task_platform',
  metadata: {},
  description: '',
  comment: null,
});
const past = [event('1', 'task'), event('2', 'assessment'), event('3', 'task')];
const query: ExportQuery = {
  lists: { event_type: ['task'] },
  metadata: {},
  fileType: 'csv',
  locale: 'en',
  timezone: 'UTC',
};
const select = (stored: readonly AuditEvent[], rules = exportRules, asked = query) =>
  selectedOnce(stored, asked, rules, (some) => selectEvents(some, asked, rules));
const idsOf = (events: readonly AuditEvent[]) => events.map(({ id }) => id);

test('the same query selects the same list, whatever file it is for', () => {
  const first = select(past);
  expect(idsOf(first)).toEqual(['1', '3']);
  expect(select(past, exportRules, { ...query, fileType: 'pdf', locale: 'de' })).toBe(first);
  expect(isSelectedOnce(first)).toBe(true);
  const range = { ...query, start: 0n, end: 1n };
  expect(select(past, exportRules, range)).not.toBe(first);
});

test('events that came since are selected beside those of the past', () => {
  const own = [event('4', 'assessment')];
  const without = joined(past, own);
  expect(idsOf(select(without))).toEqual(['1', '3']);
  own.push(event('5', 'task'));
  const all = select(joined(past, own));
  expect(idsOf(all)).toEqual(['1', '3', '5']);
  expect(isSelectedOnce(all)).toBe(false);
  expect(idsOf(select(without))).toEqual(['1', '3']);
});

test('a list that has grown is looked at again', () => {
  const growing = [...past];
  expect(idsOf(select(growing))).toEqual(['1', '3']);
  growing.push(event('4', 'task'));
  expect(idsOf(select(growing))).toEqual(['1', '3', '4']);
});

test('what a replaced rule selects is not kept', () => {
  let isLast = false;
  const rules = {
    ...exportRules,
    matchesList(value: string, wanted: readonly string[]) {
      return wanted.includes(value) && !isLast;
    },
  };
  const first = select(past, rules);
  isLast = true;
  expect(idsOf(first)).toEqual(['1', '3']);
  expect(select(past, rules)).toEqual([]);
});
