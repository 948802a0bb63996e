import type { DueItem, QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { useResource } from './use-resource.js';

export const useTasks = (): readonly QueuedTask[] =>
  useResource(
    'tasks',
    () => api('GET /tasks'),
    ({ type }) => type === 'task' || type === 'state-loaded' || type === 'installation',
  ).data ?? [];

/** Returns how many tasks have run. */
export const useTaskRuns = (): number =>
  useResource(
    'number of task runs',
    () => api('GET /calls/count', { type: 'task' }),
    (event) => event.type === 'call-started' && event.call.type === 'task',
  ).data?.matching ?? 0;

const changesDue = new Set([
  'task',
  'state-loaded',
  'installation',
  'delivery',
  'endpoint',
  'call-finished',
  'clock',
]);

/** Returns everything that is due, starting with what comes next. */
export const useDue = (): readonly DueItem[] =>
  useResource(
    'due',
    async () => (await api('GET /clock')).due,
    ({ type }) => changesDue.has(type),
  ).data ?? [];
