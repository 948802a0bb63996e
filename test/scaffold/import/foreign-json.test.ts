import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../../src/base/user-error.js';
import { toText } from '../../../src/scaffold/files/files-in-memory.js';
import { importProject } from '../../../src/scaffold/import/import-project.js';
import { detectPackageManager } from '../../../src/base/node/detect-package-manager.js';
import { nodeModulesPath } from '../../../src/scaffold/tools/node-modules-path.js';
import { seededRandom } from '../../support/random.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const sources = {
  'platform-manifest.yaml': 'name: weather\ntitle: Weather\nscript: ./index.tsx\nscopes: []\n',
  'index.tsx': "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n",
  'index.test.ts': "import './made';\ntest('works', () => {});\n",
};

function lay(root: string, files: Record<string, unknown>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return join(root, 'from');
}

const foreign = (files: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...sources, ...files }).map(([path, content]) => [`from/${path}`, content]),
  );

async function importAll(from: string): Promise<Record<string, string>> {
  detectPackageManager({ folder: from, env: {} });
  nodeModulesPath(join(from, 'x'), { hoists: true });
  const { files } = await importProject(from, { sdkSpec: '^1.0.0' });
  return Object.fromEntries(Array.from(files, ([path, bytes]) => [path, toText(bytes)]));
}

test.each<[string, unknown]>([
  ['package.json', { scripts: { dev: 5, build: 'tsc' } }],
  ['package.json', { workspaces: { packages: 5 } }],
  ['package.json', { dependencies: { a: 5 } }],
  ['package.json', { dependencies: 'x' }],
  ['package.json', { scripts: { a: 'constructor', b: 'toString' } }],
  ['package.json', { packageManager: { toString: 5 } }],
  ['package.json', []],
  ['package.json', `{"deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ['tsconfig.json', { compilerOptions: 'x' }],
  ['tsconfig.json', { compilerOptions: { types: 'x' } }],
  ['tsconfig.json', { compilerOptions: { module: { toString: 5 }, lib: [5], paths: 'x' } }],
  ['tsconfig.json', { include: [{ toString: 5 }], extends: [5, {}] }],
  ['tsconfig.json', `{"compilerOptions":{"types":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`],
  ['platform-manifest.yaml', '- a\n- b\n'],
  ['platform-manifest.yaml', ''],
])('imports %s even if its values have the wrong type: %j', async (path, content) => {
  const files = await importAll(lay(temporaryFolder(), foreign({ [path]: content })));
  expect(files['index.tsx']).toContain("from 'integration-platform'");
});

test('reports values of the wrong type in a foreign JSON file', async () => {
  const from = lay(temporaryFolder(), foreign({ 'package.json': { scripts: { dev: 5, build: 'tsc' } } }));
  const { files, decisions } = await importProject(from, { sdkSpec: '^1.0.0' });
  expect(decisions).toContainEqual({
    file: 'package.json',
    message: 'scripts.dev had the wrong type, so it was removed.',
  });
  expect(JSON.parse(toText(files.get('package.json')!))).toMatchObject({ scripts: { build: 'tsc' } });
});

test('never crashes on any of 60 random values in any field of a foreign JSON file', async () => {
  const random = seededRandom(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const value = (depth = 0): unknown => {
    const simple: unknown[] = [
      5,
      null,
      true,
      'x',
      '',
      '../..',
      'constructor',
      '*',
      '(',
      [],
      {},
      { toString: 5 },
    ];
    if (depth > 2 || random() < 0.5) return pick(simple);
    if (random() < 0.5) return [value(depth + 1), value(depth + 1)];
    return { [pick(['a', 'packages', 'types', 'dev', '__proto__', 'toString'])]: value(depth + 1) };
  };
  const some = (keys: string): object =>
    Object.fromEntries(keys.split(' ').flatMap((key) => (random() < 0.5 ? [[key, value()]] : [])));
  const packageFile = (): object =>
    some(
      'name version private packageManager scripts dependencies devDependencies peerDependencies catalog workspaces',
    );
  const tsconfig = (): object => ({
    ...some('extends include files compilerOptions'),
    ...(random() < 0.7 && {
      compilerOptions: some(
        'target module moduleResolution jsx jsxImportSource types lib paths skipLibCheck',
      ),
    }),
  });
  const folder = temporaryFolder();
  for (let n = 0; n < 60; n += 1) {
    const root = join(folder, String(n));
    const files = {
      ...foreign({ 'package.json': packageFile(), 'tsconfig.json': tsconfig() }),
      'from/node_modules/x/tsconfig.json': tsconfig(),
      'from/node_modules/x/package.json': packageFile(),
      'package.json': packageFile(),
    };
    const end = await importAll(lay(root, files)).catch((error: unknown) => error);
    expect([end instanceof Error && !(end instanceof UserError) ? [end, files] : undefined]).toEqual([
      undefined,
    ]);
  }
});

const canary = { compilerOptions: { canary: 'canary' } };

test.each<[string, unknown, (root: string) => void]>([
  ['a relative path', { extends: '../home/secret.json' }, () => {}],
  ['an absolute path', { extends: '/home/secret.json' }, () => {}],
  [
    'a link',
    { extends: './base.json' },
    (root) => symlinkSync('../home/secret.json', join(root, 'from/base.json')),
  ],
  [
    'a linked folder',
    { extends: './dist/secret.json' },
    (root) => symlinkSync('../home', join(root, 'from/dist')),
  ],
  ['a path inside a package', { extends: '@acme/pkg/../../../../home/secret.json' }, () => {}],
  [
    'a linked package',
    { extends: '@acme/leak/secret.json' },
    (root) => symlinkSync('../../../home', join(root, 'from/node_modules/@acme/leak')),
  ],
  ['an intermediate base file', { extends: './dist/base.json' }, () => {}],
])('copies no settings from outside the folder and its repository: %s', async (what, tsconfig, prepare) => {
  const root = temporaryFolder();
  const from = lay(root, {
    ...foreign({ 'tsconfig.json': tsconfig, 'node_modules/@acme/pkg/package.json': {} }),
    'home/secret.json': canary,
    'home/package.json': { name: 'leak' },
  });
  prepare(root);
  if (what === 'an intermediate base file')
    lay(root, { 'from/dist/base.json': { extends: '../../home/secret.json' } });
  const files = await importAll(from);
  expect(JSON.stringify(files)).not.toContain('canary');
});

test('copies tsconfig settings from the folder, an installed package and the surrounding repository', async () => {
  const root = temporaryFolder();
  const from = lay(root, {
    ...foreign({
      'tsconfig.json': { extends: ['../base.json', '@acme/config/base', './dist/own.json'] },
      'dist/own.json': { compilerOptions: { own: true } },
      'node_modules/@acme/config/package.json': {},
      'node_modules/@acme/config/base.json': { compilerOptions: { package: true } },
    }),
    'base.json': { compilerOptions: { repository: true } },
    '.git/HEAD': '',
  });
  expect(JSON.parse((await importAll(from))['tsconfig.json']!)).toMatchObject({
    compilerOptions: { own: true, package: true, repository: true },
  });
});

test('reads each base file only once even if the files extend each other', async () => {
  const bases = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `dist/base-${n}.json`,
      {
        extends: Array.from({ length: 40 }, (__, other) => `./base-${other % 20}.json`),
        compilerOptions: { [`option${n}`]: n, baseUrl: '.' },
      },
    ]),
  );
  const from = lay(
    temporaryFolder(),
    foreign({ 'tsconfig.json': { extends: './dist/base-0.json' }, ...bases }),
  );
  const { files, decisions } = await importProject(from, { sdkSpec: '^1.0.0' });
  expect(toText(files.get('tsconfig.json')!)).toContain('"option19": 19');
  expect(decisions.filter(({ message }) => message.includes('set baseUrl'))).toHaveLength(1);
});
