import { createFixture } from 'fs-fixture';
import { chmod, readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.js';

const manifest =
  'name: weather\ntitle: Weather\norganization: acme\nvisibility: private\nscopes: []\nscript: index.js\n';
const source = "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n";
const latin1 = Buffer.from(`${source}// caf\xe9\n`, 'latin1');
const argv = ['init', 'here', '--from', 'from', '--yes'];

test('copies files that do not change byte for byte, with their permissions', async () => {
  await using fixture = await createFixture({
    'from/acme-manifest.yaml': manifest,
    'from/index.js': `\uFEFF${source}`,
    'from/same.ts': '\uFEFFexport {};\n',
    'from/old.ts': latin1,
    'from/video.ts': Buffer.from([0x47, 0xff, 0, 0x80]),
    'from/run.sh': '#!/bin/sh\n',
  });
  await chmod(fixture.getPath('from/run.sh'), 0o755);
  const { code, stdout } = await runCli(argv, { cwd: fixture.path });
  expect(code).toBe(0);
  for (const path of ['same.ts', 'old.ts', 'video.ts'])
    expect(await readFile(fixture.getPath('here', path))).toEqual(
      await readFile(fixture.getPath('from', path)),
    );
  expect(await fixture.readFile('here/index.js', 'utf8')).toMatch(/^\uFEFF.*'integration-platform';/);
  expect((await stat(fixture.getPath('here/run.sh'))).mode & 0o111).toBe(0o111);
  expect(stdout).toContain('old.ts: This file is not UTF-8, so it was copied unchanged.');
});

test('rejects a manifest that is not UTF-8', async () => {
  await using fixture = await createFixture({
    'from/acme-manifest.yaml': Buffer.from(`${manifest}description: caf\xe9\n`, 'latin1'),
    'from/index.js': source,
  });
  const { code, stderr } = await runCli(argv, { cwd: fixture.path });
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not UTF-8, so nothing was written.')]);
});
