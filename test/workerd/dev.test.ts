import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { devHere } from '../support/dev-here.js';
import { startDev, type DevSession } from '../support/dev-session.js';
import { installedWorkerd } from './installed-workerd.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let session: DevSession | undefined;
let folder: string;
afterEach(async () => {
  await session?.stop();
  session = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function project({ installed = true, settings = '' } = {}): string {
  folder = mkdtempSync(join(tmpdir(), 'dev-'));
  cpSync(join(root, 'test/bench/integration'), folder, { recursive: true });
  if (installed) symlinkSync(join(installedWorkerd().folder, 'node_modules'), join(folder, 'node_modules'));
  if (settings) writeFileSync(join(folder, 'platform.dev.yaml'), settings);
  return folder;
}

const ask = async (): Promise<string> => (await fetch(session?.urls.publicEndpoint ?? '')).text();

test('serves, records, reloads and replays with platform dev --runtime workerd', async () => {
  project();
  session = await startDev(folder, ['--runtime', 'workerd']);
  const { version, compatibilityDate } = installedWorkerd();
  expect(session.lines[0]).toMatchObject({
    type: 'ready',
    runtime: { name: 'workerd', version, compatibilityDate, compatibilityFlags: [] },
  });
  expect(await ask()).toBe('{"revision":"r0"}');
  const finished = await session.line(
    (line) => line['type'] === 'call-finished' && JSON.stringify(line).includes('"type":"fetch"'),
  );
  const file = join(folder, 'src/index.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('r0', 'r1'));
  await expect.poll(ask).toBe('{"revision":"r1"}');
  const { id } = finished['call'] as { id: string };
  const replayed = await execa(process.execPath, [join(root, 'bin/platform.js'), 'replay', id], {
    cwd: folder,
    reject: false,
  });
  expect(replayed.stdout).toContain('r1');
});

test('reads the runtime, its compatibility date and its flags from platform.dev.yaml', async () => {
  project({
    settings: "runtime: workerd\ncompatibilityDate: '2026-01-01'\ncompatibilityFlags: [nodejs_compat]\n",
  });
  writeFileSync(
    join(folder, 'src/index.ts'),
    `import { basename } from 'node:path';
export default { fetch: async () => new Response(basename('/a/b') + typeof Buffer) };`,
  );
  session = await startDev(folder);
  expect(session.lines[0]).toMatchObject({
    runtime: { compatibilityDate: '2026-01-01', compatibilityFlags: ['nodejs_compat'] },
  });
  expect(await ask()).toBe('bfunction');
  expect(session.lines.filter(({ type }) => type === 'checked')).toEqual([]);
});

test('runs the first script in workerd if the settings change to workerd during startup', async () => {
  project({ settings: 'port: none\n' });
  writeFileSync(
    join(folder, 'src/index.ts'),
    'export default { fetch: async () => new Response(typeof Buffer) };',
  );
  const dev = devHere(folder, ['--port', '0']);
  onTestFinished(() => void dev.stop());
  await dev.prints(/platform\.dev\.yaml/);
  writeFileSync(join(folder, 'platform.dev.yaml'), 'runtime: workerd\n');
  await dev.prints(/Public +\S+[^]*ready|ready[^]*Public +\S+/);
  const [, endpoint = ''] = /Public +(\S+)/.exec(dev.text()) ?? [];
  expect(await (await fetch(endpoint)).text()).toBe('undefined');
});

test('shows the install command if the workerd package is missing', async () => {
  project({ installed: false });
  const { exitCode, stderr } = await execa(
    process.execPath,
    [join(root, 'bin/platform.js'), 'dev', folder, '--runtime', 'workerd', '--port', '0'],
    { reject: false },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('The runtime workerd is not installed in this project.');
  expect(stderr).toContain('npm install --save-dev workerd@1.20261023.1');
});
