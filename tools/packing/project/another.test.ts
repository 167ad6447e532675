import { contractSuite } from 'task-audit-contract';

// Another file, which Vitest runs at the same time, on the same tasks.
const { MOCK_URL = '', API_KEY = '', ASSIGNED_BY_ID } = process.env;
const ids = (name: string): string[] => (process.env[name] ?? '').split(',');

contractSuite({
  name: 'the mock again',
  baseUrl: MOCK_URL,
  apiKey: API_KEY,
  taskIds: ids('TASK_IDS'),
  userIds: ids('USER_IDS'),
  assignedById: ASSIGNED_BY_ID,
  only: ['unassign.task-becomes-unassigned'],
});
