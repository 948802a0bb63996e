import { expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';

const reported = (text: string) =>
  loadManifest({ file: '/none/platform-manifest.yaml', text, env: {} })
    .diagnostics.filter(({ code }) => code === 'manifest/missing-key')
    .map(({ message, help, fix }) => ({ message, help, fix }));

const good = 'name: a\ntitle: A\ndescription: B.\norganization: acme\nvisibility: private\nscopes: []\n';

test.each([
  ['name', 'title'],
  ['title', 'title'],
  ['organization', 'title'],
])('shows an example for the missing field %s', (key) => {
  const [found, ...others] = reported(good.replace(new RegExp(`^${key}: .*\\n`, 'm'), ''));
  expect(others).toEqual([]);
  expect(found?.message).toBe(`The manifest needs the field ${key}.`);
  expect(found?.help).toMatch(new RegExp(`^Add the line \`${key}: [^…\\[].*\`\\.$`));
  expect(found?.fix).toBeUndefined();
});

test('inserts an empty list for a missing list field', () => {
  expect(reported(good.replace('scopes: []\n', ''))).toEqual([
    { message: 'The manifest needs the field scopes.', help: 'Add the line `scopes: []`.' },
  ]);
});

test('adds a missing visibility with its safe default', () => {
  expect(reported(good.replace('visibility: private\n', ''))).toMatchObject([
    { fix: [{ text: '\nvisibility: private' }] },
  ]);
});

test.each([
  ['blocks:\n  - id: a\n', 'blocks[0] needs the field title.'],
  ['externalLinks:\n  - label: a\n', 'externalLinks[0] needs the field url.'],
])('reports which list item is missing a field: %j', (more, message) => {
  expect(reported(good + more)).toMatchObject([{ message, fix: undefined }]);
});

/** Returns the column and message of each problem in a manifest with this property. */
function problemsOf(property: string): [column: number | undefined, message: string][] {
  const text = `${good}configurations:\n  account:\n    properties:\n      channel: ${property}\n`;
  const { diagnostics } = loadManifest({ file: '/none/platform-manifest.yaml', text, env: {} });
  return diagnostics.map(({ range, message }) => [range?.start.column, message]);
}

test('reports unknown fields of a property whose type is unknown', () => {
  const found = problemsOf('{ type: sting, titel: Channel, descripton: Where, defualt: general, x-own: 1 }');
  expect(found.map(([, message]) => message).sort()).toEqual([
    'A property cannot have the type "sting".',
    'Unknown field "defualt" in configurations.account.properties.channel.',
    'Unknown field "descripton" in configurations.account.properties.channel.',
    'Unknown field "titel" in configurations.account.properties.channel.',
  ]);
  expect(new Set(found.map(([column]) => column)).size).toBe(4);
});

test('reports a misspelled "type" once, together with other unknown fields', () => {
  const found = problemsOf('{ tipe: string, titel: Channel, button_text: Press }');
  expect(found.map(([, message]) => message).sort()).toEqual([
    'Unknown field "tipe" in configurations.account.properties.channel.',
    'Unknown field "titel" in configurations.account.properties.channel.',
  ]);
});
