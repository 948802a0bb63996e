import { after, before, inManifest, inSource } from './defect.js';
import { manifest, source, type Files } from '../project-under-check.js';

const index = 'src/index.tsx';
const rendering = (code: string): Files =>
  inSource(
    'async render() {\n    return <block><text>Sunny</text></block>;',
    `async render(element, context) {\n    ${code}`,
  );
const replace = (text: string, ...pairs: [string, string][]): string =>
  pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The text has no ${from}.`);
    return result.replace(from, () => to);
  }, text);
const onMessage = (code: string): Files =>
  inSource('space_content_updated: async () => {},', `space_content_updated: async () => {}, ${code}`);
const inPackage = (code: string, script: Files): Files => ({
  ...script,
  'node_modules/helper/package.json': '{ "name": "helper", "main": "index.js" }',
  'node_modules/helper/index.js': code,
});

/** Settings of a site or a space, which the script reads from that installation. */
const inSection = (section: 'site' | 'space', id: string): Files => ({
  'platform-manifest.yaml': replace(manifest, ['  account:\n', `  ${section}:\n`]),
  [index]: replace(
    source,
    ['async render(element) {', 'async render(element, context) {'],
    ['element.props.installation.configuration', `context.environment.${section}Installation.configuration`],
    ["Response.json(['Bern', 'Oslo'])", `Response.json([context.environment.${section}Installation.${id}])`],
    [
      'return createOAuthHandler({',
      `if (!context.environment.${section}Installation.${id}) throw new Error('nowhere');\n        return createOAuthHandler({`,
    ],
  ),
});

const wrapped = (code: string): Files => ({
  [index]: replace(source, ['export default createIntegration(', 'const inner = createIntegration(']) + code,
});

/** They run in production, although they look odd. */
export const oddProjects: [what: string, files: Files][] = [
  [
    'Node types',
    before(
      "import type { Readable } from 'node:stream';\nimport { type Server } from 'node:http';\nexport type Both = Readable | Server;",
    ),
  ],
  [
    'a type-only import',
    before("import { Readable } from 'node:stream';\nexport const same = (stream: Readable) => stream;"),
  ],
  [
    'values that may be created while loading',
    after(
      "export const made = [Math.random(), Date.now(), performance.now(), new URL('https://a.dev'), new Headers({ a: 'b' }), new Response(null).ok, structuredClone({})];",
    ),
  ],
  [
    'a digest computed while loading',
    after("export const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('x'));"),
  ],
  [
    'a timer in a handler',
    rendering(
      'await new Promise((resolve) => setTimeout(resolve, 1)); return <block><text>{crypto.randomUUID()}</text></block>;',
    ),
  ],
  ['site configuration', inSection('site', 'site')],
  ['space configuration', inSection('space', 'space')],
  [
    'a CommonJS script',
    {
      [index]: replace(
        source,
        [
          "import { createComponent, createIntegration, createOAuthHandler, routePath } from 'integration-platform';",
          "const { createComponent, createIntegration, createOAuthHandler, routePath } = require('integration-platform');",
        ],
        ['export default createIntegration', 'module.exports = createIntegration'],
      ),
    },
  ],
  ['a shebang line', { [index]: `#!/usr/bin/env node\n${source}` }],
  [
    'a default export from another file',
    {
      [index]: "export * from './integration';\nexport { default } from './integration';",
      'src/integration.tsx': source,
    },
  ],
  [
    'other exports next to the default one',
    after(
      'export { weather as default2 };\nexport function other() {}\nexport const text = "export { x as default };";',
    ),
  ],
  [
    'a class instance',
    wrapped(
      'class Outer { #inner = inner; fetch(...args: Parameters<typeof inner.fetch>) { return this.#inner.fetch(...args); } }\nexport default Object.assign(new Outer(), inner, { fetch: inner.fetch });',
    ),
  ],
  [
    'a copied definition',
    wrapped(
      'export default { ...inner, fetch: (...args: Parameters<typeof inner.fetch>) => inner.fetch(...args) };',
    ),
  ],
  ['a frozen definition', wrapped('export default Object.freeze(inner);')],
  [
    'a file name with a space',
    {
      'platform-manifest.yaml': replace(manifest, ['./src/index.tsx', './src/my skript ü.tsx']),
      'src/my skript ü.tsx': source,
    },
  ],
  [
    'Windows line endings',
    { 'platform-manifest.yaml': manifest.replaceAll('\n', '\r\n'), [index]: source.replaceAll('\n', '\r\n') },
  ],
  [
    'tsconfig aliases',
    {
      ...before("import { one } from '@/one';\nexport const two = one + 1;"),
      'src/one.ts': 'export const one = 1;',
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    },
  ],
  [
    'decorators, enums and namespaces',
    {
      ...after(
        'function log(target: object, key: string) {}\nenum Color { Red }\nnamespace Names { export const first = Color.Red; }\nclass Box { @log open() { return Names.first; } }\nexport const box = new Box();',
      ),
      'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    },
  ],
  [
    'methods named like blocked APIs',
    after(
      "export const own = { eval: (text: string) => text, require: (name: string) => name };\nown.eval('1');\nown.require('fs');",
    ),
  ],
  [
    'its own Buffer class',
    {
      ...before("import { Buffer } from './buffer';\nexport const bytes = Buffer.from('a');"),
      'src/buffer.ts': 'export const Buffer = { from: (text: string) => [...text] };',
    },
  ],
  [
    'a check whether process exists',
    after(
      'export const a = globalThis.process?.versions?.node !== undefined || typeof process === "object";',
    ),
  ],
  [
    'the type Function',
    after('export const isFunction = (value: unknown): value is Function => value instanceof Function;'),
  ],
  [
    'a package with a guarded eval',
    inPackage(
      "let all; try { all = Function('return this')(); } catch { all = globalThis; } module.exports = all;",
      before("import all from 'helper';\nexport const same = all === globalThis;"),
    ),
  ],
  [
    'a component that reads data from the API',
    rendering(
      'const { data } = await context.api.spaces.getSpaceById(context.environment.spaceInstallation.space); return <block><text>{data.title}</text></block>;',
    ),
  ],
  ['logged errors', rendering("console.error('careful'); return <block><text>Sunny</text></block>;")],
  ['a component that renders a fragment', rendering('return <><text>Sunny</text></>;')],
  [
    'a component that waits for its properties',
    rendering(
      'return element.props.url ? <block><text>{element.props.url}</text></block> : <block><text>Paste a link</text></block>;',
    ),
  ],
  [
    'several handlers of one event',
    inSource('space_content_updated: async () => {}', 'space_content_updated: [async () => {}, () => {}]'),
  ],
  [
    'a setup that fails until it is configured',
    onMessage(
      "installation_setup: async (event, { environment }) => { if (environment.installation.status !== 'active') throw new Error('Not configured yet'); },",
    ),
  ],
  [
    'a setup that stores an id',
    onMessage(
      'installation_setup: async (event, { api, environment }) => { await api.integrations.updateIntegrationInstallation(environment.integration.name, environment.installation.id, { externalIds: ["acme"] }); },',
    ),
  ],
  [
    'tasks and their handler',
    {
      [index]: replace(
        source,
        [
          'space_content_updated: async () => {},',
          "space_content_updated: async (event, { integration }) => { await integration.queueTask({ task: { type: 'sync' }, schedule: 60 }); },",
        ],
        ['  events: {', '  task: async () => {},\n  events: {'],
      ),
    },
  ],
  [
    'a content source',
    {
      'platform-manifest.yaml': replace(manifest, [
        'secrets:\n',
        'contentSources:\n  - id: pages\n    title: Pages\n    description: All of its pages.\nsecrets:\n',
      ]),
      [index]: replace(
        source,
        ['import { ', 'import { createContentSource, '],
        [
          '  components:',
          "  contentSources: [createContentSource({ sourceId: 'pages', getRevision: async () => ({ pages: [] }), getPageDocument: async () => undefined })],\n  components:",
        ],
      ),
    },
  ],
  [
    'a block called constructor',
    {
      'platform-manifest.yaml': replace(manifest, ['  - id: weather\n', '  - id: constructor\n']),
      [index]: replace(source, ["componentId: 'weather'", "componentId: 'constructor'"]),
    },
  ],
  [
    'no properties, blocks or secrets',
    {
      'platform-manifest.yaml': manifest.slice(0, manifest.indexOf('blocks:')),
      [index]:
        "import { createIntegration } from 'integration-platform';\nexport default createIntegration({ events: { space_content_updated: async () => {} } });",
    },
  ],
  [
    'a manifest with an environment',
    inManifest('secrets:\n', 'envs:\n  staging:\n    title: Weather (staging)\nsecrets:\n'),
  ],
];
