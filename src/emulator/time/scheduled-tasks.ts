import type { PlatformBase } from '../state/platform-base.js';
import type { QueuedTask as ListedTask } from '../../contract/routes/state.js';
import type { Clock } from '../../base/clock.js';
import type { Task } from '../../protocol/events.js';
import type { CallCause, CallEffect } from '../../protocol/log-and-outbound-types.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import type { CallRecorder } from '../calls/call-recorder.js';
import type { EventSender, FiredEvent } from '../calls/event-sender.js';
import { HttpError } from '../http/http-error.js';
import { newId } from '../state/new-id.js';
import { createCollection } from '../state/installation-records.js';

/** A task that a script has queued for later. `delayMs` is undefined if an older version of the platform queued it. */
type QueuedTask = Omit<ListedTask, 'state'>;

/** A script that queues its next task with at least this delay cannot cause a storm. */
const leastDelayMs = 1000;

export type Tasks = ReturnType<typeof createTasks>;

export function createTasks(
  deps: Pick<PlatformBase, 'registry' | 'state' | 'clock' | 'feed' | 'background'> & {
    environments: Pick<Environments, 'of'>;
    events: EventSender;
    recorder: Pick<CallRecorder, 'ledTo'>;
  },
) {
  const { registry, environments, events, recorder, state, clock, feed, background } = deps;
  const tasks = createCollection<QueuedTask>(state, 'tasks');
  const running = new Set<string>();
  const latest = createLatestTimes(clock);
  let alarm = new AbortController();
  let closed = false;

  const end = (task: string, change: 'dropped' | 'finished' | 'cancelled'): void => {
    tasks.delete(task);
    latest.forget(task);
    feed.emit({ type: 'task', task, change });
  };

  const waits = ({ target }: QueuedTask): boolean =>
    target.installation !== undefined && registry.installations.get(target.installation)?.paused === true;

  /**
   * A task is removed from the state only after it has run. If the platform crashes or stops before that, the task runs again.
   */
  const run = async (queued: QueuedTask): Promise<FiredEvent> => {
    running.add(queued.id);
    try {
      const { target, task } = queued;
      const event = { type: 'task', installationId: target.installation ?? '', task } as const;
      const cause = causeOf(queued);
      const isLater = queued.delayMs === undefined || queued.delayMs >= leastDelayMs;
      const fired = await events.fire(event, target, { cause, from: isLater ? undefined : queued.queuedBy });
      if (wasPaused(fired) || (closed && fired.outcome === 'failed')) return fired;
      end(queued.id, fired.outcome === 'withheld' ? 'dropped' : 'finished');
      return fired;
    } finally {
      running.delete(queued.id);
    }
  };

  /** Drops the tasks of removed installations, and runs those that are due. Called when the platform or an installation changes. */
  const wake = (): void => {
    alarm.abort();
    if (closed) return;
    alarm = new AbortController();
    const isDue = (task: QueuedTask): boolean =>
      task.dueAt <= clock.now() || latest.of(task) <= clock.monotonic();
    const idling = tasks.all().filter(({ id }) => !running.has(id));
    for (const { id, target } of idling) if (!environments.of(target)) end(id, 'dropped');
    const resting = idling.filter((task) => tasks.get(task.id) && !waits(task));
    const [due, waiting] = [resting.filter(isDue), resting.filter((task) => !isDue(task))];
    for (const task of due) background.run(run(task).then(() => {}));
    if (waiting.length === 0) return;
    const first = Math.min(...waiting.map(({ dueAt }) => dueAt));
    const inMs = Math.min(...waiting.map(latest.of)) - clock.monotonic();
    const { signal } = alarm;
    Promise.race([clock.sleepUntil(first, signal), clock.sleep(inMs, signal)]).then(wake, () => {});
  };

  const stateOf = (task: QueuedTask): ListedTask['state'] => {
    if (running.has(task.id)) return 'running';
    return waits(task) ? 'paused' : 'waiting';
  };

  const idle = (id: string): QueuedTask => {
    const queued = tasks.get(id);
    if (!queued) {
      const known = tasks.all().map((task) => task.id);
      throw new HttpError(
        404,
        'unknown-task',
        `${id} is not queued. It has run, was cancelled, lost its installation or never existed.`,
        { given: id, known },
      );
    }
    if (running.has(id)) throw new HttpError(409, 'task-running', 'This task is running.');
    return queued;
  };

  return {
    queue(task: Task, delayMs: number, target: InstallTarget, queuedBy?: string) {
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
    /** Returns the tasks, starting with the next one to run. */
    all: () =>
      tasks
        .all()
        .map((task): ListedTask => {
          // The clock may have been set back since.
          const soonest = clock.now() + Math.round(latest.of(task) - clock.monotonic());
          return { ...task, dueAt: Math.min(task.dueAt, soonest), state: stateOf(task) };
        })
        .sort((a, b) => a.dueAt - b.dueAt),
    /** Runs the task now instead of waiting until it is due. */
    async runNow(id: string) {
      const queued = idle(id);
      if (waits(queued))
        throw new HttpError(409, 'paused', 'The installation that this task belongs to is paused.');
      const fired = await run(queued);
      if ('call' in fired) return { call: fired.call };
      throw new HttpError(
        409,
        fired.reason,
        fired.reason === 'paused'
          ? 'The installation that this task belongs to was paused before the task ran.'
          : 'The integration was uninstalled before the task ran.',
      );
    },
    cancel(id: string) {
      idle(id);
      end(id, 'cancelled');
      wake();
    },
    wake,
    close() {
      closed = true;
      alarm.abort();
    },
  };
}

const wasPaused = (fired: FiredEvent): boolean => fired.outcome === 'withheld' && fired.reason === 'paused';

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

/**
 * Returns each task's deadline on the monotonic clock, so that tasks run even if the wall clock is set back.
 */
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
