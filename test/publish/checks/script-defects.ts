import { after, before, inManifest, inSource, type Defect } from './defect.js';
import { png } from '../png.js';
import { manifest, type Files } from '../project-under-check.js';

/** Concatenated so that secret scanners do not flag this file. */
const token = (...parts: string[]): string => parts.join('');
const letters =
  'q7RtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL1Az0OqRtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL';
const leak = (value: string): Files =>
  inSource('<text>Sunny</text>', `<text>{${JSON.stringify(value)}}</text>`);

const of = (
  code: string,
  ...defects: [what: string, files: Files, options?: NonNullable<Defect[3]>][]
): Defect[] => defects.map(([what, files, ...options]) => [what, files, code, ...options]);
const make = 'export default createIntegration(';
const handler = 'space_content_updated: async () => {},';
const drawn = 'return <block><text>Sunny</text></block>;';
const list = "Response.json(['Bern', 'Oslo'])";
const replaced = (text: string, from: string, to: string): Files => ({
  '../old/platform-manifest.yaml': text.replace(from, to),
  '../old/package.json': '{ "version": "1.1.0" }',
});
const elsewhere = { ...before("import '../../elsewhere.js';"), '../elsewhere.js': 'export {};' };

export const scriptDefects: Defect[] = [
  ...[
    'http://localhost:3000',
    'https://127.0.0.1/api',
    'ws://api.localhost',
    'http://[::1]:8080/x?y',
  ].flatMap((url) =>
    of('publish/local-address', [`a URL of the machine, ${url}`, after(`export const api = '${url}';`)]),
  ),
  ...[
    'https://api.example.com/v2',
    'https://provider.example',
    'wss://your-service.io/events',
    'https://<tenant>.acme.dev/',
    'https://auth.yourcompany.com:8443?x',
  ].flatMap((url) =>
    of('publish/placeholder-url', [`a placeholder host, ${url}`, after(`export const api = '${url}';`)]),
  ),
  ...of(
    'publish/script',
    ['a missing script', inManifest('script: ./src/index.tsx\n', '')],
    ['a script that cannot be parsed', inSource('export default', 'export default default')],
    ['an import of a missing file', before("import './nowhere';")],
  ),
  ...of(
    'publish/web-apis',
    ['a Node module', before("import { hostname } from 'node:os';\nhostname();")],
    ['a Node module without the node: prefix', before("import { join } from 'path';\njoin();")],
    ['code generated from a string', after('export const run = (text: string) => eval(text);')],
    ['process.env', after('export const key = () => process.env.KEY;'), { verdict: 'warn' }],
  ),
  ...of(
    'publish/outside-source',
    ['a source file outside the project', { ...elsewhere, '../package.json': '{ "workspaces": ["*"] }' }],
    ['a source file outside the repository', elsewhere, { verdict: 'fail' }],
  ),
  ...of(
    'publish/start',
    ['a script that throws while loading', after("throw new Error('No luck');")],
    ['a script that needs a browser page', after('console.log(document.title);')],
    [
      'a package that needs a Node module',
      { ...before("import 'old';"), 'node_modules/old/index.js': `require('net');` },
    ],
    [
      'a script that loads slowly',
      after('await new Promise((resolve) => setTimeout(resolve, 1100));'),
      { verdict: 'warn' },
    ],
  ),
  ...of(
    'publish/default-export',
    ['a missing default export', inSource(make, 'export const integration = createIntegration(')],
    ['a default export that is not an integration', inSource(`${make}{`, 'export default ({')],
    [
      'a default export that is a class',
      inSource(`${make}{`, 'createIntegration({}); export default class {} ({'),
    ],
  ),
  ...of(
    'publish/missing-component',
    [
      'a block without a component',
      inManifest('blocks:\n', 'blocks:\n  - id: forecast\n    title: Forecast\n    description: The days.\n'),
    ],
    [
      'a configuration screen without a component',
      inManifest('componentId: screen', 'componentId: settings'),
    ],
  ),
  ...of(
    'publish/render',
    ['a component that throws', inSource(drawn, "throw new Error('No weather');")],
    ['a component that renders nothing', inSource(drawn, '')],
    [
      'a configuration screen that needs an unset value',
      inSource('<text>{place}</text>', '<text>{element.props.installation.configuration.other.name}</text>'),
    ],
  ),
  ...of('publish/unknown-markup', [
    'an unknown element',
    inSource('<text>Sunny</text>', '<txet>Sunny</txet>'),
    { verdict: 'warn' },
  ]),
  ...of('publish/settings', [
    'a property that setup removes again',
    inSource(
      handler,
      `${handler} installation_setup: async (event, { api, environment }) => { if (event.status === 'active') await api.integrations.updateIntegrationInstallation(environment.integration.name, environment.installation.id, { configuration: {} }); },`,
    ),
  ]),
  ...of(
    'publish/endpoints',
    ['a callback without a handler', inSource("case '/oauth':", "case '/connect':")],
    [
      'a callback that fails',
      inSource('return createOAuthHandler({', "throw new Error('x'); return createOAuthHandler({"),
    ],
    ['a completion without a handler', inSource("case '/places':", "case '/towns':")],
    ['a completion that is not a list', inSource(list, 'Response.json({ towns: [] })')],
    [
      'a completion that ends early',
      inSource(
        list,
        "new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('gone')) }))",
      ),
    ],
    [
      'a completion that returns an HTML page',
      inSource(list, "new Response('<p>Bern</p>', { headers: { 'content-type': 'text/html' } })"),
    ],
    ['a completion that lists other things', inSource(list, 'Response.json([1, 2])')],
  ),
  ...of(
    'publish/secret-use',
    ['an undeclared secret', inSource("'Not found'", 'context.environment.secrets.CLIENT_SECRET')],
    ['the same in brackets', inSource("'Not found'", "context.environment.secrets['CLIENT_SECRET']")],
    [
      'an undeclared secret in a destructuring pattern',
      inSource("case '/oauth':", "case '/oauth': const { TOKEN } = context.environment.secrets; TOKEN;"),
    ],
    [
      'an unused secret',
      {
        ...inManifest('secrets:\n', 'secrets:\n  OTHER: ${{ env.OTHER }}\n'),
        '.env': 'CLIENT_ID=client-id-of-acme\nOTHER=another-value\n',
      },
    ],
  ),
  ...of('publish/event-scope', [
    'an event without its scope',
    inSource(handler, `${handler} space_gitsync_started: async () => {},`),
  ]),
  ...['space_viewed', 'comment_created', 'fetch_published_script'].flatMap((event) =>
    of('publish/event-scope', [
      `a handler in events that never runs, for ${event}`,
      inSource(handler, `${handler} ${event}: async () => {},`),
    ]),
  ),
  ...of('publish/unused-scope', [
    'an unused scope',
    inManifest('  - space:content:read\n', '  - space:content:read\n  - openapi:write\n'),
  ]),
  ...of(
    'publish/breaking-change',
    [
      'a removed block',
      replaced(manifest, 'blocks:\n', 'blocks:\n  - id: wind\n    title: Wind\n    description: The wind.\n'),
      { against: 'old' },
    ],
    [
      'an added scope',
      replaced(manifest, '  - space:content:read\n', '  - openapi:read\n'),
      { against: 'old' },
    ],
  ),
  ...of(
    'publish/leaked-secret',
    ['the value of a secret', leak('client-id-of-acme')],
    ['a private key', leak(token('-----BEGIN RSA PRIV', `ATE KEY-----\n${letters.slice(0, 64)}\n`))],
    [
      'a token in an image',
      { 'icon.png': Buffer.concat([png(512, 512), Buffer.from(token('ghp', `_${letters.slice(0, 36)}`))]) },
    ],
    ['a registry token', leak(token('npm', `_${letters.slice(0, 36)}`))],
    ['a password in a URL', leak(token('postgres://admin:', 'q7RtYp2LmXv9@db.acme.dev/weather'))],
    [
      'a token in a manifest comment',
      { 'platform-manifest.yaml': `${manifest}# ${token('xoxb', '-294857203948-', letters.slice(0, 24))}\n` },
    ],
  ),
];
