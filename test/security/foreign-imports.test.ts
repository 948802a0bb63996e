import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { png } from '../publish/png.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const canary = 'canary-of-a-private-key';
const manifest = manifestText({
  name: 'weather',
  visibility: 'public',
  more: `script: ./src/index.ts
icon: ./icon.png
`,
});
const script = (first: string): string =>
  `${first}\nimport { createIntegration } from 'integration-platform';\nexport default createIntegration({ fetch: async () => Response.json(value) });\n`;
const privateText = `{ "key": "${canary}" }`;
const evil = (fields: object, files: Record<string, string> = {}): Record<string, string> => ({
  'src/index.ts': script("import value from 'evil';"),
  'node_modules/evil/package.json': JSON.stringify({ name: 'evil', version: '1.0.0', ...fields }),
  'node_modules/evil/index.js': "import value from './value.js';\nexport default value;\n",
  'node_modules/evil/value.js': 'export default 1;',
  ...files,
});

interface Attack {
  files: Record<string, string>;
  /** The target of each link in the project, keyed by the link's path. */
  links?: Record<string, string>;
  /** The position of the import, as shown in the report. */
  at?: string;
}

const attacks: Record<string, Attack> = {
  'a browser field for a file': {
    files: evil({ browser: { './value.js': '../../../home/private.json' } }),
    at: 'node_modules/evil/index.js:1',
  },
  'a browser field for the package': {
    files: evil({ browser: '../../../home/private.json' }),
    at: 'src/index.ts:1',
  },
  'main of the package': { files: evil({ main: '../../../home/private.json' }), at: 'src/index.ts:1' },
  'a browser field for another package': {
    files: evil(
      { browser: { harmless: '../../../home/private.json' } },
      { 'node_modules/evil/index.js': "import value from 'harmless';\nexport default value;\n" },
    ),
    at: 'node_modules/evil/index.js:1',
  },
  'a path of the package': {
    files: evil(
      {},
      {
        'node_modules/evil/index.js':
          "\nimport value from '../../../home/private.json';\nexport default value;\n",
      },
    ),
    at: 'node_modules/evil/index.js:2',
  },
  'exports of the package': { files: evil({ exports: '../../../home/private.json' }) },
  'exports with dots inside': { files: evil({ exports: './a/../../../../home/private.json' }) },
  'imports of the package': {
    files: evil(
      { imports: { '#value': '../../../home/private.json' } },
      { 'node_modules/evil/index.js': "import value from '#value';\nexport default value;\n" },
    ),
  },
  'a file of the project that is not code': {
    files: evil(
      { browser: { './value.js': '../../.platform/session.json' } },
      { '.platform/session.json': privateText },
    ),
    at: 'node_modules/evil/index.js:1',
  },
  'a file that does not build': { files: evil({ browser: { './value.js': '../../../home/broken.ts' } }) },
  'a browser field of the project': {
    files: {
      'src/index.ts': script("import value from './value.js';"),
      'src/value.js': 'export default 1;',
      'package.json': '{ "browser": { "./src/value.js": "../home/private.json" } }',
    },
    at: 'src/index.ts:1',
  },
  'paths of a tsconfig': {
    files: {
      'src/index.ts': script("import value from '~value';"),
      'tsconfig.json': '{ "compilerOptions": { "paths": { "~value": ["../home/private.json"] } } }',
    },
    at: 'src/index.ts:1',
  },
  'a link, and a comment that ignores it': {
    files: {
      'src/index.ts': script(
        "import value from './value.json'; // platform-ignore publish/outside-source: ours",
      ),
    },
    links: { 'src/value.json': '../../home/private.json' },
    at: 'src/index.ts:1',
  },
  'a linked folder': {
    files: { 'src/index.ts': script("import value from './values/private.json';") },
    links: { 'src/values': '../../home' },
    at: 'src/index.ts:1',
  },
  'a link in place of a package': {
    files: { 'src/index.ts': script("import value from 'work/private.json';") },
    links: { 'node_modules/work': '../../home/work' },
    at: 'src/index.ts:1',
  },
  'a package of somebody else': {
    files: evil({ browser: { './value.js': '../../../home/work/node_modules/theirs/private.json' } }),
    at: 'node_modules/evil/index.js:1',
  },
};

test('publish-check does not pack files from outside the project', () => {
  let named = 0;
  for (const [what, { files, links = {}, at }] of Object.entries(attacks)) {
    const folder = temporaryFolder();
    const write = (path: string, text: string | Buffer): void => writeFiles(folder, { [path]: text });
    write('home/private.json', privateText);
    write('home/broken.ts', `export default '${canary}';\nconst = '${canary}';\n`);
    write('home/work/package.json', '{ "name": "work" }');
    write('home/work/private.json', privateText);
    write('home/work/node_modules/theirs/package.json', '{ "name": "theirs" }');
    write('home/work/node_modules/theirs/private.json', privateText);
    write('from/platform-manifest.yaml', manifest);
    write('from/icon.png', png(512, 512));
    for (const [path, text] of Object.entries(files)) write(`from/${path}`, text);
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(join(folder, 'from', path)), { recursive: true });
      symlinkSync(target, join(folder, 'from', path));
    }
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [platform, 'publish-check', 'from', '--pack', 'out.tgz'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' }, timeout: 60_000 },
    );
    const output = (stdout + stderr).replaceAll(/\s+/g, ' ');
    expect([what, status]).toEqual([what, 1]);
    expect([what, output.includes(canary)]).toEqual([what, false]);
    expect([what, existsSync(join(folder, 'out.tgz'))]).toEqual([what, false]);
    if (at === undefined) continue;
    expect([what, output]).toEqual([what, expect.stringContaining(`(from/${at}, publish/outside-source)`)]);
    named += 1;
  }
  const all = Object.keys(attacks).length;
  console.log(
    `publish-check: 0 of ${all} files from outside packed or shown, ${named} imports named with their line`,
  );
}, 240_000);

const quoted: Record<string, Record<string, string>> = {
  'a value of a tsconfig': { 'home/other.json': `{ "compilerOptions": { "target": "${canary}" } }` },
  'a tsconfig that does not parse': { 'home/other.json': `{ "compilerOptions": '${canary}' }` },
  'code that does not parse': { 'home/other.ts': `let '${canary}';\n` },
  'an import that is not found': { 'home/other.ts': `import '${canary}';\n` },
  'an import that its file does not have': {
    'home/other.ts': `import { value as x } from './more.js';\nimport * as all from './more.js';\nexport default [x, all['${canary}']];\n`,
    'home/more.js': 'export const other = 1;\n',
  },
};

test('publish-check does not quote text from files outside the project', () => {
  for (const [what, files] of Object.entries(quoted)) {
    const folder = temporaryFolder();
    const all = {
      ...files,
      'from/platform-manifest.yaml': manifest.replace('icon: ./icon.png\n', ''),
      'from/src/index.ts': script(
        'home/other.ts' in files ? "import value from '../../home/other';" : 'const value = 1;',
      ),
      'from/tsconfig.json': '{ "extends": "../home/other.json" }',
    };
    writeFiles(folder, all);
    for (const format of ['text', 'json', 'sarif']) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [platform, 'publish-check', 'from', '--format', format],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' }, timeout: 60_000 },
      );
      expect([what, stdout + stderr]).toEqual([what, expect.stringContaining('other')]);
      expect([what, (stdout + stderr).includes(canary)]).toEqual([what, false]);
    }
  }
  console.log(`publish-check: 0 of ${Object.keys(quoted).length} messages quote a file from outside`);
}, 120_000);
