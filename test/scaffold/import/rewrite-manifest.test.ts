import { expect, test } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';
import type { Note } from '../../../src/scaffold/import/model/open-decision.js';
import { rewriteManifest } from '../../../src/scaffold/import/manifest/rewrite-manifest.js';

const messages = (notes: readonly Note[]): string[] => notes.map(({ message }) => message);

const weather =
  'name: weather\ntitle: Weather\ndescription: Shows the weather.\nvisibility: private\nscript: ./src/index.tsx\n';
const ofAcme = `${weather}organization: acme\nscopes: []\n`;

test('moves unknown parts out of the manifest, and leaves the manifest valid', () => {
  const { text, notes } = rewriteManifest(
    `${weather}organization: acme\nscopes:\n  - site:views:read\n  - page:weather:read\nblocks:\n  - id: sky\n    title: Sky\n    description: The sky.\n    groups: [content]\n    urlUnfurls: []\n`,
    {},
  );
  expect(text).toContain('  - site:views:read\n  # - page:weather:read\nblocks');
  expect(text).toContain('\n    x-groups: [content]\n');
  // For this one there is a better name, which `platform validate` tells.
  expect(text).toContain('\n    urlUnfurls: []\n');
  expect(messages(notes)).toEqual([
    'Unknown scope: "page:weather:read". This line is now a comment.',
    'Unknown field "groups" in blocks[0]. This key was renamed to x-groups, which is ignored.',
  ]);
});

test('leaves an empty scope list if all scopes are unknown', () => {
  const { text, notes } = rewriteManifest(
    `${weather}organization: acme\nscopes:\n  - page:weather:read\n  - page:weather:write\n`,
    {},
  );
  expect(text).toContain('scopes: []\n  # - page:weather:read\n  # - page:weather:write\n');
  expect(messages(notes)).toEqual([
    'Unknown scope: "page:weather:read". This line is now a comment.',
    'Unknown scope: "page:weather:write". This line is now a comment.',
  ]);
});

test('adds a default organization if the manifest has none', () => {
  const bare = `${weather}scopes: []\n`;
  expect(rewriteManifest(bare, {}).text).toMatch(/^organization: my-org$/m);
  expect(
    rewriteManifest(bare, {})
      .notes.map(({ message }) => message)
      .join(),
  ).toContain('The manifest had no organization, so it is now "my-org"');
  expect(rewriteManifest(bare, { organization: 'acme' }).text).toMatch(/^organization: acme$/m);
  expect(rewriteManifest(bare, { organization: 'acme' }).notes).toEqual([]);
});

test.each([
  ['', 'Weather'],
  ["description: ''\n", 'Weather'],
  ['description:\nicon: ./icon.png\n', 'Weather'],
  ['description: ""\n', 'Weather'],
  ['description:\n  Shows the weather.\n', undefined],
  ['description: Shows the weather.\n', undefined],
  ['description: >\n  Shows the weather.\n', undefined],
])('uses the title as the description if there is none, in a manifest with %j', (description, standIn) => {
  const own = `name: weather\ntitle: 'Weather'\n${description}visibility: private\norganization: acme\nscopes: []\n`;
  const { text, notes } = rewriteManifest(own, {});
  expect(/^description: (Weather)$/m.exec(text)?.[1]).toBe(standIn);
  expect(messages(notes)).toEqual(
    standIn
      ? ['The manifest had no description, so it is now "Weather". Change it, or use --description.']
      : [],
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
])('rewrites the name %s to %s', (name, here) => {
  const own = ofAcme.replace('name: weather', `name: ${name} # ours`);
  const { text, notes } = rewriteManifest(own, {});
  expect(text).toContain(`\nname: ${here} # ours\n`);
  expect(messages(notes)).toEqual([`The name was "${name.replaceAll("'", '')}", and is now ${here}.`]);
  expect(rewriteManifest(own, { name: 'sky' })).toMatchObject({ notes: [] });
  expect(rewriteManifest(ofAcme, {}).notes).toEqual([]);
});

test.each([
  ['      - key\n      - token\n', '    required:\n      - key\n      # - token\n'],
  ['      - token\n', '    required: []\n      # - token\n'],
])('removes undeclared properties from the list of required ones', (required, left) => {
  const account = `configurations:\n  account:\n    properties:\n      key:\n        type: string\n        title: Key\n    required:\n`;
  const { text, notes } = rewriteManifest(`${ofAcme}${account}${required}`, {});
  expect(text).toContain(left);
  expect(parseManifest(text).ok).toBe(true);
  expect(messages(notes)).toEqual([
    'required lists "token", which is not a property. This line is now a comment.',
  ]);
});

test('renames a category to its equivalent', () => {
  const { text } = rewriteManifest(`${ofAcme}categories:\n  - other\n  - visitor-auth\n`, {});
  expect(text).toContain('categories:\n  - other\n  - authenticated-access\n');
});
