import type { Handlers } from '../../contract/console-api.js';
import type { stateRoutes as contract } from '../../contract/routes/state.js';
import type { ClockMoves } from './move-clock.js';
import type { Tasks } from './scheduled-tasks.js';
import type { Snapshots } from './snapshots.js';

export const stateRoutes = (
  snapshots: Snapshots,
  tasks: Tasks,
  clockMoves: ClockMoves,
): Handlers<keyof typeof contract> => ({
  'GET /tasks': tasks.all,
  'POST /tasks/{task}/run': ({ task }) => tasks.runNow(task),
  'DELETE /tasks/{task}': ({ task }) => tasks.cancel(task),
  'GET /clock': clockMoves.show,
  'POST /clock': ({ to, untilIdle }) => clockMoves.move(to, untilIdle),
  'DELETE /clock': clockMoves.reset,
  'GET /snapshots': snapshots.all,
  'PUT /snapshots/{name}': ({ name }) => snapshots.save(name),
  'POST /snapshots/{name}/load': ({ name }) => snapshots.load(name),
  'DELETE /snapshots/{name}': ({ name }) => snapshots.remove(name),
});
