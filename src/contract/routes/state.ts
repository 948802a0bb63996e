import { Type } from 'typebox';
import type { Task } from '../../protocol/events.js';
import { defineRoutes, name, noInput, nothing, oneOf, text, typed, type Static } from '../basics/route.js';
import { targetFields } from '../basics/resources.js';

const QueuedTask = Type.Object({
  id: text,
  task: typed<Task>(Type.Object({ type: text })),
  target: Type.Object(targetFields),
  dueAt: Type.Number(),
  delayMs: Type.Optional(Type.Number()),
  queuedBy: Type.Optional(Type.String({ description: 'The id of the call that queued the task.' })),
  state: {
    ...oneOf('waiting', 'running', 'paused'),
    description: "`paused`: the task's installation is paused.",
  },
});
export type QueuedTask = Static<typeof QueuedTask>;

const snapshot = Type.Object({ name });

export const stateRoutes = defineRoutes({
  'GET /tasks': {
    summary: 'List the queued tasks, next due first',
    input: noInput,
    output: Type.Array(QueuedTask),
    errors: [],
  },
  'POST /tasks/{task}/run': {
    summary: 'Run a task now, and wait for it to finish',
    input: Type.Object({ task: name }),
    output: Type.Object({ call: Type.String({ description: 'The id of the call that ran the task.' }) }),
    errors: ['unknown-task', 'task-running', 'paused', 'not-installed'],
  },
  'DELETE /tasks/{task}': {
    summary: 'Cancel a task that is not running',
    input: Type.Object({ task: name }),
    output: nothing,
    errors: ['unknown-task', 'task-running'],
  },
  'GET /snapshots': {
    summary: 'List the saved states',
    input: noInput,
    output: Type.Array(Type.Object({ name: text, savedAt: Type.Number() })),
    errors: [],
  },
  'PUT /snapshots/{name}': {
    summary: 'Save installations, configurations, tasks and blocks under a name',
    input: snapshot,
    output: nothing,
    errors: [],
  },
  'POST /snapshots/{name}/load': {
    summary: 'Restore a saved state, without sending events',
    input: snapshot,
    output: nothing,
    errors: ['unknown-state'],
  },
  'DELETE /snapshots/{name}': {
    summary: 'Delete a saved state',
    input: snapshot,
    output: nothing,
    errors: ['unknown-state'],
  },
});
