import type { Clock } from '../base/clock.js';
import { createApiClient, type PlatformApi, type QueuedTask } from './api/api-client.js';
import type { AnyTask, RuntimeEnvironment } from './runtime-environment.js';

/**
 * What every handler is given.
 *
 * @example
 * ```ts
 * import type { RuntimeContext } from 'integration-platform';
 *
 * async function titleOf({ api }: RuntimeContext, space: string): Promise<string> {
 *   const { data } = await api.spaces.getSpaceById(space);
 *   return data.title;
 * }
 * ```
 */
export interface RuntimeContext<
  Env extends RuntimeEnvironment = RuntimeEnvironment,
  TaskPayload extends object = AnyTask,
> {
  environment: Env;
  /** Acts as the installation in play, or else as the integration. */
  api: PlatformApi;
  integration: {
    /** Acts as the integration. */
    api: PlatformApi;
    /** Has the platform call `task` later, as the integration: with no installation in play. */
    queueTask(task: QueuedTask<TaskPayload>): Promise<void>;
  };
  /** Work that goes on after the answer. The host stays until it has ended. */
  waitUntil(promise: Promise<unknown>): void;
  /** The host's clock. */
  clock?: Pick<Clock, 'now'> | undefined;
}

/** A function that is given the context after its other arguments. */
export type RuntimeCallback<
  Input extends unknown[],
  Result,
  Context extends RuntimeContext = RuntimeContext,
> = (...args: [...Input, Context]) => Result;

/** An envelope made by hand may hold less than an environment should. */
interface AtLeast {
  apiEndpoint?: string;
  apiTokens?: Partial<RuntimeEnvironment['apiTokens']>;
  integration?: Partial<RuntimeEnvironment['integration']>;
}

/**
 * The context for an environment, for code that runs outside of `createIntegration`.
 *
 * @example
 * ```ts
 * import { createContext, type RuntimeEnvironment } from 'integration-platform';
 *
 * async function refresh(environment: RuntimeEnvironment): Promise<void> {
 *   const pending: Promise<unknown>[] = [];
 *   const context = createContext(environment, (promise) => pending.push(promise));
 *   await context.integration.queueTask({ task: { type: 'refresh' }, schedule: 3600 });
 *   await Promise.all(pending);
 * }
 * ```
 */
export const createContext = <Env extends RuntimeEnvironment = RuntimeEnvironment>(
  environment: Env,
  waitUntil: (promise: Promise<unknown>) => void,
  clock?: Pick<Clock, 'now'>,
): RuntimeContext<Env> => {
  const { apiEndpoint = '', apiTokens = {}, integration = {} } = environment as AtLeast;
  const { name = '', version } = integration;
  const clientOf = (authToken: string | undefined): PlatformApi =>
    createApiClient({ endpoint: apiEndpoint, authToken, userAgent: `integration-${name}/${version}` });
  const asIntegration = clientOf(apiTokens.integration);

  return {
    environment,
    api: clientOf(apiTokens.installation ?? apiTokens.integration),
    integration: {
      api: asIntegration,
      queueTask: async (task) => void (await asIntegration.integrations.queueIntegrationTask(name, task)),
    },
    waitUntil,
    clock,
  };
};
