import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { testedVersion } from '../../src/sandbox/workerd/find-workerd.js';
import { runIn } from '../support/author-project.js';
import { readBlocks } from '../support/code-blocks.js';
import { freePort } from '../support/free-port.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = sharedFolder();
const packages = [
  'express@5',
  'hono@4',
  '@hono/node-server@2',
  'next@16',
  'react@19',
  'react-dom@19',
  `workerd@${testedVersion}`,
];
const secret = 'whsec_guide';

/** Blocks whose file is named in the line before them, or in their own first line. */
function writeFiles(guide: string): void {
  for (const { mark, code } of readBlocks(guide)) {
    const file = mark?.name === 'file' ? mark.text : /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1];
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
}

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'pipe' });
  // Next.js does not follow a link out of the project.
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/integration-platform', part), { recursive: true });
  writeFiles('docs/guides/receiving-webhooks.md');
  writeFileSync(
    join(folder, 'app/layout.js'),
    "import { createElement } from 'react';\nexport default ({ children }) => createElement('html', null, createElement('body', null, children));\n",
  );
}, 300_000);

async function start(program: string, args: string[], port: number): Promise<void> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port), WEBHOOK_SECRET: secret, NEXT_TELEMETRY_DISABLED: '1' };
  const server = spawn(program, args, { cwd: folder, env, detached: true, stdio: 'ignore' });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    if (server.exitCode !== null) return;
    process.kill(-Number(server.pid), 'SIGKILL');
    await ended;
  });
  const listens = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/webhook`).then(
      () => true,
      () => false,
    );
  while (!(await listens())) {
    if (server.exitCode !== null)
      throw new Error(`${program} ${args.join(' ')} ended with code ${server.exitCode}.`);
    await wait(100);
  }
}

function writeWorkerConfig(port: number): void {
  buildSync({
    absWorkingDir: folder,
    entryPoints: ['worker.ts'],
    bundle: true,
    format: 'esm',
    outfile: 'worker.js',
  });
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .receiver)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const receiver :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2025-06-01",
  bindings = [(name = "WEBHOOK_SECRET", text = "${secret}")],
);
`,
  );
}

test.each<[host: string, program: string, args: (port: number) => string[]]>([
  ['Node', process.execPath, () => ['server.mjs']],
  ['Express', process.execPath, () => ['express.mjs']],
  ['Hono', process.execPath, () => ['hono.mjs']],
  ['Next.js', 'node_modules/.bin/next', (port) => ['dev', '--port', String(port)]],
  ['a worker', 'node_modules/.bin/workerd', () => ['serve', 'config.capnp']],
])("the guide's webhook receiver for %s passes every case", async (host, program, args) => {
  const port = await freePort();
  if (host === 'a worker') writeWorkerConfig(port);
  await start(program, args(port), port);
  const platform = [join(root, 'bin/platform.js'), 'webhook', 'test'];
  const to = ['--to', `http://127.0.0.1:${port}/webhook`, '--secret', secret];
  const { code, output } = await runIn(folder, [...platform, ...to]);
  expect(output).toMatch(/\nAll 12 checks passed\.\n$/);
  expect(code).toBe(0);
});
