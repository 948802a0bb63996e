import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import {
  newPackage,
  rewritePackage,
  type WantedPackage,
} from '../../../src/scaffold/import/package/rewrite-package.js';
import { findSurroundingRepository } from '../../../src/scaffold/import/model/surrounding-repository.js';

const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };
/** A project that no repository surrounds. */
const alone = findSurroundingRepository(tmpdir());
const around: Record<string, string> = { lodash: '^4.17.0', hono: '^4.0.0' };

function rewrite(content: object | string, wanted: WantedPackage[] = []) {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  const { text: rewritten, notes } = rewritePackage(text, {
    origin,
    sdkSpec: '^1.0.0',
    repository: { ...alone, rangeOf: (name) => around[name] },
    wanted,
  });
  return { text: rewritten, content: parse(rewritten), notes };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const sdk = { 'integration-platform': '^1.0.0' };
const want = (name: string, more: Partial<WantedPackage> = {}): WantedPackage => ({
  name,
  kind: 'dependencies',
  by: 'src/index.ts',
  ...more,
});

test.each<[what: string, before: object, wanted: WantedPackage[], after: object]>([
  ['nothing but the SDK comes to an empty package', {}, [], { devDependencies: sdk }],
  [
    'packages of the other platform go, unless the sources still import them',
    {
      dependencies: { '@acme/runtime': '*', '@acme/api': '^1.0.0', '@other/api': '^2.0.0', hono: '^4.1.0' },
      devDependencies: { '@acme/cli': '^1.0.0' },
      peerDependencies: { '@acme/runtime': '*', react: '^19.0.0' },
    },
    [want('@acme/api')],
    {
      dependencies: { '@acme/api': '^1.0.0', '@other/api': '^2.0.0', hono: '^4.1.0' },
      devDependencies: sdk,
      peerDependencies: { react: '^19.0.0' },
    },
  ],
  [
    'a wanted package comes with the version of the repository around, or a usual one',
    { dependencies: { a: '^1.0.0' } },
    [want('hono'), want('typescript', { kind: 'devDependencies' }), want('a')],
    {
      dependencies: { a: '^1.0.0', hono: '^4.0.0' },
      devDependencies: { ...sdk, typescript: '^5.9.0' },
    },
  ],
  [
    'a wanted package is not added if it is there as another kind',
    { peerDependencies: { hono: '^3.0.0' } },
    [want('hono')],
    { peerDependencies: { hono: '^3.0.0' }, devDependencies: sdk },
  ],
  [
    'a program of a script brings its package',
    { scripts: { check: 'tsc && acme check' } },
    [],
    { scripts: { check: 'tsc && platform validate' }, devDependencies: { ...sdk, typescript: '^5.9.0' } },
  ],
  [
    'a list that is empty now is removed, and one that was empty before stays',
    { dependencies: { '@acme/runtime': '*' }, peerDependencies: {} },
    [],
    { peerDependencies: {}, devDependencies: sdk },
  ],
  [
    'a file in the project stays a dependency',
    { dependencies: { local: 'file:./local' } },
    [],
    { dependencies: { local: 'file:./local' }, devDependencies: sdk },
  ],
])('%s', (_, before, wanted, after) => {
  expect(rewrite(before, wanted)).toMatchObject({ content: after, notes: [] });
  expect(rewrite(before, wanted).content).toEqual(after);
});

test('reports open decisions at their lines in line order', () => {
  const { text, notes } = rewrite(
    {
      scripts: { build: 'rollup -c' },
      dependencies: { lodash: 'catalog:', ours: 'workspace:*', shared: 'file:../shared' },
    },
    [want('unknown', { by: 'src/index.ts' })],
  );
  const lines = text.split('\n');
  expect(notes.map(({ line, message }) => [lines[(line ?? 0) - 1]?.trim(), message])).toEqual([
    ['"build": "rollup -c"', 'The script "build" runs rollup, which no dependency provides.'],
    [
      '"lodash": "^4.17.0",',
      'lodash was "catalog:", which refers to the original repository: it is now "^4.17.0", as in that repository.',
    ],
    [
      '"ours": "*",',
      'ours was "workspace:*", which refers to the original repository: enter a version, or copy the package into this folder.',
    ],
    [
      '"shared": "*",',
      'shared was "file:../shared", which refers to the original repository: enter a version, or copy the package into this folder.',
    ],
    ['"unknown": "*"', 'src/index.ts needs unknown, which was not in package.json. Enter a version.'],
  ]);
});

test.each([['\t'], ['    ']])('keeps the indentation %j', (indent) => {
  const { text } = rewrite(JSON.stringify({ name: 'a' }, null, indent));
  expect(text).toBe(`${JSON.stringify({ name: 'a', devDependencies: sdk }, null, indent)}\n`);
});

test.each(['{ nope', '"text"', 'null'])('leaves %s unchanged with a note', (text) => {
  expect(rewrite(text)).toMatchObject({
    text,
    notes: [
      { message: 'This file is not valid JSON, so add integration-platform to devDependencies yourself.' },
    ],
  });
});

test('gives a new package a name that npm accepts', () => {
  expect(newPackage('My-Thing', '^1.0.0')).toBe(
    '{\n  "name": "my-thing",\n  "private": true,\n  "devDependencies": {\n    "integration-platform": "^1.0.0"\n  }\n}\n',
  );
});
