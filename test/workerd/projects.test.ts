import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { bundleOnce } from '../../src/bundle/index.js';
import { loadManifest } from '../../src/manifest/index.js';
import { findProductionHost } from '../../src/publish/probe/production-host.js';
import { probeScript } from '../../src/publish/probe/probe-script.js';
import { sandboxedHost } from '../../src/publish/probe/sandboxed-host.js';
import { childProgram } from '../support/child-program.js';
import { installedWorkerd } from './installed-workerd.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const fixtures = join(root, 'test/fixtures');
const projects = ['integrations', 'projects'].flatMap((kind) =>
  readdirSync(join(fixtures, kind)).map((name) => `${kind}/${name}`),
);

/** Of a script that stands alone. */
const plain = (entry: string): string =>
  `name: plain\ntitle: Plain\ndescription: For tests.\norganization: acme\nvisibility: private\nscopes: []\nscript: ${entry}\n`;

const scriptProcess = { node: process.execPath, version: '1.2.3', clock: systemClock };

/** What a script shows when it is installed, configured, rendered and asked: the same in both runtimes. */
test.each(projects)('%s', async (name) => {
  const folder = join(fixtures, name);
  const file = join(folder, 'platform-manifest.yaml');
  const text = plain(readdirSync(folder).find((entry) => entry.startsWith('index.')) ?? '');
  const env = new Proxy({}, { get: () => 'value', has: () => true });
  const loaded = loadManifest({
    file,
    env,
    dotenv: join(folder, 'none'),
    ...(!existsSync(file) && { text }),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { integration } = loaded.value;
  if (integration.script === undefined) return;
  const entry = resolve(folder, integration.script);
  const built = await bundleOnce({ entry, folder, sdk: { folder: root } });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  const { host: production } = findProductionHost(installedWorkerd().folder, root, scriptProcess);
  const hosts = [
    await sandboxedHost({ ...scriptProcess, childFile: await childProgram() })(),
    await production?.create(),
  ];
  const [node, workerd] = await Promise.all(
    hosts.map(async (host) => {
      if (!host) throw new Error('workerd is not installed.');
      try {
        return await probeScript(built.value, integration, host);
      } finally {
        await host.close();
      }
    }),
  );
  expect(workerd).toEqual(node);
  expect(workerd?.started).toMatchObject({ ok: true });
});
