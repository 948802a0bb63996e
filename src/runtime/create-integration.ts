import type { RuntimeContext } from './context.js';
import type { IntegrationDefinition } from './integration-definition.js';
import { serveEnvelope, type HostContext } from './serve/serve-envelope.js';

/** What a script exports by default: a web fetch handler that takes envelopes. */
export interface IntegrationScript {
  fetch(request: Request, env?: unknown, ctx?: HostContext): Promise<Response>;
}

/**
 * The entry point of an integration. Export its result by default.
 *
 * @example
 * ```ts
 * import { createIntegration } from 'integration-platform';
 *
 * export default createIntegration({
 *   fetch: async (request) => Response.json({ path: new URL(request.url).pathname }),
 *   events: {
 *     space_content_updated: async (event) => {
 *       console.log(`Space ${event.spaceId} is at revision ${event.revisionId}`);
 *     },
 *   },
 * });
 * ```
 */
export const createIntegration = <Context extends RuntimeContext = RuntimeContext>(
  definition: IntegrationDefinition<Context>,
): IntegrationScript => {
  const script = {
    fetch: (request: Request, _env?: unknown, ctx?: HostContext) => serveEnvelope(definition, request, ctx),
    // For tools that want to know what a script handles without asking it.
    [Symbol.for('integration-platform')]: definition,
  };
  return script;
};
