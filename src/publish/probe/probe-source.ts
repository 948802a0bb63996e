import type { Script } from './probe-host.js';

/** The path that the probe sends its report to. */
export const describePath = '/describe';

/**
 * Adds a line before the script, and wraps the script's default export to report what the script handles. The source map
 * keeps the author's line numbers.
 */
export function renderProbe({ code, map }: Script): Script {
  const found = /(?:^|\n)export (?:\{([^{}]*)\}|default (.*?)(?<!\s));?\s*$/.exec(code);
  const [, list = '', expression = /(?<![\w$])([\w$]+) as default\b/.exec(list)?.[1]] = found ?? [];
  // A shebang is allowed only in the first line of a file.
  const own = code.slice(0, found?.index).replace(/^#!/, '//');
  return { code: `${prelude}\n${own}\n${describe(expression)}`, map: oneLineDown(map) };
}

/** In `mappings`, the bundler writes one entry for each line of code, separated by semicolons. */
function oneLineDown(map: string): string {
  const parsed = JSON.parse(map) as { mappings: string };
  return JSON.stringify({ ...parsed, mappings: `;${parsed.mappings}` });
}

const prelude = 'const __probe = { began: performance.now() };';

const describe = (exported: string | undefined): string => `
__probe.script = ${exported ?? 'undefined'};
__probe.took = performance.now() - __probe.began;
__probe.describe = () => {
  const definition = __probe.script?.[Symbol.for('integration-platform')];
  const ids = (list, key) => [list ?? []].flat().map((one) => String(one?.[key]));
  return {
    took: __probe.took,
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
