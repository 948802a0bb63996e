/** Where the probe tells what it knows. */
export const describePath = '/describe';

/**
 * A module around the script: it answers as the script does, and tells what the script handles.
 * With an origin it keeps `fetch` to that origin, and notes which others were wanted.
 */
export const renderProbe = (code: string, origin?: string): string => `
const blocked = [];
${origin === undefined ? '' : renderGuard(origin)}
const begin = performance.now();
const { default: script } = await import('data:text/javascript;base64,${Buffer.from(code).toString('base64')}');
const took = performance.now() - begin;
const definition = script?.[Symbol.for('integration-platform')];
const about = () => ({
  took,
  blocked,
  isIntegration: typeof script?.fetch === 'function',
  definition: definition && {
    members: Object.keys(definition),
    events: Object.keys(definition.events ?? {}),
    components: (definition.components ?? []).map(({ componentId }) => componentId),
  },
});
export default {
  fetch: async (request, env, context) =>
    request.method === 'OPTIONS' ? Response.json(about()) : script.fetch(request, env, context),
};
`;

const renderGuard = (origin: string): string => `
const network = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const address = new URL(input instanceof Request ? input.url : input);
  if (address.origin === ${JSON.stringify(origin)}) return network(input, init);
  blocked.push(address.host);
  throw new TypeError('publish-check reaches no network: ' + address.host);
};`;
