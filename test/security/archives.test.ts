import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeFifo } from '../support/make-fifo.js';
import { tarOf, type TarEntry } from '../support/tar-entry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

const manifest = manifestText({ name: 'weather', visibility: 'public', more: 'script: ./script.js\n' });
const good: TarEntry[] = [
  { path: 'platform-manifest.yaml', content: manifest },
  { path: 'script.js', content: 'export default { fetch: () => new Response() };' },
];
const beside = (...entries: TarEntry[]): Buffer => gzipSync(tarOf([...good, ...entries]));

/** Each archive, and a text that its error has to contain. */
const hostile: [what: string, bytes: () => Buffer, names: string][] = [
  ['x and x/y', () => beside({ path: 'x' }, { path: 'x/y' }), '"x" is both a file and the folder of "x/y"'],
  ['x/y and x', () => beside({ path: 'x/y' }, { path: 'x' }), '"x" is both a file and the folder of "x/y"'],
  ['zz/ as a file', () => beside({ path: 'zz/' }), '"zz/"'],
  ['a folder', () => beside({ path: 'zz/', kind: '5' }), '"zz/" is a folder'],
  ['an empty name', () => beside({ path: '' }), 'data after the end-of-archive marker'],
  ['..', () => beside({ path: '../evil' }), '"../evil"'],
  ['.. inside', () => beside({ path: 'a/../../evil' }), '"a/../../evil"'],
  ['an absolute path', () => beside({ path: '/tmp/evil' }), '"/tmp/evil"'],
  ['a drive', () => beside({ path: 'C:evil' }), '"C:evil"'],
  ['a backslash', () => beside({ path: '..\\evil' }), 'evil'],
  ['an escape sequence', () => beside({ path: 'a\u001b[2Jb' }), '␛[2J'],
  ['a symbolic link', () => beside({ path: 'a', kind: '2', link: '/etc/passwd' }), '"a" is a symbolic link'],
  ['a hard link', () => beside({ path: 'a', kind: '1', link: 'script.js' }), '"a" is a hard link'],
  ['a character device', () => beside({ path: 'a', kind: '3' }), '"a" is a device'],
  ['a block device', () => beside({ path: 'a', kind: '4' }), '"a" is a device'],
  ['a FIFO', () => beside({ path: 'a', kind: '6' }), '"a" is a FIFO'],
  ['a sparse file', () => beside({ path: 'a', kind: 'S' }), '"a" is a sparse file'],
  ['a long name', () => beside({ path: '././@LongLink', kind: 'L', content: 'a'.repeat(5000) }), 'long name'],
  ['a pax header', () => beside({ path: 'a', kind: 'x', content: '20 path=../../evil\n' }), 'pax'],
  ['a pax header of all', () => beside({ path: 'a', kind: 'g', content: '18 size=999999999\n' }), 'pax'],
  ['pax', () => beside({ path: 'a', kind: 'x', content: '22 GNU.sparse.major=1\n' }, { path: 'a' }), 'pax'],
  ['a long link', () => beside({ path: '././@LongLink', kind: 'K', content: '/etc/passwd' }), '@LongLink'],
  ['a volume', () => beside({ path: 'a', kind: 'V' }), '"a" is'],
  ['a part of a file', () => beside({ path: 'a', kind: 'M' }), '"a" is'],
  ['a listing of a folder', () => beside({ path: 'a', kind: 'D', content: 'Y/etc\0\0' }), '"a" is'],
  ['a kind of its own', () => beside({ path: 'a', kind: '\u001b' }), '"a" is'],
  ['a hard link outside', () => beside({ path: 'a', kind: '1', link: '/etc/passwd' }), '"a" is a hard link'],
  [
    'a second gzip member with more files',
    () => Buffer.concat([beside(), gzipSync(tarOf([{ path: '../evil' }]))]),
    'data after the end-of-archive marker',
  ],
  [
    'an entry that goes on in a second gzip member',
    () => {
      const tar = tarOf([...good, { path: '../evil', content: 'x' }]);
      return Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    },
    '"../evil"',
  ],
  ['data after the gzip stream', () => Buffer.concat([beside(), Buffer.from('evil')]), 'not a packed'],
  ['the same name twice', () => beside({ path: 'a' }, { path: 'a' }), '"a" occurs twice'],
  ['two cases of a name', () => beside({ path: 'ä' }, { path: 'A\u0308' }), 'same file on some systems'],
  ['a size below zero', () => beside({ path: 'a', size: '-0000000001\0' }), '"a" has no valid size'],
  ['a size in base 256', () => beside({ path: 'a', size: '\x80\0\0\0\0\0\0\0\0\0\x7f' }), 'no valid size'],
  ['a size beyond the end', () => beside({ path: 'a', size: '77777777777\0' }), 'truncated in "a"'],
  ['a wrong checksum', () => beside({ path: 'a', checksum: 7 }), 'corrupt'],
  ['no end', () => gzipSync(tarOf(good).subarray(0, -1024)), 'truncated'],
  ['half of a gzip stream', () => beside().subarray(0, 200), 'truncated'],
  ['more', () => gzipSync(Buffer.concat([tarOf(good), Buffer.from('x')])), 'after the end-of-archive marker'],
  ['not gzip', () => Buffer.from(manifest), 'gzip'],
  ['nothing', () => Buffer.alloc(0), 'not a packed submission'],
  ['no manifest', () => gzipSync(tarOf(good.slice(1))), 'no platform-manifest.yaml'],
  ['a bomb of 2 GB', () => bomb(), 'unpacks to more than'],
  [
    '200,000 entries',
    () => gzipSync(tarOf(Array.from({ length: 200_000 }, (_, index) => ({ path: `f${index}` })))),
    'more than',
  ],
];

/** Members of a gzip file follow each other, so this is made in no time. */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  return Buffer.concat(Array.from({ length: 128 }, () => member));
}

function run(folder: string, argv: string[], temporary: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [platform, 'publish-check', ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', TMPDIR: temporary },
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

/** The temporary folder of the command alone. */
function folders(): { folder: string; temporary: string } {
  const folder = temporaryFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return { folder, temporary };
}

test('rejects every hostile archive, and reports its name, the entry and the reason', () => {
  const { folder, temporary } = folders();
  for (const [what, bytes, names] of hostile) {
    writeFileSync(join(folder, 'stranger.tgz'), bytes());
    const { status, stdout, stderr } = run(folder, ['stranger.tgz'], temporary);
    expect([what, status, stdout]).toEqual([what, 2, '']);
    expect(stderr, what).toContain('stranger.tgz is not a packed submission: ');
    expect(stderr.replaceAll(/\s+/g, ' '), what).toContain(names);
  }
  const left = readdirSync(temporary);
  expect(left).toEqual([]);
  expect(existsSync(join(folder, 'evil')) || existsSync('/tmp/evil')).toBe(false);
  console.log(
    `archives: ${hostile.length} of ${hostile.length} refused, ${left.length} temporary folders left`,
  );
});

test('rejects an archive that is a FIFO or a sparse file of 5 GB', () => {
  const { folder, temporary } = folders();
  makeFifo(join(folder, 'fifo.tgz'));
  writeFileSync(join(folder, 'sparse.tgz'), '');
  truncateSync(join(folder, 'sparse.tgz'), 5 * 1024 ** 3);
  const results = ['fifo.tgz', 'sparse.tgz'].map((name) => run(folder, [name], temporary));
  expect(results.map(({ status }) => status)).toEqual([2, 2]);
});

test('counts 80,000 secrets in a packed file', () => {
  const { folder, temporary } = folders();
  const key = ['AKIA', 'QWRTYPLMXVKSBNDH'].join('');
  writeFileSync(join(folder, 'many.tgz'), beside({ path: 'a.map', content: `${key}\n`.repeat(80_000) }));
  const { status, stdout } = run(folder, ['many.tgz', '--json'], temporary);
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('a.map contains an AWS access key and 79,999 more.'),
  ]);
});

test('runs no code from a packed submission', () => {
  const { folder, temporary } = folders();
  const marker = join(folder, 'marker');
  const spoil = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, 'ran');
globalThis.process?.getBuiltinModule?.('node:fs').writeFileSync(${JSON.stringify(marker)}, 'ran');
export default { fetch: () => new Response() };`;
  const entries: TarEntry[] = [
    { path: 'platform-manifest.yaml', content: `${manifest}secrets:\n  HOME: \${{ env.CANARY }}\n` },
    { path: 'script.js', content: `${spoil}\nconst text = 'canary-7f3a-2b'; ` },
    { path: 'tsconfig.json', content: '{ "extends": "/etc/passwd", "compilerOptions": { "paths": {} } }' },
    { path: 'package.json', content: '{ "type": "module", "imports": { "#x": "./script.js" } }' },
    { path: 'node_modules/integration-platform/index.js', content: spoil },
    { path: 'esbuild.config.js', content: spoil },
    { path: '.git/config', content: `[core]\n  fsmonitor = touch ${marker}\n` },
  ];
  writeFileSync(join(folder, 'stranger.tgz'), gzipSync(tarOf(entries)));
  process.env['CANARY'] = 'canary-7f3a-2b';
  const { status, stdout, stderr } = run(folder, ['stranger.tgz', '--json'], temporary);
  delete process.env['CANARY'];
  const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string; evidence: string }[] };
  const skipped = checks.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id);
  expect([status, stderr, existsSync(marker)]).toEqual([0, '', false]);
  expect(skipped).toEqual(expect.arrayContaining(['publish/start', 'publish/render', 'publish/endpoints']));
  expect(readdirSync(temporary)).toEqual([]);
  console.log(
    `packed submission: 0 of 3 programs in it ran, ${skipped.length} checks skipped with the reason`,
  );
});

test('leaves no temporary folder behind after a signal while an archive is read', async () => {
  const { folder, temporary } = folders();
  const large = Array.from({ length: 24 }, (_, index) => ({
    path: `f${index}`,
    content: Buffer.alloc(1024 * 1024, index),
  }));
  writeFileSync(join(folder, 'large.tgz'), beside(...large));
  const ends: string[] = [];
  for (const [index, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
    for (const delay of [150, 250, 350, 450]) {
      const child = spawn(process.execPath, [platform, 'publish-check', 'large.tgz'], {
        cwd: folder,
        env: { ...process.env, TMPDIR: temporary },
        stdio: 'ignore',
      });
      setTimeout(() => child.kill(signal), delay + index * 40);
      const [code, by] = (await once(child, 'exit')) as [number | null, string | null];
      ends.push(String(code ?? by));
      expect(readdirSync(temporary)).toEqual([]);
    }
  }
  console.log(
    `archives and signals: ${ends.length} runs ended with ${[...new Set(ends)].join(', ')}, 0 temporary folders left`,
  );
});
