import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openReplayedProject, replayFile, type Recording } from '../../src/recordings/index.js';
import { devHere } from '../support/dev-here.js';
import { freePort } from '../support/free-port.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { installedWorkerd } from './installed-workerd.js';
import { manifestText } from '../support/manifest-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const manifest = manifestText({
  name: 'outside',
  more: `script: index.ts
configurations:
  account:
    properties:
      greeting: { type: string, title: Greeting, default: Hello }
      color: { type: string, title: Color, default: red }
      service: { type: string, title: Service }
    required: [service]
`,
});

const script = (refused: string): string => `
import { createIntegration, routePath } from 'integration-platform';
import { temporaryFolder } from '../support/temporary-folder.js';

export default createIntegration({
  events: { async installation_setup() {} },
  async fetch(request, { environment }) {
    const { service, greeting } = environment.installation.configuration;
    switch (routePath(request, environment)) {
      case '/large': {
        const { items } = await (await fetch(service + '/large')).json();
        return Response.json({ count: items.length, greeting });
      }
      case '/too-large':
        return Response.json({ length: (await (await fetch(service + '/too-large')).text()).length });
      case '/ignored':
        await fetch(service + '/created', { method: 'POST', body: 'one' });
        return new Response('ok');
      case '/cancelled': {
        const answer = await fetch(service + '/created', { method: 'POST', body: 'two' });
        await answer.body.cancel();
        return new Response('ok');
      }
      case '/endless':
        await fetch(service + '/endless');
        return new Response('ok');
      case '/refused':
        return new Response(await fetch('${refused}').catch(({ name }) => name));
      case '/timeout':
        return new Response(
          await fetch(service + '/never', { signal: AbortSignal.timeout(200) }).catch(({ name }) => name),
        );
      default: {
        const answer = await fetch(service + '/old');
        return Response.json({ path: new URL(answer.url).pathname, redirected: answer.redirected });
      }
    }
  },
});
`;

/** Lists of 20,000 items are almost 1 MB long. */
const items = (count: number): string =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, n) => ({ id: n, name: `The item with number ${n}` })),
  });

async function startService(): Promise<string> {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url === '/never') return;
    if (url === '/endless') return void response.write('{"never":');
    if (url === '/large') return void response.end(items(20_000));
    if (url === '/too-large') return void response.end(items(40_000));
    if (url === '/old') return void response.writeHead(302, { location: '/new' }).end();
    response.end('{"id":7}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const paths = ['large', 'too-large', 'ignored', 'cancelled', 'refused', 'timeout', 'redirected'];

/** Uses the project in a session, and returns its recording with the report of `record`. */
async function record(
  folder: string,
  runtime: string,
): Promise<{ recording: Recording; report: Record<string, unknown>; service: string; refused: string }> {
  const service = await startService();
  const refused = `http://127.0.0.1:${await freePort()}/`;
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  symlinkSync(
    join(installedWorkerd().folder, 'node_modules/workerd'),
    join(folder, 'node_modules/workerd'),
    'dir',
  );
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  writeFileSync(join(folder, 'index.ts'), script(refused));
  const dev = devHere(folder, ['--port', '0', '--runtime', runtime]);
  onTestFinished(async () => void (await dev.stop()));
  const cli = async (...argv: string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  await dev.prints(/in site_local/);
  await cli('config', 'set', `service=${service}`, 'greeting=Hello');
  const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  // workerd keeps the connection open until it collects garbage.
  const used = runtime === 'node' ? [...paths, 'endless'] : paths;
  for (const path of used) await (await fetch(`${endpoint}/${path}`)).text();
  const listed = async (): Promise<Record<string, unknown>[]> =>
    (await cli('logs', '--type', 'fetch'))['items'] as Record<string, unknown>[];
  await expect.poll(async () => (await listed()).map(({ outbound }) => outbound)).not.toContain(0);
  // A response that is too large to keep differs in a replay, and workerd throws an error of another class.
  const wanted = ['record', 'all', '--last', String(used.length + 2)];
  const refusal = await cli(...wanted);
  expect([refusal['written'], (refusal['changed'] as { call: string }[]).map(({ call }) => call)]).toEqual([
    false,
    runtime === 'node' ? ['GET /too-large'] : ['GET /too-large', 'GET /refused'],
  ]);
  const report = await cli(...wanted, '--force');
  const file = join(folder, 'recordings/all.json');
  return { report, service, refused, recording: JSON.parse(readFileSync(file, 'utf8')) as Recording };
}

async function replay(folder: string, runtime: 'node' | 'workerd'): Promise<string[]> {
  const project = await openReplayedProject({
    file: join(folder, 'platform-manifest.yaml'),
    runtime,
    node: process.execPath,
    package: { folder: root, version: '0' },
  });
  const { results } = await replayFile(join(folder, 'recordings/all.json'), project);
  return results.map(({ call, differences }) => `${call.name}: ${differences.length}`);
}

/** The answers to the only outbound request of each call, with the size of long bodies. */
const answersIn = ({ calls }: Recording): Record<string, unknown> =>
  Object.fromEntries(
    calls.flatMap(({ name, outbound }) => {
      const answers = outbound.map(({ answer }) => {
        if (!('status' in answer)) return answer;
        const { headers: _, body, ...rest } = answer;
        return { ...rest, ...(body !== undefined && { body: JSON.stringify(body).slice(0, 20) }) };
      });
      return name.startsWith('GET /') ? [[name.slice('GET /'.length), answers]] : [];
    }),
  );

test.each(['node', 'workerd'])(
  "a recording made in %s contains the service's responses and failures, and replays in both runtimes",
  { timeout: 180_000 },
  async (runtime) => {
    const folder = temporaryFolder();
    const { recording, report, service, refused } = await record(folder, runtime);
    const { calls } = recording;
    const created = [{ status: 200, body: '{"id":7}' }];
    // In workerd, each redirect is a request of its own.
    const redirected =
      runtime === 'node'
        ? [{ status: 200, body: '{"id":7}', url: `${service}/new` }]
        : [{ status: 302 }, ...created];
    const { port } = new URL(refused);
    expect(answersIn(recording)).toEqual({
      large: [{ status: 200, body: '{"items":[{"id":0,"n' }],
      'too-large': [{ status: 200 }],
      ignored: created,
      cancelled: created,
      ...(runtime === 'node' && { endless: [{ status: 200 }] }),
      refused: [{ error: `connect ECONNREFUSED 127.0.0.1:${port}`, code: 'ECONNREFUSED' }],
      timeout: [{ hangs: true }],
      redirected,
    });
    expect(calls.find(({ name }) => name === 'GET /large')?.response?.body).toEqual({
      count: 20_000,
      greeting: 'Hello',
    });
    expect(calls.find(({ name }) => name === 'GET /redirected')?.response?.body).toEqual({
      path: '/new',
      redirected: true,
    });
    // The default was set, and the other property was not.
    expect(calls.at(-1)?.stored.installation?.configuration).toEqual({ greeting: 'Hello', service });
    expect(calls.slice(0, 2).map(({ name }) => name)).toEqual([
      'site_installation_setup installed',
      'installation_setup configured',
    ]);
    const onlyBeginning = (path: string): string =>
      `the response to GET ${service}/${path}, of which only the beginning is in the log`;
    expect(report).toMatchObject({
      leftOut: ['too-large', ...(runtime === 'node' ? ['endless'] : [])].map(onlyBeginning),
      changed: expect.arrayContaining([expect.objectContaining({ call: 'GET /too-large' })]),
      unstable: [],
    });
    const same = calls.map(({ name }) => `${name}: 0`);
    expect(await replay(folder, 'node')).toEqual(same);
    expect(await replay(folder, 'workerd')).toEqual(same);
  },
);
