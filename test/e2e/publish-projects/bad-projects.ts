import { inManifest, inSource } from '../../publish/checks/defect.js';
import { source, type Files } from '../../publish/project-under-check.js';

/** A project, and the one problem that is reported: its severity, its code, its file and line. */
export type BadProject = [what: string, files: Files, expected: string];

const index = 'src/index.tsx';
const lines = source.split('\n').length;
const before = (code: string): Files => ({ [index]: `${code}\n${source}` });
const after = (code: string): Files => ({ [index]: `${source}${code}` });
const rendering = (code: string): Files => inSource('return <block><text>Sunny</text></block>;', code);
const setup = (code: string): Files =>
  inSource(
    'space_content_updated: async () => {},',
    `space_content_updated: async () => {}, installation_setup: async (event, context) => { ${code} },`,
  );
const inPackage = (code: string, script: Files): Files => ({
  ...script,
  'node_modules/helper/package.json': '{ "name": "helper", "main": "index.js" }',
  'node_modules/helper/index.js': code,
});

const own = `${index}:${lines}`;
const inManifestLine = (line: number): string => `platform-manifest.yaml:${line}`;
const script = inManifestLine(12);

/** What a worker refuses, or what cannot work there. */
export const badProjects: BadProject[] = [
  // While the module loads.
  ['a timer', after('setTimeout(() => {}, 5);'), `error publish/start ${own}`],
  [
    'a timer in a helper',
    { ...before("import './poll';"), 'src/poll.ts': '\nsetInterval(() => {}, 1000);' },
    'error publish/start src/poll.ts:2',
  ],
  [
    'a random id created while loading',
    after('export const id = crypto.randomUUID();'),
    `error publish/start ${own}`,
  ],
  [
    'a request awaited while loading',
    after("await fetch('https://api.acme.dev');"),
    `error publish/start ${own}`,
  ],
  [
    'a request that is not awaited',
    after("void fetch('https://api.acme.dev');"),
    `warning publish/start ${own}`,
  ],
  [
    'an error in a microtask',
    after("queueMicrotask(() => { throw new Error('late'); });"),
    `warning publish/start ${own}`,
  ],
  [
    'use of the browser window',
    after("window.addEventListener('load', () => {});"),
    `error publish/start ${own}`,
  ],
  ['process.env', after('export const length = process.env.KEY.length;'), `error publish/start ${own}`],
  [
    "another bundler's variables",
    after('export const key = import.meta.env.VITE_KEY;'),
    `error publish/start ${own}`,
  ],
  ['a thrown value that is not an error', after('throw { code: 5 };'), `error publish/start ${script}`],
  [
    'a package with a timer',
    inPackage('setInterval(() => {}, 1000);', before("import 'helper';")),
    `error publish/start ${script}`,
  ],
  [
    'a package that reads files',
    inPackage("require('fs').readFileSync('x');", before("import 'helper';")),
    'error publish/start src/index.tsx:1',
  ],
  [
    'a package that compiles strings',
    inPackage("new Function('return 1')();", before("import 'helper';")),
    `error publish/start ${script}`,
  ],
  // In code that may never run here.
  [
    'eval on the global object',
    after('export const run = (text: string) => globalThis.eval(text);'),
    `error bundle/refused-api ${own}`,
  ],
  [
    'eval by another name',
    after('const run = eval; export const two = () => run("2");'),
    `error bundle/refused-api ${own}`,
  ],
  [
    'a module imported by a computed name',
    after('export const load = (name: string) => import(name);'),
    `error bundle/refused-api ${own}`,
  ],
  [
    'WebAssembly from bytes',
    after('export const run = (bytes: Uint8Array) => WebAssembly.instantiate(bytes);'),
    `error bundle/refused-api ${own}`,
  ],
  [
    'a Node module in a helper',
    {
      ...before("import { read } from './read'; export { read };"),
      'src/read.ts': "import fs from 'fs';\nexport const read = () => fs.readFileSync('x');",
    },
    'error bundle/node-import src/read.ts:1',
  ],
  [
    'a Node module loaded with require',
    after("export const read = () => require('fs/promises').readFile('x');"),
    `error bundle/node-import ${own}`,
  ],
  [
    'use of import.meta.url',
    after("export const logo = new URL('./logo.svg', import.meta.url);"),
    `warning bundle/non-portable-api ${own}`,
  ],
  // The build.
  [
    'a file that is not bundled',
    { ...before("import code from './code.wasm'; export { code };"), 'src/code.wasm': '\0asm' },
    `error bundle/unknown-file-type ${index}:1`,
  ],
  [
    'a package that is not installed',
    before("import { render } from 'not-installed-here'; render();"),
    `error bundle/unresolved-import ${index}:1`,
  ],
  [
    'a package that fails when it is used',
    inPackage("module.exports = () => new Function('return 1')();", {
      [index]: `import one from 'helper';\n${source.replace('<text>Sunny</text>', '<text>{one()}</text>')}`,
    }),
    `error publish/render ${index}:7`,
  ],
  // What the script exports, handles and renders.
  ['an empty script', { [index]: '' }, `error publish/default-export ${script}`],
  [
    'a promise as default export',
    {
      [index]: source
        .replace('export default createIntegration(', 'export default Promise.resolve(createIntegration(')
        .replace(/\);\n$/, '));\n'),
    },
    `error publish/default-export ${script}`,
  ],
  [
    'a string instead of an element',
    rendering("return 'Sunny' as never;"),
    `error publish/render ${inManifestLine(20)}`,
  ],
  [
    'two components with the same id',
    inSource('[weather, screen]', '[weather, screen, { ...weather }]'),
    `warning publish/missing-component ${script}`,
  ],
  [
    'a component without an id',
    inSource('[weather, screen]', '[weather, screen, (() => null) as never]'),
    `warning publish/missing-component ${script}`,
  ],
  [
    'a missing content source',
    inManifest(
      'secrets:\n',
      'contentSources:\n  - id: pages\n    title: Pages\n    description: All of its pages.\nsecrets:\n',
    ),
    `error publish/missing-component ${inManifestLine(40)}`,
  ],
  [
    'an unknown event',
    inSource('space_content_updated:', 'space_content_update: async () => {}, space_content_updated:'),
    `warning publish/event-scope ${script}`,
  ],
  [
    'tasks without a handler',
    setup("await context.integration.queueTask({ task: { type: 'sync' }, schedule: 60 });"),
    `warning publish/event-scope ${script}`,
  ],
  ['a setup that fails', setup("throw new Error('No luck');"), `warning publish/settings ${index}:36`],
  // Endpoints.
  [
    'a completion without a body',
    inSource("Response.json(['Bern', 'Oslo'])", 'new Response(null, { status: 204 })'),
    `error publish/endpoints ${inManifestLine(30)}`,
  ],
  [
    'a handler that returns nothing',
    inSource("Response.json(['Bern', 'Oslo'])", 'undefined as never'),
    'error publish/endpoints src/index.tsx:20',
  ],
  [
    'an OAuth URL without a scheme',
    inSource('https://provider.acme.dev/authorize', 'provider.acme.dev/authorize'),
    `error publish/endpoints ${inManifestLine(35)}`,
  ],
  [
    'OAuth without a client id',
    inSource(
      'clientId: context.environment.secrets.CLIENT_ID',
      "clientId: context.environment.secrets.CLIENT_ID && ''",
    ),
    `error publish/endpoints ${inManifestLine(35)}`,
  ],
  // The manifest.
  [
    'an unknown scope',
    inManifest('space:content:read', 'space:content:reed'),
    `error manifest/unknown-scope ${inManifestLine(11)}`,
  ],
  [
    'an endpoint on another host',
    inManifest('/places', 'https://acme.dev/places'),
    `error manifest/endpoint-path ${inManifestLine(30)}`,
  ],
  [
    'a link to localhost',
    inManifest('https://docs.acme.dev/weather', 'https://127.0.0.1/weather'),
    `warning publish/external-links ${inManifestLine(18)}`,
  ],
  [
    'a link that runs code',
    inManifest('https://docs.acme.dev/weather', 'javascript:alert(1)'),
    `error manifest/invalid-url ${inManifestLine(18)}`,
  ],
  [
    'an icon that is an HTML page',
    { 'icon.png': '<html></html>' },
    `error manifest/unreadable-image ${inManifestLine(13)}`,
  ],
  [
    'a description that is still a to-do',
    inManifest('Shows the weather of a place, in a block that readers can refresh.', 'TODO'),
    `warning publish/description ${inManifestLine(3)}`,
  ],
  [
    'a secret as the default of a property',
    inManifest('title: Place\n', 'title: Place\n        default: client-id-of-acme\n'),
    `error publish/leaked-secret ${inManifestLine(30)}`,
  ],
  [
    'a secret in an imported file',
    {
      ...before("import settings from './settings.json'; export { settings };"),
      'src/settings.json': '{\n"id": "client-id-of-acme" }',
    },
    'error publish/leaked-secret src/settings.json:2',
  ],
  [
    "an environment's secret",
    inManifest('secrets:\n', 'envs:\n  staging:\n    secrets:\n      CLIENT_ID: abc-4711-secret\nsecrets:\n'),
    `error manifest/literal-secret ${inManifestLine(42)}`,
  ],
  [
    'a required property that is not declared',
    inManifest('      - place\n', '      - town\n'),
    `error manifest/unknown-required ${inManifestLine(37)}`,
  ],
];
