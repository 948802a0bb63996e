import { Type } from 'typebox';
import type { Task } from '../../protocol/events.js';
import { defineRoutes, name, noInput, nothing, text, typed } from '../basics/route.js';
import { targetFields } from '../basics/resources.js';

const QueuedTask = Type.Object({
  id: text,
  task: typed<Task>(Type.Object({ type: text })),
  target: Type.Object(targetFields),
  dueAt: Type.Number(),
  delayMs: Type.Optional(Type.Number()),
  queuedBy: Type.Optional(Type.String({ description: 'The call that queued it.' })),
});

const snapshot = Type.Object({ name });

export const stateRoutes = defineRoutes({
  'GET /tasks': {
    summary: 'List the tasks that are queued',
    input: noInput,
    output: Type.Array(QueuedTask),
    errors: [],
  },
  'POST /tasks/{task}/run': {
    summary: 'Run a task now',
    input: Type.Object({ task: name }),
    output: nothing,
    errors: ['not-found', 'paused'],
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
