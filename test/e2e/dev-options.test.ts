import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useAuthorProject } from '../support/author-dev.js';
import { type DevHere } from '../support/dev-here.js';
import { runPlatform } from '../support/run-platform.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const author = useAuthorProject();

const builtCommand = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

async function dev(...argv: string[]): Promise<DevHere & { address(label: string): string }> {
  const started = author.dev(argv, { env: { AUTHOR_CLIENT_ID: 'from the shell' } });
  await started.prints(/API +\S+/);
  const address = (label: string): string => new RegExp(`${label}\\s+(\\S+)`).exec(started.text())?.[1] ?? '';
  return { ...started, address };
}

const cli = async (...argv: string[]): Promise<{ code: number; json: Record<string, unknown> }> => {
  const { code, stdout } = await runCli([...argv, '--json'], { cwd: author.folder });
  return { code, json: JSON.parse(stdout) as Record<string, unknown> };
};

test('--not-installed lets the author create the first installation', async () => {
  const { address, text } = await dev('--not-installed');
  expect(address('Public')).toMatch(/\/v1\/integrations\/author$/);
  expect((await cli('logs')).json['items']).toEqual([]);
  const installed = await cli('install');
  expect(installed.json).toMatchObject({ installations: [{ id: 'installation_1', status: 'pending' }] });
  expect(text()).toContain('installation_setup');
});

test('--dotenv replaces .env, and the shell overrides both', async () => {
  writeFileSync(join(author.folder, '.env'), 'AUTHOR_CLIENT_SECRET=canary-of-dot-env\n');
  writeFileSync(
    join(author.folder, 'other.env'),
    'AUTHOR_CLIENT_SECRET=canary-of-other-env\nAUTHOR_CLIENT_ID=from-the-file\n',
  );
  await dev('--dotenv', 'other.env');
  const { json } = await cli('logs', '--type', 'installation_setup');
  const [{ id } = { id: '' }] = json['items'] as { id: string }[];
  const { json: seen } = await cli('inspect', id);
  expect(JSON.stringify(seen)).not.toContain('canary');
  expect(seen).toMatchObject({
    call: { environment: { secrets: { CLIENT_ID: '•••', CLIENT_SECRET: '•••' } } },
  });
});

test('passes a secret that is changed in .env to the running script', async () => {
  writeFileSync(join(author.folder, '.env'), 'AUTHOR_CLIENT_SECRET=canary-one\n');
  const source = join(author.folder, 'src/index.tsx');
  writeFileSync(
    source,
    readFileSync(source, 'utf8').replace(
      'Response.json({ revision })',
      'new Response(context.environment.secrets.CLIENT_SECRET)',
    ),
  );
  const { address } = await dev();
  const secret = async (): Promise<string> => (await fetch(address('Public'))).text();
  expect(await secret()).toBe('canary-one');
  writeFileSync(join(author.folder, '.env'), 'AUTHOR_CLIENT_SECRET=canary-two\n');
  await expect.poll(secret).toBe('canary-two');
});

test('sends a browser to the test double of the host that the script redirects it to', async () => {
  const map = (port: number): void =>
    writeFileSync(
      join(author.folder, 'platform.dev.yaml'),
      `outbound: { accounts.example: "http://127.0.0.1:${port}" }\n`,
    );
  map(4320);
  const source = join(author.folder, 'src/index.tsx');
  writeFileSync(
    source,
    readFileSync(source, 'utf8').replace(
      'Response.json({ revision })',
      `Response.redirect('https://' + new URL(request.url).searchParams.get('host') + '/authorize?client_id=a#b')`,
    ),
  );
  const { address } = await dev();
  const redirect = async (host: string): Promise<string | null> =>
    (await fetch(`${address('Public')}?host=${host}`, { redirect: 'manual' })).headers.get('location');
  expect(await redirect('accounts.example')).toBe('http://127.0.0.1:4320/authorize?client_id=a#b');
  expect(await redirect('other.example')).toBe('https://other.example/authorize?client_id=a#b');
  map(4321);
  await expect.poll(() => redirect('accounts.example')).toContain('127.0.0.1:4321');
});

test('--ready-file atomically writes the content of the first NDJSON line to a file', async () => {
  mkdirSync(join(author.folder, 'docs'));
  const { address } = await dev('--ready-file', 'ready.json');
  expect(JSON.parse(readFileSync(join(author.folder, 'ready.json'), 'utf8'))).toMatchObject({
    version: 1,
    type: 'ready',
    pid: process.pid,
    urls: { publicEndpoint: address('Public'), console: address('Console') },
    installation: 'installation_1',
    pages: [join(realpathSync(author.folder), 'docs')],
  });
});

test('--public-url exposes only the public endpoints under that host, and appears in every URL', async () => {
  const { address } = await dev('--public-url', 'https://tunnel.example');
  expect(address('Public')).toMatch(/^https:\/\/tunnel\.example\/v1\/integrations\/author\/installations\//);
  const { port } = new URL(address('Envelope'));
  const { request } = await import('node:http');
  const statusOf = (host: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  const path = new URL(address('Public')).pathname;
  expect(await statusOf('tunnel.example', path)).toBe(200);
  expect(await statusOf('other.example', path)).toBe(403);
  expect(await statusOf('tunnel.example', '/healthz')).toBe(403);
  expect(await statusOf('tunnel.example', '/')).toBe(403);
  expect((await fetch(address('Envelope'), { method: 'POST' })).status).toBe(401);
  for (const wrong of ['http://tunnel.example', 'https://tunnel.example/x', 'tunnel']) {
    const { code, stderr } = await runCli(['dev', author.folder, '--public-url', wrong]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('https://my-tunnel.example')]);
  }
});

test('--scopes enforce withholds events for which the manifest requests no scope', async () => {
  const { prints } = await dev('--scopes', 'enforce');
  await prints(/site_installation_setup/);
  expect((await cli('trigger', 'space_content_updated')).json).toMatchObject({
    events: [{ fired: { outcome: 'ok' } }],
  });
  const { code, json } = await cli('trigger', 'site_view');
  expect([code, json]).toMatchObject([
    2,
    { error: { code: 'missing-scope', hint: expect.stringContaining('--scopes warn') } },
  ]);
});

test('keeps the state after a restart, and deletes it with --fresh', async () => {
  const restart = async (...argv: string[]): Promise<unknown> => {
    const { stop } = await dev('--state', 'disk', ...argv);
    const { json } = await cli('config', 'get');
    await cli('config', 'set', 'channel=general');
    await stop();
    return json['configuration'];
  };
  expect(await restart()).toEqual({});
  expect(await restart()).toEqual({ channel: 'general' });
  expect(await restart('--fresh')).toEqual({});
});

test.each<[argv: string[], text: string]>([
  [['--port', 'many'], 'It must be a port from 0 to 65535.'],
  [['--prot', '1'], 'Did you mean --port?'],
  [['--state', 'dsk'], 'disk'],
  [['--exec', 'true', '--open'], 'Remove one of them.'],
  [['--timeout', 'x'], 'It must be a whole number of at least 1, such as 3.'],
  [['--timeout', '0'], 'It must be a whole number of at least 1, such as 3.'],
])('dev %j fails and suggests the next step', async (argv, text) => {
  const { code, stderr } = await runCli(['dev', author.folder, ...argv]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

test('accepts the path of a file instead of its folder', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'notes.txt'), '');
  const { code, stderr } = await runCli(['dev', 'notes.txt'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('No platform-manifest.yaml was found in')]);
});

test('explains how to create a manifest if the folder has none', async () => {
  const { code, stderr } = await runCli(['dev'], { cwd: temporaryFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('platform init')]);
});

test.each([
  [['nosuch'], 'Folder not found: "nosuch".'],
  [['--dotenv', 'nosuch.env'], 'File not found: "nosuch.env".'],
  [
    ['--ready-file', 'nosuch/ready.json'],
    '--ready-file nosuch/ready.json cannot be created. Folder not found: nosuch.',
  ],
  [['--ready-file', 'src'], '--ready-file src is a folder.'],
])('rejects the options %j before anything starts', async (argv, message) => {
  const { code, stderr } = await runCli(['dev', ...argv, '--exec', 'true'], { cwd: author.folder });
  expect([code, stderr.split('\n')[0]]).toEqual([2, `error ${message}`]);
});

test('connects the --exec command of a second session to that session, not to the first', async () => {
  const first = await dev('--port', '0');
  await first.prints(/site_installation_setup/);
  expect(await cli('trigger', 'space_content_updated')).toMatchObject({ code: 0 });
  const logs = async (argv: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await runPlatform(argv, { cwd: author.folder, limitMs: 60_000 });
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { items: { type: string }[] }).items.map(({ type }) => type);
  };
  const exec = `node ${builtCommand} logs --json`;
  const second = await logs(['dev', '--port', '0', '--quiet', '--state', 'memory', '--exec', exec]);
  expect(second).toContain('installation_setup');
  expect(second).not.toContain('space_content_updated');
  expect(await logs(['logs', '--json'])).toContain('space_content_updated');
});

test('does not load the page parser in a short session', async () => {
  const report = join(temporaryFolder(), 'loaded.cjs');
  writeFileSync(
    report,
    `process.on('SIGUSR2', () => console.error(Object.keys(require.cache).join('\\n')));`,
  );
  const { code, stderr } = await runPlatform(
    ['dev', '--port', '0', '--state', 'memory', '--exec', 'kill -USR2 $PPID; sleep 0.2'],
    { cwd: author.folder, env: { NODE_OPTIONS: `--require ${report}` }, limitMs: 60_000 },
  );
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/packages.execa\.cjs$/m);
  expect(stderr).not.toMatch(/packages.page\.cjs$/m);
});
