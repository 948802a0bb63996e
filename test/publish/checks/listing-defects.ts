import { inManifest, type Defect } from './defect.js';
import { readFileSync } from 'node:fs';
import { templates } from '../../../src/scaffold/index.js';
import { png } from '../png.js';

const templateFile = (path: string): Buffer =>
  readFileSync(new URL(`../../../templates/${path}`, import.meta.url));

const description = 'Shows the weather of a place, in a block that readers can refresh.';
const summary = 'Insert the block, name a place, and readers see its weather.';
const scope = '  - space:content:read\n';

/** The default listing of a new project. */
const untouched = templates.flatMap(({ name, description: given }): Defect[] => {
  const text = templateFile(`${name}/platform-manifest.yaml`).toString();
  const [, its = ''] = /^summary: \|\n {2}(.*)$/m.exec(text) ?? [];
  return [
    [`the description of the template ${name}`, inManifest(description, given), 'publish/description'],
    [`the summary of the template ${name}`, inManifest(summary, its), 'publish/summary'],
  ];
});

export const listingDefects: Defect[] = [
  ...untouched,
  ['the icon copied from a template', { 'icon.png': templateFile('shared/assets/icon.png') }, 'publish/icon'],
  ['unknown field', inManifest('visibility: public', 'visibility: public\nwidgets: 3'), 'publish/manifest'],
  ['a missing image', inManifest('icon: ./icon.png', 'icon: ./logo.png'), 'publish/manifest'],
  ['an unreadable manifest', inManifest('title: Weather\n', 'title: "Weather\n'), 'publish/manifest'],
  [
    'a summary that is too long',
    inManifest('Insert the block', `${'Insert it. '.repeat(200)}Insert the block`),
    'publish/manifest',
  ],
  ['a secret in the manifest', inManifest('${{ env.CLIENT_ID }}', 'client-id-of-acme'), 'publish/manifest'],
  ['a secret without a value', { '.env': '' }, 'publish/manifest', { verdict: 'warn' }],
  ['a name with a generic word', inManifest('name: weather', 'name: weather-integration'), 'publish/name'],
  ['a name with a generic start', inManifest('name: weather', 'name: plugin-weather'), 'publish/name'],
  [
    'a title with a generic word',
    inManifest('title: Weather\n', 'title: Weather Integration\n'),
    'publish/name',
  ],
  [
    'a placeholder organization',
    inManifest('organization: acme', 'organization: my-org'),
    'publish/organization',
  ],
  ['another one', inManifest('organization: acme', 'organization: organization_id'), 'publish/organization'],
  ['a private integration', inManifest('visibility: public', 'visibility: private'), 'publish/visibility'],
  ['an unlisted integration', inManifest('visibility: public', 'visibility: unlisted'), 'publish/visibility'],
  ['a meaningless description', inManifest(description, 'Weather.'), 'publish/description'],
  [
    "the template's description",
    inManifest(description, 'This is the text, your description goes here'),
    'publish/description',
  ],
  ['a missing summary', inManifest(`summary: |\n  ${summary}\n`, ''), 'publish/summary'],
  ['a meaningless summary', inManifest(summary, 'It is about weather.'), 'publish/summary'],
  [
    "the template's summary",
    inManifest(summary, 'First line.\n  Then lorem ipsum dolor sit amet, consectetur.'),
    'publish/summary',
  ],
  ['a missing category', inManifest('categories:\n  - content\n', ''), 'publish/categories'],
  [
    'a missing external link',
    inManifest('externalLinks:\n  - label: Documentation\n    url: https://docs.acme.dev/weather\n', ''),
    'publish/external-links',
  ],
  [
    'a link to an example domain',
    inManifest('https://docs.acme.dev/weather', 'https://docs.example.com/weather'),
    'publish/external-links',
  ],
  ['a plain link', inManifest('https://docs.acme.dev', 'http://docs.acme.dev'), 'publish/external-links'],
  ['a missing icon', inManifest('icon: ./icon.png\n', ''), 'publish/icon'],
  ['an icon that is not square', { 'icon.png': png(512, 400) }, 'publish/icon'],
  [
    'an icon that is a JPEG',
    { 'icon.png': Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108020002000301', 'hex') },
    'publish/icon',
  ],
  ['an icon file that is too large', { 'icon.png': png(512, 512, 260 * 1024) }, 'publish/icon'],
  ['a preview that is not 2:1', { 'preview.png': png(1600, 900) }, 'publish/preview-images'],
  [
    'a preview that is not a PNG',
    { 'preview.png': Buffer.from('47494638396140062003800000000000', 'hex') },
    'publish/preview-images',
  ],
  ['a preview that is too large', { 'preview.png': png(1600, 800, 1100 * 1024) }, 'publish/preview-images'],
  [
    'too many previews',
    {
      ...inManifest('  - ./preview.png\n', '  - ./preview.png\n  - ./2.png\n  - ./3.png\n  - ./4.png\n'),
      '2.png': png(1600, 800),
      '3.png': png(1600, 800),
      '4.png': png(1600, 800),
    },
    'publish/preview-images',
  ],
  ['an internal scope', inManifest(scope, `${scope}  - site:script:inject\n`), 'publish/internal-scope'],
  [
    'another internal scope',
    inManifest(scope, `${scope}  - site:script:cookies\n`),
    'publish/internal-scope',
  ],
];
