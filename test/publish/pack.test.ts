import { writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packSubmission, unpack } from '../../src/publish/index.js';
import { readTar, writeTar } from '../../src/publish/tar.js';
import { png } from './png.js';
import { check, createProject } from './support.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('a pack holds what would be submitted, and nothing else', async () => {
  await using fixture = await createProject();
  const { files, archive } = packSubmission(await check(fixture));
  expect(files.map(({ path }) => path)).toEqual([
    'platform-manifest.yaml',
    'script.js',
    'icon.png',
    'preview.png',
  ]);
  const packed = readTar(gunzipSync(archive));
  expect(text(packed[0]?.bytes ?? new Uint8Array())).toContain('script: ./script.js\n');
  expect(packed.map(({ bytes }) => bytes.length)).toEqual(files.map(({ bytes }) => bytes));
  expect(text(gunzipSync(archive))).not.toContain('client-id-of-acme');
  const again = packSubmission(await check(fixture));
  expect(Buffer.compare(again.archive, archive)).toBe(0);
});

test('a pack passes what its project passes', async () => {
  await using fixture = await createProject();
  writeFileSync(fixture.getPath('out.tgz'), packSubmission(await check(fixture)).archive);
  const unpacked = unpack(fixture.getPath('out.tgz'));
  const { report, checks } = await check(fixture, { file: unpacked.manifestFile, built: true });
  unpacked.close();
  expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(report.diagnostics.map(({ code }) => code)).not.toContain('manifest/unset-secret');
  expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(20);
});

test('nothing is packed with a secret in it, or without a script', async () => {
  await using leaking = await createProject({
    'icon.png': Buffer.concat([png(512, 512), Buffer.from('client-id-of-acme')]),
  });
  const leaky = await check(leaking);
  expect(() => packSubmission(leaky)).toThrow('Nothing is packed while a secret would be in it.');
  await using broken = await createProject({ 'src/index.tsx': 'export default {' });
  const unbuilt = await check(broken);
  expect(() => packSubmission(unbuilt)).toThrow('There is nothing to pack: the script does not build.');
});

test('an archive is read as it was written', () => {
  const long = `${'folder/'.repeat(20)}file.txt`;
  const files = [
    { path: 'empty', bytes: new Uint8Array() },
    { path: 'a/ü.txt', bytes: new TextEncoder().encode('x'.repeat(513)) },
    { path: long, bytes: new Uint8Array(512).fill(7) },
  ];
  expect(readTar(writeTar(files))).toEqual(files);
  expect(() => writeTar([{ path: 'x'.repeat(300), bytes: new Uint8Array() }])).toThrow(RangeError);
});

test.each([
  ['not compressed', Buffer.from('hello')],
  ['no archive', gzipSync('x'.repeat(1000))],
  [
    'an archive cut short',
    gzipSync(writeTar([{ path: 'a', bytes: new Uint8Array(2000) }]).subarray(0, 1024)),
  ],
  ['a file that would lie outside', gzipSync(writeTar([{ path: '../../evil', bytes: new Uint8Array() }]))],
])('%s is refused', async (_, bytes) => {
  await using fixture = await createProject({ '../out.tgz': bytes });
  expect(() => unpack(fixture.getPath('out.tgz'))).toThrow(/out\.tgz/);
});
