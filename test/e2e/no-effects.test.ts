import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

/** Every way out of the process throws, and says so at the end. */
const noNetwork = `
const tried = [];
const refuse = (name) => () => {
  tried.push(name);
  throw new Error('network: ' + name);
};
const net = require('node:net');
net.Socket.prototype.connect = refuse('connect');
net.Server.prototype.listen = refuse('listen');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  require('node:dns')[name] = refuse(name);
  require('node:dns').promises[name] = refuse(name);
}
require('node:dgram').createSocket = refuse('dgram');
globalThis.fetch = refuse('fetch');
process.on('exit', () => tried.length > 0 && require('node:fs').writeSync(2, 'TRIED ' + tried.join()));
`;

const permission =
  Number(process.versions.node.split('.')[0]) >= 24 ? '--permission' : '--experimental-permission';

/** Node itself denies every write and every child process. */
const run = (argv: string[], cwd: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const flags = ['--no-warnings', permission, '--allow-fs-read=*', '--require', `${cwd}/no-network.cjs`];
    execFile(process.execPath, [...flags, platform, ...argv], { cwd }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

const manifest = `name: hello
title: Hello
descripton: Says hello
organization: acme
visibility: private
scopes: [space:content:read]
externalLinks:
  - label: Site
    url: https://example.com/
icon: icon.png
`;

test.each<[argv: string[], code: number, output: string]>([
  [['validate'], 1, 'manifest/unknown-key'],
  [['validate', '.', '--format', 'json'], 1, 'manifest/unknown-key'],
  [['validate', '--format', 'sarif'], 1, '2.1.0'],
  [['validate', '--format', 'github'], 1, '::error'],
  [['validate', '--format', 'junit'], 1, '<testsuites'],
  [['validate', '--fix', '--dry-run'], 1, '+description'],
  [['explain', 'bundle/missing-entry'], 0, 'Wrong'],
  [['docs', 'refresh', 'token'], 0, 'next: platform docs'],
  [['rules'], 0, 'manifest/unknown-key'],
  [['schema', 'manifest'], 0, '$schema'],
  [['nosuch'], 2, ''],
])('platform %j uses no network and writes no files', async (argv, code, output) => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': manifest,
    'no-network.cjs': noNetwork,
  });
  const result = await run(argv, fixture.path.replace(/\/$/, ''));
  expect(result.stdout).toContain(output);
  expect(result.code).toBe(code);
  expect(result.stderr).not.toMatch(/TRIED|bug/);
  expect(readdirSync(fixture.path).sort()).toEqual(['no-network.cjs', 'platform-manifest.yaml']);
});

test('the test environment blocks access to the network', async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': manifest,
    'no-network.cjs': noNetwork,
  });
  const { code, stderr } = await run(['validate', '--fix'], fixture.path.replace(/\/$/, ''));
  expect(code).toBe(2);
  expect(stderr).toContain('platform-manifest.yaml cannot be written (ERR_ACCESS_DENIED).');
});
