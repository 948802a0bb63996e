import { expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';

const good = 'name: a\ntitle: A\ndescription: B.\norganization: acme\nvisibility: private\nscopes: []\n';

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
