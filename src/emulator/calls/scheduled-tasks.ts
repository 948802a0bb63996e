import type { Clock } from '../../base/clock.js';
import type { Task } from '../../protocol/events.js';
import type { CallCause, CallEffect } from '../../protocol/log-and-outbound-types.js';
import type { StateStore } from '../../store/state/state-store.js';
import type { Background } from '../../base/background-work.js';
import type { InstallTarget } from '../state/script-environments.js';
import type { EventFeed } from '../live/event-feed.js';
import type { CallRecorder } from './call-recorder.js';
import type { EventSender } from './event-sender.js';
import { HttpError, notFound } from '../http/http-error.js';
import { newId } from '../state/new-id.js';
import { createCollection } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';

/** A task that a script has queued for later. */
interface QueuedTask {
  id: string;
  task: Task;
  target: InstallTarget;
  dueAt: number;
  /** The requested delay. Unknown for a task that an earlier version queued. */
  delayMs?: number;
  /** The call that queued it. */
  queuedBy?: string;
}

export interface Tasks {
  queue(task: Task, delayMs: number, target: InstallTarget, queuedBy?: string): QueuedTask;
  all(): QueuedTask[];
  /** Runs the task without waiting for its time. */
  runNow(id: string): Promise<void>;
  /** Checks for due tasks: after a start, or when a pause ends. */
  wake(): void;
  close(): void;
}

export function createTasks(deps: {
  registry: Registry;
  events: EventSender;
  recorder: Pick<CallRecorder, 'ledTo'>;
  state: StateStore;
  clock: Clock;
  feed: EventFeed;
  background: Background;
}): Tasks {
  const { registry, events, recorder, state, clock, feed, background } = deps;
  const tasks = createCollection<QueuedTask>(state, 'tasks');
  const running = new Set<string>();
  const latest = createLatestTimes(clock);
  let alarm = new AbortController();
  let closed = false;

  const waits = ({ target }: QueuedTask): boolean =>
    target.installation !== undefined && registry.installations.get(target.installation)?.paused === true;

  /** Removed from the state only after it has run: after a crash or a stop in the middle it runs again. */
  const run = async (queued: QueuedTask): Promise<void> => {
    if (running.has(queued.id)) return;
    running.add(queued.id);
    try {
      const { target, task } = queued;
      const event = { type: 'task', installationId: target.installation ?? '', task } as const;
      const fired = await events.fire(event, target, { cause: causeOf(queued) });
      if (wasPaused(fired) || (closed && fired.outcome === 'failed')) return;
      tasks.delete(queued.id);
      latest.forget(queued.id);
      const change = fired.outcome === 'withheld' ? 'dropped' : 'finished';
      feed.emit({ type: 'task', task: queued.id, change });
    } finally {
      running.delete(queued.id);
    }
  };

  const wake = (): void => {
    alarm.abort();
    if (closed) return;
    alarm = new AbortController();
    const isDue = (task: QueuedTask): boolean =>
      task.dueAt <= clock.now() || latest.of(task) <= clock.monotonic();
    const idle = tasks.all().filter((task) => !running.has(task.id) && !waits(task));
    const [due, waiting] = [idle.filter(isDue), idle.filter((task) => !isDue(task))];
    for (const task of due) background.run(run(task));
    if (waiting.length === 0) return;
    const first = Math.min(...waiting.map(({ dueAt }) => dueAt));
    const inMs = Math.min(...waiting.map(latest.of)) - clock.monotonic();
    const { signal } = alarm;
    Promise.race([clock.sleepUntil(first, signal), clock.sleep(inMs, signal)]).then(wake, () => {});
  };

  return {
    queue(task, delayMs, target, queuedBy) {
      const time = clock.now();
      const queued: QueuedTask = { id: newId('task'), task, target, dueAt: time + delayMs, delayMs };
      if (queuedBy !== undefined) {
        queued.queuedBy = queuedBy;
        recorder.ledTo(queuedBy, taskEffect(queued, time));
      }
      tasks.put(queued.id, queued);
      feed.emit({ type: 'task', task: queued.id, change: 'queued' });
      wake();
      return queued;
    },
    all: () => tasks.all(),
    async runNow(id) {
      const queued = tasks.get(id);
      if (!queued) throw notFound(`There is no task ${id}.`);
      if (waits(queued)) throw new HttpError(409, 'paused', 'The installation of this task is paused.');
      await run(queued);
    },
    wake,
    close() {
      closed = true;
      alarm.abort();
    },
  };
}

const wasPaused = (fired: Awaited<ReturnType<EventSender['fire']>>): boolean =>
  fired.outcome === 'withheld' && fired.reason === 'paused';

const causeOf = ({ id, queuedBy }: QueuedTask): CallCause => ({
  type: 'task',
  task: id,
  ...(queuedBy !== undefined && { call: queuedBy }),
});

const taskEffect = ({ id, task, dueAt }: QueuedTask, time: number): CallEffect => ({
  type: 'task',
  time,
  id,
  title: task.type,
  dueAt,
});

/** The latest time for each task, on the monotonic clock: tasks run even if the wall clock is set back. */
function createLatestTimes(clock: Clock) {
  const times = new Map<string, number>();
  return {
    of({ id, dueAt, delayMs = Infinity }: QueuedTask): number {
      const time = times.get(id) ?? clock.monotonic() + Math.min(dueAt - clock.now(), delayMs);
      times.set(id, time);
      return time;
    },
    forget: (id: string): void => void times.delete(id),
  };
}
