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
  ['adds only the SDK to an empty package', {}, [], { devDependencies: sdk }],
  [
    'removes packages of the other platform unless the sources still import them',
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
    'adds a wanted package with the version from the surrounding repository or a default one',
    { dependencies: { a: '^1.0.0' } },
    [want('hono'), want('typescript', { kind: 'devDependencies' }), want('a')],
    { dependencies: { a: '^1.0.0', hono: '^4.0.0' }, devDependencies: { ...sdk, typescript: '^5.9.0' } },
  ],
  [
    'does not add a wanted package that is already another kind of dependency',
    { peerDependencies: { hono: '^3.0.0' } },
    [want('hono')],
    { peerDependencies: { hono: '^3.0.0' }, devDependencies: sdk },
  ],
  [
    'adds the package of a program that a script runs',
    { scripts: { check: 'tsc && acme check' } },
    [],
    { scripts: { check: 'tsc && platform validate' }, devDependencies: { ...sdk, typescript: '^5.9.0' } },
  ],
  [
    'removes a list that has become empty, but not one that was already empty',
    { dependencies: { '@acme/runtime': '*' }, peerDependencies: {} },
    [],
    { peerDependencies: {}, devDependencies: sdk },
  ],
  [
    'keeps a dependency on a file in the project',
    { dependencies: { local: 'file:./local' } },
    [],
    { dependencies: { local: 'file:./local' }, devDependencies: sdk },
  ],
])('%s', (_, before, wanted, after) => {
  expect(rewrite(before, wanted)).toMatchObject({ content: after, notes: [] });
  expect(rewrite(before, wanted).content).toEqual(after);
});

test('reports pending decisions in order, with their line numbers', () => {
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

test.each([['\t'], ['    ']])('keeps the indentation %j of package.json', (indent) => {
  const { text } = rewrite(JSON.stringify({ name: 'a' }, null, indent));
  expect(text).toBe(`${JSON.stringify({ name: 'a', devDependencies: sdk }, null, indent)}\n`);
});

test.each(['{ nope', '"text"', 'null'])('leaves %s unchanged and adds a note', (text) => {
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
