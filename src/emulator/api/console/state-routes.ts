import type { Snapshots } from '../../state/snapshots.js';
import type { Tasks } from '../../calls/scheduled-tasks.js';
import { defineRoute, type ConsoleRoute } from './console-route.js';

export function stateRoutes({ snapshots, tasks }: { snapshots: Snapshots; tasks: Tasks }): ConsoleRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/tasks',
      summary: 'Tasks that wait for their time',
      answer: 'A list of tasks.',
      run: () => tasks.all(),
    }),
    defineRoute({
      method: 'POST',
      path: '/tasks/{task}/run',
      summary: 'Run a task now',
      answer: 'Nothing.',
      run: ({ part }) => tasks.runNow(part('task')),
    }),
    defineRoute({
      method: 'GET',
      path: '/snapshots',
      summary: 'Saved states',
      answer: 'A list of names and times.',
      run: () => snapshots.all(),
    }),
    defineRoute({
      method: 'PUT',
      path: '/snapshots/{name}',
      summary: 'Save installations, configurations, tasks and blocks under a name',
      answer: 'Nothing.',
      run: ({ part }) => snapshots.save(part('name')),
    }),
    defineRoute({
      method: 'POST',
      path: '/snapshots/{name}/load',
      summary: 'Go back to a saved state; no event fires',
      answer: 'Nothing.',
      run: ({ part }) => snapshots.load(part('name')),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/snapshots/{name}',
      summary: 'Forget a saved state',
      answer: 'Nothing.',
      run: ({ part }) => snapshots.remove(part('name')),
    }),
  ];
}
