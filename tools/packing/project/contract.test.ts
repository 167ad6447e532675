import { type ContractOptions, contractSuite } from 'task-audit-contract';

// What a person writes who makes a mock of the service. Where it is stands in the environment here.
const { MOCK_URL = '', API_KEY = '', ASSIGNED_BY_ID } = process.env;
const ids = (name: string): string[] => (process.env[name] ?? '').split(',');

contractSuite({
  name: 'the mock',
  baseUrl: MOCK_URL,
  apiKey: API_KEY,
  taskIds: ids('TASK_IDS'),
  userIds: ids('USER_IDS'),
  teamIds: ids('TEAM_IDS'),
  assignedById: ASSIGNED_BY_ID,
  only: ['conflict.', 'get-task.', 'update.success-status'],
  seed: 1,
});

// On the same tasks: its turn comes when the first one has put them back.
contractSuite({
  baseUrl: MOCK_URL,
  apiKey: API_KEY,
  taskIds: ids('TASK_IDS'),
  only: ['task.assignment'],
});

// @ts-expect-error An option that there is none of.
export const misspelt: ContractOptions = { baseUrl: MOCK_URL, apiKey: API_KEY, taskId: [] };
