import type { Clock } from '../../base/clock.js';
import { createApiClient, type PlatformApi } from '../api/api-client.js';
import type { QueuedTask } from '../api/api-resources.js';
import type { AnyTask, RuntimeEnvironment } from '../environment/runtime-environment.js';

/**
 * Passed to every handler as the last argument.
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
  /** The installation that the call is for, its configuration, secrets and URLs. */
  environment: Env;
  /** API client, authenticated as the installation, or as the integration if the call has no installation. */
  api: PlatformApi;
  /** Acts on behalf of the integration instead of a single installation. */
  integration: {
    /** API client that acts as the integration. */
    api: PlatformApi;
    /** Makes the platform call your `task` handler later. The task runs without an installation. */
    queueTask(task: QueuedTask<TaskPayload>): Promise<void>;
  };
  /** Keeps the script running until the promise settles, even after the response is sent. */
  waitUntil(promise: Promise<unknown>): void;
  /** The platform's clock. Tests can set it. */
  clock?: Pick<Clock, 'now'> | undefined;
}

/** A function that receives the context as its last argument. */
export type RuntimeCallback<
  Input extends unknown[],
  Result,
  Context extends RuntimeContext = RuntimeContext,
> = (...args: [...Input, Context]) => Result;

/** A hand-written envelope may omit fields that the platform always sends. */
interface AtLeast {
  apiEndpoint?: string;
  apiTokens?: Partial<RuntimeEnvironment['apiTokens']>;
  integration?: Partial<RuntimeEnvironment['integration']>;
}

/**
 * Creates a context from an environment, for code that runs outside `createIntegration`.
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
