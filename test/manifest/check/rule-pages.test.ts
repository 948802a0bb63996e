import { createFixture } from 'fs-fixture';
import { expect, it } from 'vitest';
import { docsFolder } from '../../../src/base/package-files.js';
import { readPage } from '../../../src/diagnostics/read-page.js';
import { loadManifest, parseDevSettings, rules } from '../../../src/manifest/index.js';
import { jpeg, png } from '../images.js';

const pageOf = (code: string): string => readPage(code, docsFolder) ?? '';

/** Codes that no example on a page can show, or whose sentence needs none. Other tests of this room cover them. */
const withoutExample = [
  'manifest/byte-order-mark',
  'manifest/control-character',
  'manifest/duplicate-category',
  'manifest/duplicate-fence',
  'manifest/duplicate-link',
  'manifest/duplicate-name',
  'manifest/duplicate-scope',
  'manifest/empty-document',
  'manifest/encoding',
  'manifest/extension-field',
  'manifest/invalid-port',
  'manifest/invalid-value',
  'manifest/mixed-line-ends',
  'manifest/summary-length',
  'manifest/too-deep',
  'manifest/too-large',
  'manifest/too-many-aliases',
  'manifest/too-many-findings',
  'manifest/unknown-environment',
  'manifest/unknown-visibility',
  'manifest/unreadable-image',
  'manifest/unreadable',
];
const ofDevSettings = [
  'manifest/invalid-id',
  'manifest/invalid-limit',
  'manifest/invalid-outbound',
  'manifest/invalid-runtime',
  'manifest/unknown-space',
];

const whole = {
  name: 'ticket-links',
  title: 'Ticket links',
  description: 'Turns links to tickets into cards.',
  organization: 'acme',
  visibility: 'private',
  scopes: '[]',
};

/** The example with the other lines that every manifest has. */
function complete(example: string): string {
  const missing = Object.entries(whole).filter(([key]) => !new RegExp(`^${key}:`, 'm').test(example));
  return `${missing.map(([key, value]) => `${key}: ${value}\n`).join('')}${example}`;
}

async function codesOf(example: string, code: string): Promise<string[]> {
  if (ofDevSettings.includes(code)) return parseDevSettings(example).diagnostics.map(({ code }) => code);
  await using fixture = await createFixture({
    'platform-manifest.yaml': code === 'manifest/missing-key' ? example : complete(example),
    'assets/icon.png': png(512, 512),
    'assets/wide-icon.png': png(512, 256),
    'assets/photo.png': jpeg(64, 64),
    'assets/photo.jpg': jpeg(64, 64),
    'assets/preview.png': png(1600, 800),
    'assets/square-preview.png': png(800, 800),
    'shared/icon.png': png(512, 512),
  });
  const env = { CLIENT_ID: 'a', CLIENT_SECRET: 'b' };
  const { diagnostics } = loadManifest({ file: fixture.getPath('platform-manifest.yaml'), env });
  const counted = diagnostics.filter(({ ignored }) => ignored === undefined);
  return [...new Set(counted.map(({ code }) => code))].filter(
    (found) => found !== 'manifest/extension-field',
  );
}

it.each(rules.map(({ code }) => code))('the page for %s has a title, an explanation and a reason', (code) => {
  expect(pageOf(code), `docs/problems/manifest.md has "## ${code}", which ends with "**Why.** …"`).toMatch(
    new RegExp(`^# ${code}\n\n(?:Severity: .*\n\n)?[A-Z\`\\d].+\n[^]*\n\\*\\*Why\\.\\*\\* .+\n$`),
  );
});

it.each(rules.map(({ code }) => code).filter((code) => !withoutExample.includes(code)))(
  'only the incorrect example on the page for %s causes the problem',
  async (code) => {
    const [wrong = '', right = ''] = [...pageOf(code).matchAll(/```yaml\n([^]*?)```/g)].map(([, a]) => a);
    expect(await codesOf(wrong, code)).toEqual([code]);
    expect(await codesOf(right, code)).toEqual([]);
  },
);
