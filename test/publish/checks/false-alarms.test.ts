import { expect, test } from 'vitest';
import { png } from '../png.js';
import { inManifest, inSource } from './defect.js';
import { oddProjects } from './odd-projects.js';
import { check, createProject, manifest, source, type Files } from '../project-under-check.js';

const names = Array.from({ length: 40 }, (_, index) => `block-${index}`);

/** Valid projects that resemble invalid ones. */
const good: [what: string, files: Files][] = [
  ['an icon that is one pixel from square', { 'icon.png': png(512, 513) }],
  ['an icon that is one pixel too small', { 'icon.png': png(511, 511) }],
  ['a preview whose ratio is one pixel off', { 'preview.png': png(1600, 801) }],
  ['a preview that is one pixel too small', { 'preview.png': png(1599, 800) }],
  ['typeof', withCode('export const isHere = typeof process === "object" || typeof require === "function";')],
  ['a parameter named process', withCode('export const run = (process: { env: object }) => process.env;')],
  [
    'blocked APIs in text',
    withCode('// eval(code), process.env\nexport const hint = "Never use eval() or Buffer";'),
  ],
  [
    'localhost in a comment and in a comparison',
    withCode("// http://localhost:3000\nexport const isLocal = (url: URL) => url.hostname === 'localhost';"),
  ],
  [
    'placeholder hosts in a comment, in a comparison and in the placeholder of an input',
    withCode(
      "// such as 'https://api.example.com/v2'\nexport const isSample = (url: URL) => url.hostname === 'example.com';\nexport const input = { placeholder: 'https://example.com/webhook' };",
    ),
  ],
  [
    'a placeholder host as the base of a relative URL',
    withCode(
      "export const idOf = (path: string) => new URL(path, 'https://example.com').searchParams.get('id');",
    ),
  ],
  [
    'hosts that resemble placeholders',
    withCode(
      "export const urls = ['https://your-everyday.com/', 'https://latest.com/', 'https://example.dev/'];",
    ),
  ],
  ['a check of NODE_ENV', withCode("export const isLive = process.env.NODE_ENV === 'production';")],
  [
    'a package with guarded code for Node',
    {
      ...withCode("import { place } from 'places';\nexport const where = place();"),
      'node_modules/places/package.json': '{ "name": "places", "main": "index.js" }',
      'node_modules/places/index.js':
        "exports.place = () => typeof process === 'object' && process.versions.node ? 'here' : Buffer.name;",
    },
  ],
  ['comments that mention secrets', withCode('// Once secrets.OLD_KEY was read.\n/* secrets.OLDER, too */')],
  ['a list named secrets', withCode('const secrets = ["a"]; secrets.map((one) => one.length);')],
  ['the length of a list named secrets', withCode('const secrets = ["a"]; export const n = secrets.length;')],
  ['an item of `secrets`', withCode('const secrets = [{ id: 1 }]; export const { id } = secrets[0];')],
  [
    'a module named secrets',
    {
      ...withCode("import { read } from './secrets.js';\nread();"),
      'src/secrets.js': 'export const read = () => 1;',
    },
  ],
  ['a string that mentions secrets', withCode("export const hint = 'Fill in secrets.NAME, please';")],
  [
    'destructured secrets with a comment and a default',
    inSource(
      'clientId: context.environment.secrets.CLIENT_ID,',
      `clientId: (() => {
            const {
              // The id, which people see
              CLIENT_ID: id = '',
            } = context.environment.secrets;
            return id;
          })(),`,
    ),
  ],
  [
    'secrets destructured from the context',
    inSource(
      'clientId: context.environment.secrets.CLIENT_ID,',
      'clientId: (({ environment: { secrets: { CLIENT_ID } } }) => CLIENT_ID)(context),',
    ),
  ],
  [
    'secrets passed on as a whole',
    inSource('context.environment.secrets.CLIENT_ID', 'Object.values(context.environment.secrets)[0]'),
  ],
  [
    'a secret whose name is computed at run time',
    {
      'src/index.tsx': `const prefix = 'CLIENT';\n${source.replace('secrets.CLIENT_ID', 'secrets[`${prefix}_ID`]')}`,
    },
  ],
  [
    'a short but clear description',
    inManifest('Shows the weather of a place, in a block that readers can refresh.', 'Embed Loom videos'),
  ],
  [
    'a short summary',
    inManifest(
      'Insert the block, name a place, and readers see its weather.',
      'Embed videos into your pages.',
    ),
  ],
  [
    'a description that mentions to-do lists',
    inManifest('Shows the weather of a place', 'Shows the to-do lists and todos of a place'),
  ],
  [
    'a description that mentions a placeholder',
    inManifest('Shows the weather of a place', 'Shows a placeholder for the image of a place'),
  ],
  [
    'a description that mentions a company',
    inManifest('Shows the weather of a place', 'Shows your company calendar, and your summary of it'),
  ],
  ['a name that contains "app"', inManifest('name: weather', 'name: weather-app-store')],
  ['a name that contains "platform"', inManifest('name: weather', 'name: cloud-platform')],
  ['a title with an extension', inManifest('title: Weather\n', 'title: Weather of your browser extension\n')],
  [
    'a word as secret',
    { '.env': 'CLIENT_ID=production\n', ...withCode("export const stage = 'production';") },
  ],
  [
    'a URL property',
    {
      ...inManifest(
        '      place:\n        type: string\n',
        '      instance_url:\n        type: string\n        title: Address of your server\n      place:\n        type: string\n',
      ),
      ...inSource(
        'const { place } = element.props.installation.configuration;',
        'const { instance_url } = element.props.installation.configuration; const place = new URL(instance_url).host;',
      ),
    },
  ],
  [
    'a callback that requires a login',
    inSource(
      "case '/oauth':\n",
      "case '/oauth':\n        if (request.method === 'GET') return new Response('Log in first', { status: 401 });\n",
    ),
  ],
  [
    "a completion in the console's format",
    inSource("Response.json(['Bern', 'Oslo'])", "Response.json({ items: [{ value: 'b', label: 'Bern' }] })"),
  ],
  [
    'a secret whose name contains parentheses',
    {
      ...withManifest((text) => `${text}  "A(B)": \${{ env.CLIENT_ID }}\n`),
      ...withCode("export const name = (secrets: Record<string, string>) => secrets['A(B)'];"),
    },
  ],
  [
    'components imported from a list in another file',
    {
      ...withManifest((text) =>
        text.replace(
          'blocks:\n',
          `blocks:\n${names.map((name) => `  - id: ${name}\n    title: ${name}\n    description: A block called ${name}.\n`).join('')}`,
        ),
      ),
      'src/library.tsx': `import { createComponent } from 'integration-platform';
import { names } from './names';
import logo from './logo.svg';
const draw = (name: string) => createComponent({
  componentId: name,
  async render() { return <block><image source={{ url: logo }} aspectRatio={1} /><text>{name}</text></block>; },
});
export const library = Object.fromEntries(names.map((name) => [name, draw(name)]));`,
      'src/names.ts': `export const names = ${JSON.stringify(names)};`,
      'src/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><!-- secrets.X --><path d="M0 0h1v1z"/></svg>',
      'src/index.tsx': `import { library } from './library';\n${source.replace('[weather, screen]', '[weather, screen, ...Object.values(library)]')}`,
    },
  ],
];

function withCode(code: string): Files {
  return { 'src/index.tsx': `${code}\n${source}` };
}

function withManifest(change: (text: string) => string): Files {
  return { 'platform-manifest.yaml': change(manifest) };
}

test.each([...good, ...oddProjects])('reports no problem for %s', async (_, files) => {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture);
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  // A word like "app" may be part of a product name, so it only causes a warning.
  const found = report.diagnostics.filter(
    ({ severity, code }) => severity !== 'info' && code !== 'publish/name',
  );
  expect(found).toEqual([]);
});

test.each(['marketplace', 'link', 'organization'] as const)(
  'only warns about missing optional fields for the target %s',
  async (target) => {
    const bare = manifest.replace(
      /^(?:summary|categories|icon|previewImages|externalLinks):[^\n]*\n(?: .*\n)*/gm,
      '',
    );
    await using fixture = await createProject({ 'platform-manifest.yaml': bare });
    const { report, checks } = await check(fixture, { target });
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const warned = report.diagnostics
      .filter(({ severity }) => severity === 'warning')
      .map(({ code }) => code);
    expect(warned).toEqual(
      expect.arrayContaining(['publish/summary', 'publish/icon', 'publish/external-links']),
    );
  },
);
