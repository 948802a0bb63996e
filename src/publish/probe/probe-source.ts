import type { Script } from './probe-host.js';

/** Where the probe tells what it knows. */
export const describePath = '/describe';

/**
 * The script with a line before it and a default export of ours behind it: it responds as the script does, and
 * tells what the script handles. The author's lines keep their places in the source map.
 * With an origin it keeps `fetch` to that origin, and notes which others were wanted.
 */
export function renderProbe({ code, map }: Script, origin?: string): Script {
  const [exported = ''] = /\bexport \{[^{}]*\};?\s*$/.exec(code) ?? [];
  const name = /([\w$]+) as default\b/.exec(exported)?.[1];
  const own = exported === '' ? code : code.slice(0, -exported.length);
  return { code: `${prelude(origin)}\n${own}\n${describe(name)}`, map: oneLineDown(map) };
}

/** The bundler writes its maps with every line of the code in `mappings`, separated by semicolons. */
function oneLineDown(map: string): string {
  const parsed = JSON.parse(map) as { mappings: string };
  return JSON.stringify({ ...parsed, mappings: `;${parsed.mappings}` });
}

const prelude = (origin: string | undefined): string =>
  `const __probe = { blocked: [], began: performance.now() };${origin === undefined ? '' : guard(origin)}`;

const guard = (origin: string): string =>
  `
__probe.fetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const address = new URL(input instanceof Request ? input.url : input);
  if (address.origin === ${JSON.stringify(origin)}) return __probe.fetch(input, init);
  __probe.blocked.push(address.host);
  throw new TypeError('publish-check refuses outbound requests: ' + address.host);
};`.replaceAll('\n', ' ');

const describe = (name: string | undefined): string => `
__probe.script = ${name ?? 'undefined'};
__probe.took = performance.now() - __probe.began;
__probe.describe = () => {
  const definition = __probe.script?.[Symbol.for('integration-platform')];
  return {
    took: __probe.took,
    blocked: __probe.blocked,
    isIntegration: typeof __probe.script?.fetch === 'function',
    definition: definition && {
      members: Object.keys(definition),
      events: Object.keys(definition.events ?? {}),
      components: (definition.components ?? []).map(({ componentId }) => componentId),
    },
  };
};
export default {
  fetch: async (request, env, context) =>
    request.method === 'OPTIONS'
      ? Response.json(__probe.describe())
      : __probe.script.fetch(request, env, context),
};
`;
