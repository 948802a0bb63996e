import { nowOn } from '../base/clock.js';
import { changeTarget, pathOf, readTarget } from './oauth/oauth-target.js';
import type { AnyTask, AnyValues } from './environment/runtime-environment.js';
import type { RuntimeContext } from './definition/context.js';

/** Work that an installation repeats. */
export interface RecurringTask {
  /** Queues the first task. Does nothing if the next one is already queued. */
  start(context: RuntimeContext): Promise<void>;
  /**
   * Call this first in your `task` handler, and do the work only if it resolves to true. By then, the next task is queued.
   * Resolves to false for other tasks, and for duplicates.
   */
  isDue(task: AnyTask, context: RuntimeContext): Promise<boolean>;
}

/** A task may not be delayed longer, so longer waits consist of several tasks. */
const longestDelayMs = 86_400_000;

/** The planned task of a series. `until` is when the work is due. */
interface Planned {
  series: string;
  at: number;
  until: number;
}

/**
 * Repeats work for an installation. `next` receives the current time in milliseconds, and returns when the work is due.
 * That time is stored in the installation's configuration, so the work runs once even if a task is repeated or two calls
 * start it. If another call overwrites the configuration at that moment, the work continues.
 *
 * @example
 * ```ts
 * import { createIntegration, createRecurringTask } from 'integration-platform';
 *
 * const digest = createRecurringTask('digest', (now) => now + 86_400_000);
 *
 * export default createIntegration({
 *   events: { installation_setup: (_event, context) => digest.start(context) },
 *   async task(task, context) {
 *     if (await digest.isDue(task, context)) console.log('Sending the digest');
 *   },
 * });
 * ```
 */
export function createRecurringTask(type: string, next: (now: number) => number): RecurringTask {
  const key = `recurring_${type}`;
  const read = async (context: RuntimeContext) => {
    const { configuration } = await readTarget(context, pathOf(context.environment));
    const planned = configuration[key] as Planned | undefined;
    return { configuration, planned, now: nowOn(context.clock) };
  };
  const plan = async (
    context: RuntimeContext,
    { configuration, now }: { configuration: AnyValues; now: number },
    { series, until }: Pick<Planned, 'series' | 'until'>,
  ): Promise<void> => {
    const { api, environment } = context;
    const payload: Planned = { series, until, at: Math.min(until, now + longestDelayMs) };
    // If this call ends in between, the current task stays valid, so it can be run again.
    await api.integrations.queueIntegrationTask(environment.integration.name, {
      task: { type, payload },
      schedule: Math.max(0, Math.ceil((payload.at - now) / 1000)),
    });
    await changeTarget(context, pathOf(environment), { configuration: { [key]: payload } }, configuration);
  };
  return {
    async start(context) {
      const stored = await read(context);
      const { planned, now } = stored;
      if (!planned || planned.at <= now)
        await plan(context, stored, { series: crypto.randomUUID(), until: next(now) });
    },
    async isDue(task, context) {
      if (task.type !== type) return false;
      const { series, at, until } = task['payload'] as Planned;
      const stored = await read(context);
      const { planned, now } = stored;
      // The stored time is too early if another call has overwritten it.
      if (planned && (planned.series !== series || planned.at > at)) return false;
      const isEarly = at < until;
      await plan(context, stored, { series, until: isEarly ? until : next(now) });
      return !isEarly;
    },
  };
}
