import { inManifest, inSource, type Defect } from './defect.js';
import { png } from '../png.js';
import { manifest, source, type Files } from '../project-under-check.js';

/** Concatenated so that secret scanners do not flag this file. */
const token = (...parts: string[]): string => parts.join('');
const letters =
  'q7RtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL1Az0OqRtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL';
const leak = (value: string): Files =>
  inSource('<text>Sunny</text>', `<text>{${JSON.stringify(value)}}</text>`);

export const scriptDefects: Defect[] = [
  ...['http://localhost:3000', 'https://127.0.0.1/api', 'ws://api.localhost', 'http://[::1]:8080/x?y'].map(
    (url): Defect => [
      `a URL of the machine, ${url}`,
      { 'src/index.tsx': `${source}\nexport const api = '${url}';` },
      'publish/local-address',
    ],
  ),
  ...[
    'https://api.example.com/v2',
    'https://provider.example',
    'wss://your-service.io/events',
    'https://<tenant>.acme.dev/',
    'https://auth.yourcompany.com:8443?x',
  ].map((url): Defect => [
    `a URL with a placeholder host, ${url}`,
    { 'src/index.tsx': `${source}\nexport const api = '${url}';` },
    'publish/placeholder-url',
  ]),
  ['a missing script', inManifest('script: ./src/index.tsx\n', ''), 'publish/script'],
  ['a script that cannot be parsed', inSource('export default', 'export default default'), 'publish/script'],
  ['an import of a missing file', { 'src/index.tsx': `import './nowhere';\n${source}` }, 'publish/script'],
  [
    'node:',
    { 'src/index.tsx': `import { hostname } from 'node:os';\nhostname();\n${source}` },
    'publish/web-apis',
  ],
  [
    'a Node module without the node: prefix',
    { 'src/index.tsx': `import { join } from 'path';\njoin();\n${source}` },
    'publish/web-apis',
  ],
  [
    'code generated from a string',
    { 'src/index.tsx': `${source}\nexport const run = (text: string) => eval(text);` },
    'publish/web-apis',
  ],
  [
    'process.env',
    { 'src/index.tsx': `${source}\nexport const key = () => process.env.KEY;` },
    'publish/web-apis',
    { verdict: 'warn' },
  ],
  [
    'a source file outside the project',
    {
      'src/index.tsx': `import '../../elsewhere.js';\n${source}`,
      '../elsewhere.js': 'export {};',
      '../package.json': '{ "workspaces": ["*"] }',
    },
    'publish/outside-source',
  ],
  [
    'a source file outside the repository',
    { 'src/index.tsx': `import '../../elsewhere.js';\n${source}`, '../elsewhere.js': 'export {};' },
    'publish/outside-source',
    { verdict: 'fail' },
  ],
  ['a throw while loading', { 'src/index.tsx': `${source}\nthrow new Error('No luck');` }, 'publish/start'],
  ['a script for a browser', { 'src/index.tsx': `${source}\nconsole.log(document.title);` }, 'publish/start'],
  [
    'a package that needs a Node module',
    { 'src/index.tsx': `import 'old';\n${source}`, 'node_modules/old/index.js': `require('net');` },
    'publish/start',
  ],
  [
    'a script that loads slowly',
    { 'src/index.tsx': `${source}\nawait new Promise((resolve) => setTimeout(resolve, 1100));` },
    'publish/start',
    { verdict: 'warn' },
  ],
  [
    'a missing default export',
    inSource('export default createIntegration(', 'export const integration = createIntegration('),
    'publish/default-export',
  ],
  [
    'a default export that is not an integration',
    inSource('export default createIntegration({', 'export default ({'),
    'publish/default-export',
  ],
  [
    'a default export that is a class',
    inSource('export default createIntegration({', 'createIntegration({}); export default class {} ({'),
    'publish/default-export',
  ],
  [
    'a block without a component',
    inManifest('blocks:\n', 'blocks:\n  - id: forecast\n    title: Forecast\n    description: The days.\n'),
    'publish/missing-component',
  ],
  [
    'a configuration screen without a component',
    inManifest('componentId: screen', 'componentId: settings'),
    'publish/missing-component',
  ],
  [
    'a component that throws',
    inSource('return <block><text>Sunny</text></block>;', "throw new Error('No weather');"),
    'publish/render',
  ],
  ['a component without markup', inSource('return <block><text>Sunny</text></block>;', ''), 'publish/render'],
  [
    'an unknown element',
    inSource('<text>Sunny</text>', '<txet>Sunny</txet>'),
    'publish/unknown-markup',
    { verdict: 'warn' },
  ],
  [
    'a configuration screen that needs an unset value',
    inSource('<text>{place}</text>', '<text>{element.props.installation.configuration.other.name}</text>'),
    'publish/render',
  ],
  [
    'a property that setup removes again',
    inSource(
      'space_content_updated: async () => {},',
      "space_content_updated: async () => {}, installation_setup: async (event, { api, environment }) => { if (event.status === 'active') await api.integrations.updateIntegrationInstallation(environment.integration.name, environment.installation.id, { configuration: {} }); },",
    ),
    'publish/settings',
  ],
  ['a callback without a handler', inSource("case '/oauth':", "case '/connect':"), 'publish/endpoints'],
  [
    'a callback that fails',
    inSource('return createOAuthHandler({', "throw new Error('x'); return createOAuthHandler({"),
    'publish/endpoints',
  ],
  ['a completion without a handler', inSource("case '/places':", "case '/towns':"), 'publish/endpoints'],
  [
    'a completion that is not a list',
    inSource("Response.json(['Bern', 'Oslo'])", 'Response.json({ towns: [] })'),
    'publish/endpoints',
  ],
  [
    'a completion that ends early',
    inSource(
      "Response.json(['Bern', 'Oslo'])",
      "new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('gone')) }))",
    ),
    'publish/endpoints',
  ],
  [
    'a completion that returns an HTML page',
    inSource(
      "Response.json(['Bern', 'Oslo'])",
      "new Response('<p>Bern</p>', { headers: { 'content-type': 'text/html' } })",
    ),
    'publish/endpoints',
  ],
  [
    'a completion that lists other things',
    inSource("Response.json(['Bern', 'Oslo'])", 'Response.json([1, 2])'),
    'publish/endpoints',
  ],
  [
    'a secret that is not declared',
    inSource("'Not found'", 'context.environment.secrets.CLIENT_SECRET'),
    'publish/secret-use',
  ],
  [
    'an undeclared secret in brackets',
    inSource("'Not found'", "context.environment.secrets['CLIENT_SECRET']"),
    'publish/secret-use',
  ],
  [
    'an undeclared secret in a destructuring pattern',
    inSource("case '/oauth':", "case '/oauth': const { TOKEN } = context.environment.secrets; TOKEN;"),
    'publish/secret-use',
  ],
  [
    'an unused secret',
    {
      ...inManifest('secrets:\n', 'secrets:\n  OTHER: ${{ env.OTHER }}\n'),
      '.env': 'CLIENT_ID=client-id-of-acme\nOTHER=another-value\n',
    },
    'publish/secret-use',
  ],
  [
    'an event without its scope',
    inSource(
      'space_content_updated: async () => {},',
      'space_content_updated: async () => {}, space_gitsync_started: async () => {},',
    ),
    'publish/event-scope',
  ],
  ...['space_viewed', 'comment_created', 'fetch_published_script'].map((event): Defect => [
    `a handler in events that never runs, for ${event}`,
    inSource(
      'space_content_updated: async () => {},',
      `space_content_updated: async () => {}, ${event}: async () => {},`,
    ),
    'publish/event-scope',
  ]),
  [
    'an unused scope',
    inManifest('  - space:content:read\n', '  - space:content:read\n  - openapi:write\n'),
    'publish/unused-scope',
  ],
  [
    'a removed block',
    {
      '../old/platform-manifest.yaml': manifest.replace(
        'blocks:\n',
        'blocks:\n  - id: wind\n    title: Wind\n    description: The wind.\n',
      ),
      '../old/package.json': '{ "version": "1.1.0" }',
    },
    'publish/breaking-change',
    { against: 'old' },
  ],
  [
    'an added scope',
    {
      '../old/platform-manifest.yaml': manifest.replace('  - space:content:read\n', '  - openapi:read\n'),
      '../old/package.json': '{ "version": "1.1.0" }',
    },
    'publish/breaking-change',
    { against: 'old' },
  ],
  ['the value of a secret', leak('client-id-of-acme'), 'publish/leaked-secret'],
  [
    'a private key',
    leak(token('-----BEGIN RSA PRIV', `ATE KEY-----\n${letters.slice(0, 64)}\n`)),
    'publish/leaked-secret',
  ],
  [
    'a token in an image',
    { 'icon.png': Buffer.concat([png(512, 512), Buffer.from(token('ghp', `_${letters.slice(0, 36)}`))]) },
    'publish/leaked-secret',
  ],
  ['a registry token', leak(token('npm', `_${letters.slice(0, 36)}`)), 'publish/leaked-secret'],
  [
    'a password in a URL',
    leak(token('postgres://admin:', 'q7RtYp2LmXv9@db.acme.dev/weather')),
    'publish/leaked-secret',
  ],
  [
    'a token in a manifest comment',
    { 'platform-manifest.yaml': `${manifest}# ${token('xoxb', '-294857203948-', letters.slice(0, 24))}\n` },
    'publish/leaked-secret',
  ],
];
