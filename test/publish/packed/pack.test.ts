import { writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkPacked, packSubmission } from '../../../src/publish/index.js';
import { readTar, writeTar } from '../../../src/publish/packed/tar-headers.js';
import { check, createProject, source } from '../project-under-check.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('packs only the files that belong in a submission', async () => {
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

test('reads a packed submission and explains why it skips the checks that run the script', async () => {
  await using fixture = await createProject();
  writeFileSync(fixture.getPath('out.tgz'), packSubmission(await check(fixture)).archive);
  const { report, checks } = await checkPacked({
    archive: fixture.getPath('out.tgz'),
    shown: 'out.tgz',
    cwd: fixture.path,
    target: 'marketplace',
    strict: false,
    interrupted: new AbortController().signal,
  });
  expect(report.diagnostics).toEqual([]);
  const passed = checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id.slice(8));
  expect(passed).toEqual(
    expect.arrayContaining([
      'manifest',
      'name',
      'organization',
      'visibility',
      'description',
      'summary',
      'categories',
      'external-links',
      'icon',
      'preview-images',
      'internal-scope',
      'leaked-secret',
    ]),
  );
  const skipped = checks.filter(({ verdict }) => verdict === 'skipped');
  expect(skipped.find(({ id }) => id === 'publish/render')?.evidence).toBe(
    'Scripts in packed submissions are never run.',
  );
  const toReview = checks.filter(({ verdict }) => verdict === 'review');
  expect(toReview.map(({ id }) => id)).toEqual(['publish/unique-name', 'publish/behaviour']);
  expect(passed.length + skipped.length + toReview.length).toBe(checks.length);
});

test('creates no packed submission without a script', async () => {
  await using broken = await createProject({ 'src/index.tsx': 'export default {' });
  const unbuilt = await check(broken);
  expect(() => packSubmission(unbuilt)).toThrow('There is nothing to pack: the script does not build.');
});

test('reports a secret in the submission with its file and line', async () => {
  await using fixture = await createProject({
    'src/index.tsx': `import { leak } from './leak';\nconsole.log(leak);\n${source}`,
    'src/leak.ts': "// why\nexport const leak = 'client-id-of-acme';\n",
  });
  const { report } = await check(fixture);
  const [found, ...others] = report.diagnostics.filter(({ code }) => code === 'publish/leaked-secret');
  expect(others).toEqual([]);
  expect(found?.file).toBe(fixture.getPath('project/src/leak.ts'));
  expect(found?.range?.start.line).toBe(2);
});

test('reads exactly the files that were written to the archive', () => {
  const long = `${'folder/'.repeat(20)}file.txt`;
  const files = [
    { path: 'empty', bytes: new Uint8Array() },
    { path: 'a/ü.txt', bytes: new TextEncoder().encode('x'.repeat(513)) },
    { path: long, bytes: new Uint8Array(512).fill(7) },
  ];
  expect(readTar(writeTar(files))).toEqual(files);
  expect(() => writeTar([{ path: 'x'.repeat(300), bytes: new Uint8Array() }])).toThrow(RangeError);
});
