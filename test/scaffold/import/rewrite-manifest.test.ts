import { expect, test } from 'vitest';
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
  expect(rewriteManifest(bare, {}).unmapped.join()).toContain('It named no organization, so my-org');
  expect(rewriteManifest(bare, { organization: 'acme' }).text).toMatch(/^organization: acme$/m);
  expect(rewriteManifest(bare, { organization: 'acme' }).unmapped).toEqual([]);
});

test('a category goes by the name that it has here', () => {
  const { text } = rewriteManifest(`${ofAcme}categories:\n  - other\n  - visitor-auth\n`, {});
  expect(text).toContain('categories:\n  - other\n  - authenticated-access\n');
});
