import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useAuthorProject } from '../support/author-dev.js';
import { freePort } from '../support/free-port.js';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';

const author = useAuthorProject();
const { dev } = author;
const terminal = { terminal: true, env: { NO_COLOR: '1' } };
const ready = /Press s for the site, b for the console, \? for all keys, q to stop\./;
const settings = (text: string): void => writeFileSync(join(author.folder, 'platform.dev.yaml'), text);
const save = (file: string, change: (text: string) => string): void =>
  writeFileSync(join(author.folder, file), change(readFileSync(join(author.folder, file), 'utf8')));

async function heldPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

test('every key works as described in the key list, and q exits with code 0', async () => {
  const { keyboard, prints, wipe, text, ended } = dev([], {
    ...terminal,
    answers: { type: 'space_content_updated' },
  });
  await prints(ready);
  // Nothing else is printed between a call's line and its log lines after that.
  await prints(/ site_installation_setup /);

  keyboard.press('?');
  for (const key of ['b', 'r', 't', 'i', 'n', 'c', 'q'])
    expect(text()).toMatch(new RegExp(`^ {2}${key} {2}\\w`, 'm'));

  wipe();
  keyboard.press('t');
  await prints(/space_content_updated +200 \d+ ms {2}v1\n {10}info {2}updated space_local\n/);
  await expect.poll(() => keyboard.followed()).toBe(true);

  wipe();
  keyboard.press('i');
  await prints(/installation_1 {2}pending {2}in org_local\n {2}http:\S+\/installations\/installation_1\n/);

  wipe();
  keyboard.press('r');
  await prints(/built in \d+ ms/);

  wipe();
  keyboard.press('n');
  await prints(/ {2}Nothing is due\./);

  wipe();
  keyboard.press('c');
  // oxlint-disable-next-line no-control-regex
  await prints(/\u001B\[2J/);
  keyboard.press('x');
  keyboard.press('q');
  const { code, asked } = await ended;
  expect(code).toBe(0);
  expect(keyboard.followed()).toBe(false);
  const offered = asked[0]?.choices?.map(({ value }) => value);
  expect(offered).toContain('site_view');
  expect(offered).toContain('installation_setup');
});

test('reports a failed trigger and continues to read keys', async () => {
  const { keyboard, prints } = dev([], { ...terminal, answers: { type: 'space_view' } });
  await prints(ready);
  await prints(/site_installation_setup/);
  expect((await runCli(['pause'], { cwd: author.folder })).code).toBe(0);
  keyboard.press('t');
  await prints(/nstallation installation_1 is paused\. Resume it with: platform resume/);
  await expect.poll(() => keyboard.followed()).toBe(true);
});

test('does not trigger an event if its prompt is canceled', async () => {
  const { keyboard, prints, text, wipe } = dev([], terminal);
  await prints(ready);
  await prints(/site_installation_setup/);
  wipe();
  keyboard.press('t');
  await expect.poll(() => keyboard.followed()).toBe(true);
  keyboard.press('i');
  await prints(/installation_1/);
  expect(text()).not.toMatch(/ 200 /);
});

test.each([
  ['no terminal', [], {}],
  ['CI', [], { terminal: true, env: { CI: '1' } }],
  ['--json', ['--json'], { terminal: true }],
])('does not read keys with %s', async (_, argv, options) => {
  const { keyboard, prints, text } = dev(argv, options);
  await prints(/Console|"ready"/);
  await prints(/site_installation_setup/);
  expect(text()).not.toContain('Press');
  expect(keyboard.followed()).toBe(false);
});

test('shows logs written outside calls as they arrive', async () => {
  save('src/index.tsx', (text) =>
    text
      .replace("const revision = 'one';", "const revision = 'one';\nconsole.log('loaded at the top');")
      .replace(
        "if (path === '/boom')",
        "if (path === '/late') setTimeout(() => console.warn('after the answer'), 300);\n    if (path === '/boom')",
      ),
  );
  const { prints, text } = dev();
  await prints(/^\d\d:\d\d:\d\d {2}info {2}loaded at the top$/m);
  await prints(/site_installation_setup/);
  const [, endpoint] = /Public\s+(\S+)/.exec(text()) ?? [];
  await fetch(`${endpoint}/late`);
  await prints(/^\d\d:\d\d:\d\d {2}warn {2}after the answer$/m);

  const logs = await runCli(['logs'], { cwd: author.folder });
  expect(logs.stdout).toMatch(/ {2}script {2}call_\w+\n {10}info {2}loaded at the top\n/);
  const { stdout } = await runCli(['logs', '--type', 'fetch', '--json'], { cwd: author.folder });
  const { items } = JSON.parse(stdout) as { items: { id: string }[] };
  const late = await runCli(['inspect', items[0]?.id ?? ''], { cwd: author.folder });
  expect(late.stdout).toContain('after the answer');
});

test('reads the port, spaces and sites from platform.dev.yaml, but prefers the port from --port', async () => {
  const port = await freePort();
  settings(
    `port: ${port}\nspaces: [{ id: space_guides, title: Guides }]\nsites: [{ id: site_help, title: Help }]\n`,
  );
  const first = devHere(author.folder);
  onTestFinished(async () => void (await first.stop()));
  await first.prints(/site_help/);
  expect(first.text()).toContain(`http://127.0.0.1:${port}/`);
  expect(first.text()).toContain('space_guides');
  expect(first.text()).not.toContain('is taken');
  await first.stop();

  const second = dev();
  await second.prints(/Console/);
  expect(second.text()).not.toContain(`:${port}/`);
});

test('shows an error in platform.dev.yaml with a suggestion and waits for a fix', async () => {
  settings('prot: 4100\n');
  const { prints, text } = dev();
  await prints(/platform\.dev\.yaml:1:1/);
  expect(text()).toContain('manifest/unknown-key');
  expect(text()).toContain('Did you mean port?');
  expect(text()).not.toContain('Console');
  settings('spaces: [{ id: space_mended, title: Mended }]\n');
  await prints(/space_mended/);
});

test('reports that a change to platform.dev.yaml takes effect at the next start', async () => {
  settings('spaces: [{ id: space_first, title: First }]\n');
  const { prints, text } = dev();
  await prints(/space_first/);
  settings('spaces: [{ id: space_second, title: Second }]\n');
  await prints(/warning platform\.dev\.yaml has changed\.\s+Start platform dev again to use\s+it\./);
  settings('spaecs: []\n');
  await prints(/Did you mean spaces\?/);
  expect(text()).not.toContain('space_second');
});

test('does not replace a port that the user has chosen', async () => {
  const port = await heldPort();
  const flag = await devHere(author.folder, ['--port', String(port)]).ended;
  expect([flag.code, flag.stderr]).toEqual([
    2,
    `error Port ${port} is in use by node (process ${process.pid}).\n  Stop that program, or leave out --port to use a free port.\n`,
  ]);
  settings(`port: ${port}\n`);
  const file = await devHere(author.folder).ended;
  expect([file.code, file.stderr]).toEqual([
    2,
    expect.stringContaining('set another port in platform.dev.yaml, or choose one with --port'),
  ]);
});

test('lets a promise passed to waitUntil call the API while the platform stops', async () => {
  const seen: string[] = [];
  const witness = createHttpServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => witness.once('listening', resolve));
  onTestFinished(() => void witness.close());
  const { port } = witness.address() as { port: number };
  save('src/index.tsx', (text) =>
    text.replace(
      "if (path === '/boom')",
      `if (path === '/last') {
      const { apiEndpoint, apiTokens } = context.environment;
      const ask = async () => {
        await fetch('http://127.0.0.1:${port}/begun');
        await new Promise((resolve) => setTimeout(resolve, 300));
        const headers = { authorization: 'Bearer ' + apiTokens.integration };
        const { status } = await fetch(apiEndpoint + '/v1/user', { headers });
        await fetch('http://127.0.0.1:${port}/' + status);
      };
      context.waitUntil(ask());
      return new Response('');
    }
    if (path === '/boom')`,
    ),
  );
  const { prints, text, stop } = dev();
  await prints(/site_installation_setup/);
  await fetch(`${/Public\s+(\S+)/.exec(text())?.[1]}/last`);
  await expect.poll(() => seen).toEqual(['/begun']);
  await stop();
  expect(seen).toEqual(['/begun', '/200']);
});

test('--fresh keeps the state if the port is in use', async () => {
  const state = join(author.folder, '.platform/state.db');
  const first = dev(['--state', 'disk'], terminal);
  await first.prints(ready);
  await first.prints(/space_local/);
  first.keyboard.press('q');
  await first.ended;
  const before = statSync(state).ino;
  const port = String(await heldPort());
  const { code } = await devHere(author.folder, ['--state', 'disk', '--fresh', '--port', port]).ended;
  expect([code, statSync(state).ino]).toEqual([2, before]);
});

test("rejects a second session in the same folder and reports the first one's process and URL", async () => {
  const { prints, text } = dev();
  await prints(/Console/);
  const [, origin] = /Envelope +(http:\/\/[\d.:]+)/.exec(text()) ?? [];
  const { code, stderr } = await runCli(['dev', author.folder], {
    pid: process.pid + 1,
    // A session that starts nevertheless ends at once.
    signal: AbortSignal.abort(),
  });
  expect([code, stderr]).toEqual([
    2,
    `error platform dev is already running in ${author.folder} at ${origin} (process ${process.pid}).\n  Use that session, or stop it first: kill ${process.pid}. A session with --state memory can run alongside it.\n`,
  ]);
});

test("--exec passes the webhook endpoint's signing secret to the command", async () => {
  const first = dev(['--state', 'disk'], terminal);
  await first.prints(ready);
  await first.prints(/space_local/);
  const added = await runCli(
    'webhook add --url http://127.0.0.1:1/ --event space_content_updated --secret whsec_mine'.split(' '),
    { cwd: author.folder },
  );
  expect(added.code, added.stderr).toBe(0);
  first.keyboard.press('q');
  await first.ended;
  const { code } = await dev(['--state', 'disk', '--exec', 'printf %s "$PLATFORM_WEBHOOK_SECRET" > secret'])
    .ended;
  expect(code).toBe(0);
  expect(readFileSync(join(author.folder, 'secret'), 'utf8')).toBe('whsec_mine');
});

test("--exec passes the URLs to the command and exits with the command's exit code", async () => {
  const command = 'curl -s "$PLATFORM_PUBLIC_ENDPOINT/" > answer.json; exit 7';
  const { code } = await dev(['--exec', command]).ended;
  expect(code).toBe(7);
  expect(readFileSync(join(author.folder, 'answer.json'), 'utf8')).toBe('{"revision":"one"}');
});

test.each([
  ['manifest', 'platform-manifest.yaml', 'visibility: private', 'visibility: secret', 'unknown-visibility'],
  ['the source', 'src/index.tsx', 'Response.json({ revision })', 'Response.json({', 'bundle/'],
  ['the script', 'src/index.tsx', "const revision = 'one';", "throw new Error('at the top');", 'at the top'],
])('--exec exits instead of waiting for a fix if %s is broken', async (_, file, right, wrong, message) => {
  save(file, (text) => text.replace(right, wrong));
  const { code, stdout, stderr } = await dev(['--quiet', '--exec', 'touch ran']).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('Waiting');
  expect(() => readFileSync(join(author.folder, 'ran'))).toThrow('ENOENT');
  rmSync(join(author.folder, '.platform'), { recursive: true });
});
