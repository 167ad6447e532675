import { expect, test } from 'vitest';
import { repeatsText, unusableLines } from './wording.ts';

const byOperation = { 'update-assignment': 0, 'get-task': 0, 'get-assessment': 0, export: 0 };
const none = {
  total: 510,
  repeated: 0,
  lost: 0,
  throttled: 0,
  failed: [],
  serverErrors: [],
  byOperation,
};

test('requests that had to be repeated are named by operation and cause, and those that were lost all the same', () => {
  const counts = {
    ...none,
    repeated: 19,
    failed: [
      { operation: 'get-task', cause: 429, count: 12, repeated: 12 },
      { operation: 'export', cause: 'cut off', count: 8, repeated: 6 },
      { operation: 'get-assessment', cause: 'refused', count: 1, repeated: 1 },
      { operation: 'update-assignment', cause: 'timed out', count: 1, repeated: 0 },
      { operation: 'export', cause: 'given up', count: 3, repeated: 0 },
    ],
  } as const;
  expect(repeatsText({ ...counts, failed: [...counts.failed] })).toBe(
    ', 19 of them repeats; failed: 12 GET /tasks/{id} (429, sent again), 8 exports (a connection that was ' +
      'cut off, 6 sent again), 1 GET /assessments/{id} (a refused connection, sent again), ' +
      '1 PUT /tasks/{id}/update-assignment (a timeout)',
  );
});

test('server errors are named with their exchanges, those that passed apart', () => {
  const counts = {
    ...none,
    repeated: 3,
    failed: [
      { operation: 'export', cause: 500, count: 2, repeated: 2 },
      { operation: 'get-task', cause: 429, count: 1, repeated: 1 },
    ],
    serverErrors: [
      { operation: 'export', status: 500, passed: true, on: [12] },
      { operation: 'get-task', status: 500, passed: false, on: [3, 4, 5, 6, 7, 8, 9] },
    ],
  } as const;
  const lists = { failed: [...counts.failed], serverErrors: [] };
  expect(repeatsText({ ...counts, ...lists })).toBe(
    ', 3 of them repeats; failed: 1 GET /tasks/{id} (429, sent again)',
  );
  const serverErrors = counts.serverErrors.map((one) => ({ ...one, on: [...one.on] }));
  expect(repeatsText({ ...counts, ...lists, serverErrors })).toBe(
    ', 3 of them repeats; failed: 1 GET /tasks/{id} (429, sent again); server errors: ' +
      '1 export (500: #12, passed), 7 GET /tasks/{id} (500: #3, #4, #5, #6, #7, #8 and 1 more)',
  );
});

test('repeats are counted, also where none failed', () => {
  expect(repeatsText({ ...none, repeated: 2 })).toBe(', 2 of them repeats');
  expect(repeatsText(none)).toBe('');
});

test('where nothing tells whose id is wrong, each list is named', () => {
  const value = '4cde07f6-d8c7-4011-84fa-d9aceed1508c';
  const or = [
    { variable: 'USER_IDS', value: 'ann' },
    { variable: 'USER_IDS', value: 'bob' },
    { variable: 'TEAM_IDS', value: 'desk' },
  ];
  expect(unusableLines([{ variable: 'ASSIGNED_BY_ID', value, status: 404, or }])).toEqual([
    `ASSIGNED_BY_ID: ${value} is refused by the target (404), or ids in USER_IDS and TEAM_IDS are wrong, or exchanged: correct it, or take it out.`,
  ]);
});
