import type { Script } from './probe-host.js';

/** Where the probe tells what it knows. */
export const describePath = '/describe';

/**
 * The script with a line before it and a default export of ours behind it: it responds as the script does, and
 * tells what the script handles. The author's lines keep their places in the source map.
 * With an origin it keeps `fetch` to that origin, and notes which others were wanted.
 */
export function renderProbe({ code, map }: Script, origin?: string): Script {
  const found = /(?:^|\n)export (?:\{([^{}]*)\}|default (.*?));?\s*$/.exec(code);
  const [, list = '', expression = /([\w$]+) as default\b/.exec(list)?.[1]] = found ?? [];
  // Only the first line of a file may be one for a shell.
  const own = code.slice(0, found?.index).replace(/^#!/, '//');
  return { code: `${prelude(origin)}\n${own}\n${describe(expression)}`, map: oneLineDown(map) };
}

/** The bundler writes its maps with every line of the code in `mappings`, separated by semicolons. */
function oneLineDown(map: string): string {
  const parsed = JSON.parse(map) as { mappings: string };
  return JSON.stringify({ ...parsed, mappings: `;${parsed.mappings}` });
}

const prelude = (origin: string | undefined): string =>
  `const __probe = { blocked: [], loading: true, began: performance.now() };${origin === undefined ? '' : guard(origin)}`;

const guard = (origin: string): string =>
  `
__probe.fetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (__probe.loading) return __probe.fetch(input, init);
  const address = new URL(input instanceof Request ? input.url : input);
  if (address.origin === ${JSON.stringify(origin)}) return __probe.fetch(input, init);
  __probe.blocked.push(address.host);
  throw new TypeError('publish-check refuses outbound requests: ' + address.host);
};`.replaceAll('\n', ' ');

const describe = (exported: string | undefined): string => `
__probe.script = ${exported ?? 'undefined'};
__probe.loading = false;
__probe.took = performance.now() - __probe.began;
__probe.describe = () => {
  const definition = __probe.script?.[Symbol.for('integration-platform')];
  const ids = (list, key) => [list ?? []].flat().map((one) => String(one?.[key]));
  return {
    took: __probe.took,
    blocked: __probe.blocked,
    isIntegration: typeof __probe.script?.fetch === 'function',
    definition: definition && {
      members: Object.keys(definition),
      events: Object.keys(definition.events ?? {}),
      components: ids(definition.components, 'componentId'),
      contentSources: ids(definition.contentSources, 'sourceId'),
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
