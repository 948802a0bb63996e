import type { RuntimeContext } from './definition/context.js';
import type { IntegrationDefinition } from './definition/integration-definition.js';
import { serveEnvelope, type HostContext } from './serve/serve-envelope.js';

/** The script's default export: a fetch handler for the platform's envelopes. */
export interface IntegrationScript {
  /** Handles one envelope. */
  fetch(request: Request, env?: unknown, ctx?: HostContext): Promise<Response>;
}

/**
 * Creates an integration. Use the result as the script's default export.
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
    // Lets tools list the script's handlers without calling them.
    [Symbol.for('integration-platform')]: definition,
  };
  return script;
};
