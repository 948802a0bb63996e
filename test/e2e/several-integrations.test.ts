import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { connect } from '../../src/cli/session/connect.js';
import { devHere, type DevHere } from '../support/dev-here.js';
import { manifestText } from '../support/manifest-text.js';
import { amount } from '../support/proved.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

let repository: string;
const sessions: DevHere[] = [];

const scriptOf = (
  name: string,
): string => `import { createComponent, createIntegration } from 'integration-platform';
const note = createComponent({
  componentId: 'note',
  render: async () => <block><text>Block of ${name}</text></block>,
});
export default createIntegration({
  components: [note],
  fetch: async (_, { api, environment }) => {
    const { installation, integration } = environment;
    const own = await api.integrations.getIntegrationInstallationById(integration.name, installation.id);
    return Response.json({ by: '${name}', status: own.data.status });
  },
  events: { space_view: async () => console.log('${name} saw a reader') },
});
`;

const manifestOf = (name: string): string =>
  manifestText({ name, more: 'script: src/index.tsx\nblocks:\n  - id: note\n    title: Note\n' });

const integration = (name: string): Record<string, string> => ({
  [`integrations/${name}/platform-manifest.yaml`]: manifestOf(name),
  [`integrations/${name}/src/index.tsx`]: scriptOf(name),
});

const folderOf = (name: string): string => join(repository, 'integrations', name);

beforeEach(() => {
  repository = temporaryFolder();
  writeFiles(repository, {
    'integrations/README.md': 'Not an integration.',
    'docs/README.md': '# Start\n\n{% @alpha/note %}\n\n{% @beta/note %}\n',
    ...integration('alpha'),
    ...integration('beta'),
  });
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.stop()));
});

function start(names: readonly string[], ...argv: string[]): DevHere {
  const [first = '', ...others] = names.map((name) => `integrations/${name}`);
  const session = devHere(first, [...others, '--state', 'disk', '--port', '0', ...argv], {
    cwd: repository,
    pid: 1_000_000 + sessions.length,
    isRunning: () => true,
  });
  sessions.push(session);
  return session;
}

const builtOf = (session: DevHere, name: string): Promise<void> =>
  session.prints(new RegExp(`^${name} +│ +built in`, 'm'));

const answerOf = async (session: DevHere, name: string): Promise<Record<string, unknown>> => {
  const [origin] = /http:\/\/127\.0\.0\.1:\d+(?=\/v1\/integrations)/.exec(session.text()) ?? [];
  const response = await fetch(`${origin}/v1/integrations/${name}/installations/installation_1/x`);
  return { http: response.status, ...((await response.json()) as object) };
};

const recordOf = (folder: string): { siteOrigin: string; siteKey: string } =>
  JSON.parse(readFileSync(join(folder, '.platform/session.json'), 'utf8')) as never;

test('runs several integrations with one port, one console and one site, and leaves nothing', async () => {
  const session = start(['*']);
  await Promise.all([builtOf(session, 'alpha'), builtOf(session, 'beta')]);
  for (const by of ['alpha', 'beta'])
    expect(await answerOf(session, by)).toEqual({ http: 200, by, status: 'active' });
  expect(await answerOf(session, 'gamma')).toMatchObject({ http: 404 });

  // A page with the blocks of both. Its reader is seen by both.
  const { siteOrigin, siteKey } = recordOf(repository);
  const html = await (await fetch(siteOrigin)).text();
  expect(html).toContain('"integration":"beta"');
  expect(html.match(/Block of \w+/g)).toEqual(expect.arrayContaining(['Block of alpha', 'Block of beta']));
  const [, data = ''] = /<script id="page-data"[^>]*>(.*?)<\/script>/.exec(html) ?? [];
  const { page, space } = JSON.parse(data) as { page: string; space: string };
  const viewed = await fetch(`${siteOrigin}/~/view`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Platform-Token': siteKey, Origin: siteOrigin },
    body: JSON.stringify({ page, space, visitor: 'visitor-1' }),
  });
  expect(viewed.status).toBe(204);
  await session.prints(/^alpha │ .*alpha saw a reader/m);
  await session.prints(/^beta +│ .*beta saw a reader/m);

  // Commands find the integration by their folder.
  const cli = (command: string, cwd: string) =>
    runCli(command.split(' '), { cwd, clock: systemClock, isRunning: () => true });
  const { stdout } = await cli('logs --json', folderOf('alpha'));
  expect(stdout).toContain('alpha saw a reader');
  expect(stdout).not.toContain('beta saw a reader');
  // In the folder above, lists are those of all. What changes something needs one integration.
  const joined = await cli('logs', repository);
  for (const name of ['alpha', 'beta'])
    expect(joined.stdout).toMatch(new RegExp(`${name}  space_view[^]*${name} saw a reader`));
  const { stdout: newest } = await cli('logs --json --limit 1', repository);
  const [call] = (JSON.parse(newest) as { items: { id: string; integration: string }[] }).items;
  expect(JSON.parse((await cli(`inspect ${call?.id} --json`, repository)).stdout)).toMatchObject({
    call: { environment: { integration: { name: call?.integration } } },
  });
  const unclear = await cli('trigger space_content_updated', repository);
  expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('alpha, beta')]);
  expect((await cli('logs --json --integration beta', repository)).stdout).toContain('beta saw a reader');
  expect((await cli('logs --integration bet', repository)).stderr).toContain('Did you mean beta?');
  expect((await cli('open --print', repository)).stdout).toContain('#key=');
  const again = await cli('dev', folderOf('beta'));
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already running in')]);

  expect((await session.stop()).code).toBe(130);
  for (const folder of [repository, folderOf('alpha'), folderOf('beta')])
    expect(existsSync(join(folder, '.platform/session.json'))).toBe(false);
});

test('starts a script when it is called or saved', async () => {
  const first = start(['alpha', 'beta']);
  await Promise.all([builtOf(first, 'alpha'), builtOf(first, 'beta')]);
  await first.prints(/^beta .*site_installation_setup/m);
  await first.stop();

  const session = start(['alpha', 'beta']);
  await session.prints(/2 integrations/);
  // It is known from the first session that the script has no handler for this event.
  const argv = ['trigger', 'site_view', '--integration', 'beta'];
  const options = { cwd: repository, clock: systemClock, isRunning: () => true };
  expect((await runCli(argv, options)).stdout).toContain('no handler');
  expect(await answerOf(session, 'alpha')).toMatchObject({ http: 200, by: 'alpha' });
  await builtOf(session, 'alpha');
  expect(session.text()).not.toMatch(/^beta .*built in/m);
  writeFiles(repository, { 'integrations/beta/src/index.tsx': scriptOf('saved') });
  await builtOf(session, 'beta');
  expect(await answerOf(session, 'beta')).toMatchObject({ http: 200, by: 'saved' });
});

test('stops integrations that call each other over and over, and names them', async () => {
  const calling = (other: string): string => `import { createIntegration } from 'integration-platform';
export default createIntegration({
  fetch: (request) => fetch(request.url.replace(/integrations[/]\\w+/, 'integrations/${other}')),
});
`;
  writeFiles(repository, {
    'integrations/alpha/src/index.tsx': calling('beta'),
    'integrations/beta/src/index.tsx': calling('alpha'),
  });
  const session = start(['alpha', 'beta']);
  await Promise.all([builtOf(session, 'alpha'), builtOf(session, 'beta')]);
  expect(await answerOf(session, 'alpha')).toMatchObject({
    http: 508,
    error: expect.stringContaining('beta fetch → alpha fetch → beta fetch') as string,
  });
  await session.prints(/^beta +│ .*8 calls had caused each other/m);
});

test('shows what is broken on the integration that it is in, while the others run', async () => {
  const text = manifestOf('alpha');
  writeFiles(repository, {
    ...integration('damaged'),
    ...integration('throws'),
    ...integration('twin'),
    'integrations/alpha/platform-manifest.yaml': `${text}nope: [`,
    'integrations/damaged/.platform/state.db': 'This is no database.',
    'integrations/throws/src/index.tsx': 'throw new Error("No luck");',
    'integrations/twin/platform-manifest.yaml': manifestOf('beta'),
  });
  const session = start(['alpha', 'beta', 'damaged', 'throws', 'twin']);
  await session.prints(/5 integrations/);
  await builtOf(session, 'beta');
  expect(await answerOf(session, 'beta')).toMatchObject({ http: 200, by: 'beta' });
  expect(await answerOf(session, 'damaged')).toMatchObject({ http: 503, code: 'not-running' });
  await session.prints(/^throws +│ .*No luck/m);
  const { call } = await connect({ cwd: folderOf('beta'), io: { env: {}, isRunning: () => true } as never });
  const listed = await call('GET /integrations');
  expect(listed.map(({ running, reason = '' }) => [running, reason.slice(0, 24)])).toEqual([
    [false, 'Its manifest or its platf'.slice(0, 24)],
    [true, ''],
    [false, expect.any(String)],
    [true, ''],
    [false, 'Its name, beta, is also '],
    [true, ''],
  ]);

  // It joins once its manifest is valid.
  writeFiles(repository, { 'integrations/alpha/platform-manifest.yaml': text });
  await builtOf(session, 'alpha');
  expect(await answerOf(session, 'alpha')).toMatchObject({ http: 200, by: 'alpha' });
});

test('keeps the state of each integration apart when the session is killed', async () => {
  const program = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
  const names = ['alpha', 'beta'];
  for (let round = 0; round < amount(3, 50); round += 1) {
    const child = spawn(process.execPath, [program, 'dev', 'integrations/*', '--port', '0', '--json'], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const killed = once(child, 'exit');
    const calls: Promise<boolean>[] = [];
    const ready = once(createInterface(child.stdout), 'line').then(([line]) => {
      const { integrations } = JSON.parse(line as string) as { integrations: { publicEndpoint: string }[] };
      for (const { publicEndpoint } of integrations)
        for (const nth of [1, 2, 3])
          calls.push(fetch(`${publicEndpoint}/${round}-${nth}`).then(({ ok }) => ok));
    });
    // At another moment in each round: before, at and after the first response, then at any moment.
    if (round > 2) await new Promise((resolve) => setTimeout(resolve, Math.random() * 2500));
    else await ready;
    if (round === 1) await Promise.any(calls);
    if (round === 2) await Promise.all(calls);
    child.kill('SIGKILL');
    await Promise.allSettled(calls);
    await killed;
  }
  const session = start(names);
  await session.prints(/2 integrations/);
  for (const name of names) {
    expect(await answerOf(session, name)).toEqual({ http: 200, by: name, status: 'active' });
    const { stdout } = await runCli(['logs', '--json'], {
      cwd: folderOf(name),
      clock: systemClock,
      isRunning: () => true,
    });
    const urls = stdout.match(/(?<=\/v1\/integrations\/)\w+/g) ?? [];
    expect([...new Set(urls)]).toEqual([name]);
  }
  expect(session.text()).not.toContain('installation_2');
});

test('runs two sessions for parts of one repository', async () => {
  writeFiles(repository, { ...integration('gamma'), ...integration('delta') });
  const first = start(['alpha', 'beta']);
  await builtOf(first, 'beta');
  await first.prints(/2 integrations/);
  const second = start(['gamma', 'delta']);
  await builtOf(second, 'gamma');
  await second.prints(/Another session is already running in this folder/);
  expect(await answerOf(first, 'alpha')).toMatchObject({ by: 'alpha' });
  expect(await answerOf(second, 'gamma')).toMatchObject({ by: 'gamma' });
});

test('checks and replays several integrations in one run, and reports those that are broken', async () => {
  const cli = async (cwd: string, ...argv: string[]) => {
    const options = { cwd, clock: systemClock, isRunning: () => true };
    const { code, stdout, stderr } = await runCli([...argv, '--json'], options);
    if (stdout === '') throw new Error(stderr);
    return { code, json: JSON.parse(stdout) as Record<string, unknown> };
  };
  writeFiles(repository, { 'integrations/alpha/docs/README.md': '# A\n\n[gone](gone.md)\n' });
  const session = start(['*']);
  await Promise.all([builtOf(session, 'alpha'), builtOf(session, 'beta')]);
  for (const name of ['alpha', 'beta']) {
    await answerOf(session, name);
    expect(await cli(folderOf(name), 'record', 'answer', '--last', '1')).toMatchObject({ code: 0 });
  }
  await session.stop();

  expect(await cli(repository, 'replay', 'integrations/*')).toMatchObject({
    code: 0,
    json: {
      same: 2,
      files: [
        { file: 'integrations/alpha/recordings/answer.json' },
        { file: 'integrations/beta/recordings/answer.json' },
      ],
    },
  });
  const checked = await cli(repository, 'site', 'check', 'integrations/*', '--strict');
  expect(checked).toMatchObject({ code: 1, json: { diagnostics: [{ code: 'content/broken-link' }] } });
  const published = await cli(repository, 'publish-check', 'integrations/*');
  expect(published.json).toMatchObject({
    projects: [{ project: 'integrations/alpha' }, { project: 'integrations/beta' }],
  });

  writeFiles(repository, { 'integrations/beta/src/index.tsx': 'import "./gone";' });
  expect(await cli(repository, 'replay', 'integrations')).toMatchObject({
    code: 1,
    json: { same: 1, broken: [{ manifest: 'integrations/beta/platform-manifest.yaml' }] },
  });
});

test('runs an integration whose folder appears, and stops one whose folder disappears', async () => {
  const session = start(['*']);
  await Promise.all([builtOf(session, 'alpha'), builtOf(session, 'beta')]);
  writeFiles(repository, integration('gamma'));
  await builtOf(session, 'gamma');
  expect(await answerOf(session, 'gamma')).toEqual({ http: 200, by: 'gamma', status: 'active' });
  rmSync(folderOf('beta'), { recursive: true });
  await vi.waitFor(async () => expect(await answerOf(session, 'beta')).toMatchObject({ http: 404 }), {
    timeout: 20_000,
  });
  expect(await answerOf(session, 'alpha')).toMatchObject({ http: 200 });
  const listed = (): unknown => JSON.parse(readFileSync(join(repository, '.platform/session.json'), 'utf8'));
  await expect.poll(listed).toMatchObject({ integrations: [{ name: 'alpha' }, { name: 'gamma' }] });
  expect((await session.stop()).code).toBe(130);
});
