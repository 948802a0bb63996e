import { Type } from 'typebox';
import type { Task } from '../../protocol/events.js';
import { defineRoutes, described, name, oneOf, optional, type Static, text, typed } from '../basics/route.js';
import { ofIntegration, targetFields } from '../basics/resources.js';

const QueuedTask = Type.Object({
  id: text,
  integration: ofIntegration,
  task: typed<Task>()(Type.Object({ type: text })),
  target: Type.Object(targetFields),
  dueAt: Type.Number(),
  delayMs: optional(Type.Number()),
  queuedBy: optional(text, 'The id of the call that queued the task.'),
  state: described(oneOf('waiting', 'running', 'paused'), "`paused`: the task's installation is paused."),
});
export type QueuedTask = Static<typeof QueuedTask>;

const thing = { id: text, title: text };

const ClockResource = Type.Object({
  now: Type.Number(),
  ahead: Type.Number({ description: "How many milliseconds the clock is ahead of the machine's." }),
  due: Type.Array(
    Type.Object({
      at: Type.Number(),
      what: oneOf('task', 'retry', 'expiry'),
      ...thing,
      integration: ofIntegration,
      call: optional(text, 'The id of the call that queued the task.'),
      why: optional(text, 'Why the delivery is retried.'),
    }),
  ),
});
export type DueItem = Static<typeof ClockResource>['due'][number];
export type ClockResource = Static<typeof ClockResource>;

const Happened = Type.Object({
  at: Type.Number(),
  what: oneOf('call', 'delivery'),
  ...thing,
  result: text,
  failed: Type.Boolean(),
});
export type Happened = Static<typeof Happened>;

const MovedClock = Type.Object({
  now: Type.Number(),
  ahead: Type.Number(),
  done: Type.Boolean({ description: 'False if the request must be repeated to reach the time.' }),
  stopped: Type.Optional({
    ...oneOf('same-instant', 'too-many-calls'),
    description: 'The limit that was reached: 100 calls at one instant, or 10,000 calls.',
  }),
  happened: Type.Array(Happened),
});
export type MovedClock = Static<typeof MovedClock>;

const snapshot = Type.Object({ name });

export const stateRoutes = defineRoutes({
  'GET /tasks': { summary: 'List the queued tasks, next due first', output: Type.Array(QueuedTask) },
  'POST /tasks/{task}/run': {
    summary: 'Run a task now, and wait for it to finish',
    input: Type.Object({ task: name }),
    output: Type.Object({ call: described(text, 'The id of the call that ran the task.') }),
    errors: ['unknown-task', 'task-running', 'paused', 'not-installed'],
  },
  'DELETE /tasks/{task}': {
    summary: 'Cancel a task that is not running',
    input: Type.Object({ task: name }),
    errors: ['unknown-task', 'task-running'],
  },
  'GET /clock': { summary: "Show the platform's time, and what is due", output: ClockResource },
  'POST /clock': {
    summary: 'Let time pass until `to`, or set the clock back. Returns after about a second',
    input: Type.Object({
      to: Type.Integer({
        minimum: 0,
        maximum: Date.UTC(9999, 11, 31),
        description: 'Milliseconds since the Unix epoch.',
      }),
      untilIdle: Type.Optional(Type.Boolean({ description: 'Stop when nothing else is due.' })),
    }),
    output: MovedClock,
    errors: ['fixed-clock', 'clock-moving'],
  },
  'DELETE /clock': { summary: "Follow the machine's time again", errors: ['fixed-clock', 'clock-moving'] },
  'GET /snapshots': {
    summary: 'List the saved states',
    output: Type.Array(Type.Object({ name: text, savedAt: Type.Number() })),
  },
  'PUT /snapshots/{name}': {
    summary: 'Save installations, configurations, tasks and blocks under a name',
    input: snapshot,
  },
  'POST /snapshots/{name}/load': {
    summary: 'Restore a saved state, without sending events',
    input: snapshot,
    errors: ['unknown-state'],
  },
  'DELETE /snapshots/{name}': { summary: 'Delete a saved state', input: snapshot, errors: ['unknown-state'] },
});
