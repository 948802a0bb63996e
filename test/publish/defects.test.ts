import { expect, test } from 'vitest';
import { checks } from '../../src/publish/checks/index.js';
import { manifestCheck } from '../../src/publish/manifest-check.js';
import { png } from './png.js';
import { check, createProject, manifest, source, type Files } from './support.js';

/** The manifest, with one text in it replaced. */
const inManifest = (before: string, after: string): Files => {
  if (!manifest.includes(before)) throw new Error(`The manifest has no ${before}.`);
  return { 'platform-manifest.yaml': manifest.replace(before, after) };
};
const inSource = (before: string, after: string): Files => {
  if (!source.includes(before)) throw new Error(`The source has no ${before}.`);
  return { 'src/index.tsx': source.replace(before, after) };
};
/** Put together here, so that no scanner takes this file for a leak. */
const token = (...parts: string[]): string => parts.join('');
const letters =
  'q7RtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL1Az0OqRtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL';
const leak = (value: string): Files =>
  inSource('<text>Sunny</text>', `<text>{${JSON.stringify(value)}}</text>`);

type Options = Parameters<typeof check>[1];

const defects: [what: string, files: Files, code: string, options?: Options][] = [
  [
    'a field that there is not',
    inManifest('visibility: public', 'visibility: public\nwidgets: 3'),
    'publish/manifest',
  ],
  ['a picture that is not there', inManifest('icon: ./icon.png', 'icon: ./logo.png'), 'publish/manifest'],
  [
    'a manifest that can not be read',
    inManifest('title: Weather\n', 'title: "Weather\n'),
    'publish/manifest',
  ],
  [
    'a summary that is too long',
    inManifest('Insert the block', `${'Insert it. '.repeat(200)}Insert the block`),
    'publish/manifest',
  ],
  ['a secret in the manifest', inManifest('${{ env.CLIENT_ID }}', 'client-id-of-acme'), 'publish/manifest'],
  ['strictly, a secret without a value', { '.env': '' }, 'publish/manifest', { strict: true }],
  [
    'a name with a word for everything',
    inManifest('name: weather', 'name: weather-integration'),
    'publish/name',
  ],
  ['a name that begins with one', inManifest('name: weather', 'name: plugin-weather'), 'publish/name'],
  ['a title with one', inManifest('title: Weather\n', 'title: Weather Integration\n'), 'publish/name'],
  [
    'a placeholder for an organization',
    inManifest('organization: acme', 'organization: my-org'),
    'publish/organization',
  ],
  [
    'another placeholder for an organization',
    inManifest('organization: acme', 'organization: organization_id'),
    'publish/organization',
  ],
  ['private', inManifest('visibility: public', 'visibility: private'), 'publish/visibility'],
  ['unlisted', inManifest('visibility: public', 'visibility: unlisted'), 'publish/visibility'],
  [
    'a description that says nothing',
    inManifest('Shows the weather of a place, in a block that readers can refresh.', 'Weather.'),
    'publish/description',
  ],
  [
    'a description that was never written',
    inManifest(
      'Shows the weather of a place, in a block that readers can refresh.',
      'This is the text, your description goes here',
    ),
    'publish/description',
  ],
  [
    'no summary',
    inManifest('summary: |\n  Insert the block, name a place, and readers see its weather.\n', ''),
    'publish/summary',
  ],
  [
    'a summary that says nothing',
    inManifest('Insert the block, name a place, and readers see its weather.', 'It is about weather.'),
    'publish/summary',
  ],
  [
    'a summary that was never written',
    inManifest(
      'Insert the block, name a place, and readers see its weather.',
      'First line.\n  Then lorem ipsum dolor sit amet, consectetur.',
    ),
    'publish/summary',
  ],
  ['no category', inManifest('categories:\n  - content\n', ''), 'publish/categories'],
  [
    'no link',
    inManifest('externalLinks:\n  - label: Documentation\n    url: https://docs.acme.dev/weather\n', ''),
    'publish/external-links',
  ],
  [
    'a link to an example',
    inManifest('https://docs.acme.dev/weather', 'https://docs.example.com/weather'),
    'publish/external-links',
  ],
  [
    'a link that is not encrypted',
    inManifest('https://docs.acme.dev', 'http://docs.acme.dev'),
    'publish/external-links',
  ],
  ['no icon', inManifest('icon: ./icon.png\n', ''), 'publish/icon'],
  ['an icon that is not square', { 'icon.png': png(512, 400) }, 'publish/icon'],
  [
    'an icon that is a JPEG',
    { 'icon.png': Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108020002000301', 'hex') },
    'publish/icon',
  ],
  ['an icon that is heavy', { 'icon.png': png(512, 512, 260 * 1024) }, 'publish/icon'],
  ['a preview that is not 2:1', { 'preview.png': png(1600, 900) }, 'publish/preview-images'],
  [
    'a preview that is no PNG',
    { 'preview.png': Buffer.from('47494638396140062003800000000000', 'hex') },
    'publish/preview-images',
  ],
  ['a preview that is heavy', { 'preview.png': png(1600, 800, 1100 * 1024) }, 'publish/preview-images'],
  [
    'four previews',
    {
      ...inManifest('  - ./preview.png\n', '  - ./preview.png\n  - ./2.png\n  - ./3.png\n  - ./4.png\n'),
      '2.png': png(1600, 800),
      '3.png': png(1600, 800),
      '4.png': png(1600, 800),
    },
    'publish/preview-images',
  ],
  [
    'an internal scope',
    inManifest('  - space:content:read\n', '  - space:content:read\n  - site:script:inject\n'),
    'publish/internal-scope',
  ],
  [
    'another internal scope',
    inManifest('  - space:content:read\n', '  - space:content:read\n  - site:script:cookies\n'),
    'publish/internal-scope',
  ],
  ['no script', inManifest('script: ./src/index.tsx\n', ''), 'publish/script'],
  ['a script that can not be parsed', inSource('export default', 'export default default'), 'publish/script'],
  ['an import that leads nowhere', { 'src/index.tsx': `import './nowhere';\n${source}` }, 'publish/script'],
  [
    'a module of Node',
    { 'src/index.tsx': `import { hostname } from 'node:os';\nhostname();\n${source}` },
    'publish/node-import',
  ],
  [
    'a module of Node without its prefix',
    { 'src/index.tsx': `import { join } from 'path';\njoin();\n${source}` },
    'publish/node-import',
  ],
  [
    'a source from outside',
    { 'src/index.tsx': `import '../../elsewhere.js';\n${source}`, '../elsewhere.js': 'export {};' },
    'publish/outside-source',
  ],
  [
    'a script that throws while it starts',
    { 'src/index.tsx': `${source}\nthrow new Error('No luck');` },
    'publish/start',
  ],
  [
    'a script that needs a page',
    { 'src/index.tsx': `${source}\nconsole.log(document.title);` },
    'publish/start',
  ],
  [
    'a script that starts slowly',
    { 'src/index.tsx': `${source}\nawait new Promise((resolve) => setTimeout(resolve, 1100));` },
    'publish/start',
  ],
  [
    'no default export',
    inSource('export default createIntegration(', 'export const integration = createIntegration('),
    'publish/default-export',
  ],
  [
    'a default export of another kind',
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
    inManifest(
      'blocks:\n',
      'blocks:\n  - id: forecast\n    title: Forecast\n    description: The days to come.\n',
    ),
    'publish/missing-component',
  ],
  [
    'a screen without a component',
    inManifest('componentId: screen', 'componentId: settings'),
    'publish/missing-component',
  ],
  [
    'a component that throws',
    inSource('return <block><text>Sunny</text></block>;', "throw new Error('No weather');"),
    'publish/render',
  ],
  [
    'a component that draws nothing',
    inSource('return <block><text>Sunny</text></block>;', ''),
    'publish/render',
  ],
  [
    'a screen that needs what is not set',
    inSource('<text>{place}</text>', '<text>{element.props.installation.configuration.other.name}</text>'),
    'publish/render',
  ],
  [
    'a setting that is taken away again',
    inSource(
      'space_content_updated: async () => {},',
      "space_content_updated: async () => {}, installation_setup: async (event, { api, environment }) => { if (event.status === 'active') await api.integrations.updateIntegrationInstallation(environment.integration.name, environment.installation.id, { configuration: {} }); },",
    ),
    'publish/settings',
  ],
  ['a callback that nothing answers', inSource("case '/oauth':", "case '/connect':"), 'publish/endpoints'],
  [
    'a callback that fails',
    inSource('return createOAuthHandler({', "throw new Error('x'); return createOAuthHandler({"),
    'publish/endpoints',
  ],
  ['a completion that nothing answers', inSource("case '/places':", "case '/towns':"), 'publish/endpoints'],
  [
    'a completion that is no list',
    inSource("Response.json(['Bern', 'Oslo'])", 'Response.json({ towns: [] })'),
    'publish/endpoints',
  ],
  [
    'a completion that is a page',
    inSource(
      "Response.json(['Bern', 'Oslo'])",
      "new Response('<p>Bern</p>', { headers: { 'content-type': 'text/html' } })",
    ),
    'publish/endpoints',
  ],
  [
    'a completion of other things',
    inSource("Response.json(['Bern', 'Oslo'])", 'Response.json([1, 2])'),
    'publish/endpoints',
  ],
  [
    'a secret that is not declared',
    inSource("'Not found'", 'context.environment.secrets.CLIENT_SECRET'),
    'publish/secret-use',
  ],
  [
    'another that is not declared',
    inSource("'Not found'", "context.environment.secrets['CLIENT_SECRET']"),
    'publish/secret-use',
  ],
  [
    'one taken out of the secrets',
    inSource("case '/oauth':", "case '/oauth': const { TOKEN } = context.environment.secrets; TOKEN;"),
    'publish/secret-use',
  ],
  [
    'strictly, a secret that nothing uses',
    {
      ...inManifest('secrets:\n', 'secrets:\n  OTHER: ${{ env.OTHER }}\n'),
      '.env': 'CLIENT_ID=client-id-of-acme\nOTHER=another-value\n',
    },
    'publish/secret-use',
    { strict: true },
  ],
  [
    'strictly, an event without its scope',
    inSource(
      'space_content_updated: async () => {},',
      'space_content_updated: async () => {}, space_gitsync_started: async () => {},',
    ),
    'publish/event-scope',
    { strict: true },
  ],
  [
    'strictly, a scope that nothing uses',
    inManifest('  - space:content:read\n', '  - space:content:read\n  - openapi:write\n'),
    'publish/unused-scope',
    { strict: true },
  ],
  [
    'a block less than before',
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
    'a scope more than before',
    { '../old/platform-manifest.yaml': manifest.replace('  - space:content:read\n', '  - openapi:read\n') },
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
    'a token in a picture',
    { 'icon.png': Buffer.concat([png(512, 512), Buffer.from(token('ghp', `_${letters.slice(0, 36)}`))]) },
    'publish/leaked-secret',
  ],
  ['a token of a registry', leak(token('npm', `_${letters.slice(0, 36)}`)), 'publish/leaked-secret'],
  [
    'a password in an address',
    leak(token('postgres://admin:', 'q7RtYp2LmXv9@db.acme.dev/weather')),
    'publish/leaked-secret',
  ],
  [
    'a token in a comment of the manifest',
    { 'platform-manifest.yaml': `${manifest}# ${token('xoxb', '-294857203948-', letters.slice(0, 24))}\n` },
    'publish/leaked-secret',
  ],
];

test('there are sixty and more, and each check that can fail has one', () => {
  expect(defects.length).toBeGreaterThanOrEqual(60);
  const people = ['publish/unique-name', 'publish/behaviour'];
  const codes = [manifestCheck, ...checks].map(({ code }) => code).filter((code) => !people.includes(code));
  expect([...new Set(defects.map(([, , code]) => code))].sort()).toEqual(codes.sort());
});

test.each(defects)('%s', async (_, files, code, options) => {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture, options);
  expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([code]);
  expect(report.ok).toBe(false);
  const ofManifest = code === manifestCheck.code;
  const own = report.diagnostics.filter(
    (one) => one.severity === 'error' && (ofManifest ? one.code.startsWith('manifest/') : one.code === code),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ help }) => help !== undefined)).toBe(true);
});
