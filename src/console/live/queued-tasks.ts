import type { QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { useResource } from './use-resource.js';

export const useTasks = (): readonly QueuedTask[] =>
  useResource(
    'tasks',
    () => api('GET /tasks'),
    ({ type }) => type === 'task' || type === 'state-loaded' || type === 'installation',
  ).data ?? [];
