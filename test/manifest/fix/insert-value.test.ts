import { expect, test } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';
import { insertValue, type YamlValue } from '../../../src/manifest/fix/insert-value.js';

const head = 'name: a\ntitle: A\ndescription: D.\norganization: o\nvisibility: private\nscopes: []\n';

test.each<[what: string, text: string, path: string, YamlValue, inserted: string]>([
  ['a new map', 'name: a\n', 'secrets.KEY', '${{ env.KEY }}', 'name: a\n\nsecrets:\n  KEY: ${{ env.KEY }}\n'],
  [
    'a new list at the end',
    'name: a',
    'blocks.-',
    { id: 'b', title: 'B: C' },
    'name: a\n\nblocks:\n  - id: b\n    title: "B: C"',
  ],
  ['a short field', 'name: a\n', 'icon', './icon.png', 'name: a\nicon: ./icon.png\n'],
  [
    'an entry after the last one',
    'secrets:\n  A: x # of A\n\n# the end\nname: a\n',
    'secrets.B',
    'y',
    'secrets:\n  A: x # of A\n  B: "y"\n\n# the end\nname: a\n',
  ],
  [
    'an item into an empty list',
    'scopes: [] # none yet\nname: a\n',
    'scopes.-',
    'space:content:read',
    'scopes:\n  - space:content:read # none yet\nname: a\n',
  ],
  ['an entry into an empty map', 'secrets: {}\n', 'secrets.A', 'bc', 'secrets:\n  A: bc\n'],
  ['an entry', 'secrets: # soon\nname: a\n', 'secrets.A', 'bc', 'secrets: # soon\n  A: bc\nname: a\n'],
  ['an item into brackets', 'scopes: [a:b, c:d ]\n', 'scopes.-', 'e:f', 'scopes: [a:b, c:d, "e:f" ]\n'],
  ['an entry into a map in braces', 'secrets: {A: x}\n', 'secrets.B', 'y', 'secrets: {A: x, "B":"y"}\n'],
  [
    'an item into an empty list with a comment',
    'scopes: [\n  # none, yet\n]\n',
    'scopes.-',
    'c',
    'scopes: [\n  # none, yet\n  "c"\n]\n',
  ],
  ['an item behind a comma', 'scopes: [a, b,]\n', 'scopes.-', 'c', 'scopes: [a, b, "c"]\n'],
  [
    'an item behind a comment',
    'scopes: [\n  a, # one, two\n  b # last ]\n]\n',
    'scopes.-',
    'c',
    'scopes: [\n  a, # one, two\n  b, # last ]\n  "c"\n]\n',
  ],
  [
    'an item behind a comma and comments',
    'scopes: [ a, b, # last\n  # c,\n]\n',
    'scopes.-',
    'd',
    'scopes: [ a, b, # last\n  # c,\n  "d",\n]\n',
  ],
  [
    'an entry behind an empty value with a comment',
    'secrets: {\n  A: x,\n  B: , # soon\n}\n',
    'secrets.C',
    'y',
    'secrets: {\n  A: x,\n  B: , # soon\n  "C":"y",\n}\n',
  ],
  [
    'an item into a list without indentation',
    'blocks:\n- id: a\n- id: b\nname: a\n',
    'blocks.-',
    { id: 'cc' },
    'blocks:\n- id: a\n- id: b\n- id: cc\nname: a\n',
  ],
  [
    'a deeply nested field',
    'configurations:\n    account:\n        properties:\n            a: { type: string }\n',
    'configurations.account.properties.b',
    { type: 'number' },
    'configurations:\n    account:\n        properties:\n            a: { type: string }\n            b:\n              type: number\n',
  ],
  [
    'an item with its missing parents',
    'configurations:\n  account:\n    properties:\n      a: {}\n',
    'configurations.account.required.-',
    'aa',
    'configurations:\n  account:\n    properties:\n      a: {}\n    required:\n      - aa\n',
  ],
  [
    'a field after a multi-line string',
    'summary: |\n  One.\n\n  Two.\nname: a\n',
    'icon',
    'a.png',
    'summary: |\n  One.\n\n  Two.\nname: a\nicon: a.png\n',
  ],
  [
    'a field after a multi-line string at the end',
    'name: a\nsummary: |\n  One.\n',
    'icon',
    'a.png',
    'name: a\nsummary: |\n  One.\nicon: a.png\n',
  ],
  ['a map with CR LF', 'name: a\r\n', 'secrets.A', 'bc', 'name: a\r\n\r\nsecrets:\r\n  A: bc\r\n'],
])('inserts %s into a manifest', (_, text, path, value, expected) => {
  expect(insertValue(text, path.split('.'), value)).toBe(expected);
});

test('does not insert a value that already exists in the manifest', () => {
  expect(() => insertValue('secrets:\n  A: b\n', ['secrets', 'A'], 'c')).toThrow('A already exists.');
  expect(() => insertValue('secrets: text\n', ['secrets', 'A'], 'c')).toThrow(
    'A cannot be added to secrets.',
  );
});

test('keeps a manifest valid after every inserted value', () => {
  const steps: [string[], YamlValue][] = [
    [['blocks', '-'], { id: 'one', title: 'One', description: 'It is "one".' }],
    [['blocks', '-'], { id: 'two', title: 'yes', description: '- two' }],
    [['scopes', '-'], 'space:content:read'],
    [['scopes', '-'], 'space:git:sync'],
    [['secrets', 'KEY'], '${{ env.KEY }}'],
    [['configurations', 'site', 'properties', 'channel'], { type: 'string', title: 'Channel' }],
    [['configurations', 'site', 'required', '-'], 'channel'],
    [['configurations', 'account', 'properties', 'count'], { type: 'number', default: 3 }],
  ];
  const text = steps.reduce((before, [path, value]) => insertValue(before, path, value), head);
  const loaded = parseManifest(text);
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.ok && loaded.value.integration).toMatchObject({
    blocks: [
      { id: 'one', description: 'It is "one".' },
      { id: 'two', title: 'yes', description: '- two' },
    ],
    scopes: ['space:content:read', 'space:git:sync'],
    configurations: {
      site: { properties: { channel: { type: 'string' } }, required: ['channel'] },
      account: { properties: { count: { type: 'number', default: 3 } } },
    },
  });
});
