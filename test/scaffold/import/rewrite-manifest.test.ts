import { expect, test } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';
import { rewriteManifest } from '../../../src/scaffold/import/rewrite-manifest.js';

const weather =
  'name: weather\ntitle: Weather\ndescription: Shows the weather.\nvisibility: private\nscript: ./src/index.tsx\n';
const ofAcme = `${weather}organization: acme\nscopes: []\n`;

test('what a manifest has beyond this platform is set aside, so that it runs', () => {
  const { text, unmapped } = rewriteManifest(
    `${weather}organization: acme\nscopes:\n  - site:views:read\n  - page:weather:read\nblocks:\n  - id: sky\n    title: Sky\n    description: The sky.\n    groups: [content]\n    urlUnfurls: []\n`,
    {},
  );
  expect(text).toContain('  - site:views:read\n  # - page:weather:read\nblocks');
  expect(text).toContain('\n    x-groups: [content]\n');
  // For this one there is a better name, which `platform validate` tells.
  expect(text).toContain('\n    urlUnfurls: []\n');
  expect(unmapped).toEqual([
    'There is no scope "page:weather:read". The line is a comment now.',
    'blocks[0] has no field "groups". It is x-groups now, which nothing reads.',
  ]);
});

test('scopes are an empty list where none is known', () => {
  const { text, unmapped } = rewriteManifest(
    `${weather}organization: acme\nscopes:\n  - page:weather:read\n  - page:weather:write\n`,
    {},
  );
  expect(text).toContain('scopes: []\n  # - page:weather:read\n  # - page:weather:write\n');
  expect(unmapped).toEqual([
    'There is no scope "page:weather:read". The line is a comment now.',
    'There is no scope "page:weather:write". The line is a comment now.',
  ]);
});

test('a manifest without an organization gets one to run with', () => {
  const bare = `${weather}scopes: []\n`;
  expect(rewriteManifest(bare, {}).text).toMatch(/^organization: my-org$/m);
  expect(rewriteManifest(bare, {}).unmapped.join()).toContain(
    'It had no organization, so "my-org" stands there',
  );
  expect(rewriteManifest(bare, { organization: 'acme' }).text).toMatch(/^organization: acme$/m);
  expect(rewriteManifest(bare, { organization: 'acme' }).unmapped).toEqual([]);
});

test.each([
  ['', 'Weather'],
  ["description: ''\n", 'Weather'],
  ['description:\nicon: ./icon.png\n', 'Weather'],
  ['description: ""\n', 'Weather'],
  ['description:\n  Shows the weather.\n', undefined],
  ['description: Shows the weather.\n', undefined],
  ['description: >\n  Shows the weather.\n', undefined],
])('a manifest with %j says its title where it has no description', (description, standIn) => {
  const own = `name: weather\ntitle: 'Weather'\n${description}visibility: private\norganization: acme\nscopes: []\n`;
  const { text, unmapped } = rewriteManifest(own, {});
  expect(/^description: (Weather)$/m.exec(text)?.[1]).toBe(standIn);
  expect(unmapped).toEqual(
    standIn ? ['It had no description, so "Weather" stands there: write yours, or give --description.'] : [],
  );
  expect(parseManifest(text).ok).toBe(true);
  expect(rewriteManifest(own, { description: 'Rain or shine' }).text).toMatch(
    /^description:\s+Rain or shine$/m,
  );
});

test.each([
  ['AI_Platform', 'AI-Platform'],
  ['acme.io', 'acme-io'],
  ["'My weather'", 'My-weather'],
])('the name %s is %s in addresses', (name, here) => {
  const own = ofAcme.replace('name: weather', `name: ${name} # ours`);
  const { text, unmapped } = rewriteManifest(own, {});
  expect(text).toContain(`\nname: ${here} # ours\n`);
  expect(unmapped).toEqual([`It was called "${name.replaceAll("'", '')}"; here it is ${here}.`]);
  expect(rewriteManifest(own, { name: 'sky' })).toMatchObject({ unmapped: [] });
  expect(rewriteManifest(ofAcme, {}).unmapped).toEqual([]);
});

test.each([
  ['      - key\n      - token\n', '    required:\n      - key\n      # - token\n'],
  ['      - token\n', '    required: []\n      # - token\n'],
])('what is required and not declared is set aside', (required, left) => {
  const account = `configurations:\n  account:\n    properties:\n      key:\n        type: string\n        title: Key\n    required:\n`;
  const { text, unmapped } = rewriteManifest(`${ofAcme}${account}${required}`, {});
  expect(text).toContain(left);
  expect(parseManifest(text).ok).toBe(true);
  expect(unmapped).toEqual([
    'required names "token", and there is no such property. The line is a comment now.',
  ]);
});

test('a category goes by the name that it has here', () => {
  const { text } = rewriteManifest(`${ofAcme}categories:\n  - other\n  - visitor-auth\n`, {});
  expect(text).toContain('categories:\n  - other\n  - authenticated-access\n');
});
