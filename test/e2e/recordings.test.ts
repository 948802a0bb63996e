import { createHmac } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Recording } from '../../src/recordings/index.js';
import { createVirtualClock } from '../../src/base/clock.js';
import { devHere, type DevHere } from '../support/dev-here.js';
import { amount } from '../support/proved.js';
import { runCli, type CliResult } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const canary = (name: string): string => `canary-${name}-5e0c91`;

const folder = sharedFolder();
let dev: DevHere;
let provider: Awaited<ReturnType<typeof serve>>;
let endpoint = '';
let recorded: Record<string, unknown> = {};
let misspelled: CliResult;
let refused: CliResult;
let refusedFile: boolean;
let kept: CliResult;
let agent: string;
let replayed: { code: number; json: Record<string, unknown> }[];

const cli = async (...argv: string[]): Promise<{ code: number; json: Record<string, unknown> }> => {
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  return { code, json: JSON.parse(stdout) as Record<string, unknown> };
};
const sourceFile = (): string => join(folder, 'src/index.tsx');
const change = (from: string, to: string): void => {
  const text = readFileSync(sourceFile(), 'utf8');
  expect(text).toContain(from);
  writeFileSync(sourceFile(), text.replace(from, to));
};

beforeAll(async () => {
  cpSync(join(root, 'test/fixtures/projects/recordings'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  let served = 0;
  provider = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    served += 1;
    if (pathname === '/token') return Response.json({ access_token: canary('access'), token_type: 'bearer' });
    if (pathname === '/me') return Response.json({ name: 'Ada', session_token: canary('session') });
    if (pathname.startsWith('/item/')) return Response.json({ key: `ITEM-${pathname.slice(6)}`, served });
    return new Response(null, { status: 204 });
  });
  dev = devHere(folder, ['--port', '0', '--env', 'staging'], {
    env: { SIGNING_KEY: canary('signing'), CLIENT_SECRET: canary('client') },
  });
  await dev.prints(/in site_local/);
  endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  await cli('config', 'set', `provider=${provider.url}`);
  await cli('config', 'set', `api_token=${canary('typed')}`);
  const body = JSON.stringify({ hello: 'world', token: canary('body') });
  const signature = createHmac('sha256', canary('signing')).update(body).digest('hex');
  await fetch(`${endpoint}/webhook`, {
    method: 'POST',
    headers: { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-event': 'push', 'x-private': 'mine' },
    body,
  });
  await fetch(`${endpoint}/webhook`, { method: 'POST', body });
  for (const path of [
    'parallel',
    'stream',
    'late',
    'token',
    'broken',
    'digest',
    `missing?password=${canary('query')}`,
  ])
    await (await fetch(`${endpoint}/${path}`)).text();
  await cli('trigger', 'space_content_updated');
  await cli('render', 'counter');
  await cli('render', 'counter', '--state', '{"count":4}', '--action', 'add');
  // The background request of /late must be logged before it can be recorded.
  const sent = ['logs', '--path', '/late', '--host', new URL(provider.url).host];
  await vi.waitFor(async () => expect(JSON.stringify((await cli(...sent)).json)).toContain('call_'), 10_000);
  recorded = (await cli('record', 'all', '--last', '12')).json;
  const own = endpoint.replace(/\/installations\/.*/, '');
  await (await fetch(`${own}/agent`, { headers: { 'user-agent': 'mine' } })).text();
  refused = await runCli(['record', 'agent', '--last', '1'], { cwd: folder });
  refusedFile = existsSync(join(folder, 'recordings/agent.json'));
  kept = await runCli(['record', 'agent', '--last', '1', '--keep-header', 'User-Agent'], { cwd: folder });
  agent = readFileSync(join(folder, 'recordings/agent.json'), 'utf8');
  rmSync(join(folder, 'recordings/agent.json'));
  misspelled = await runCli(['record', 'views', '--type', 'space_views', '--last', '1'], { cwd: folder });
  change("case '/digest': {", "case '/digest': { throw new TypeError('old');");
  await vi.waitFor(async () => expect((await fetch(`${endpoint}/digest`)).status).toBe(500), 10_000);
  const failing = await cli('replay', '--failed');
  change("throw new TypeError('old');", '');
  replayed = [failing, await cli('replay', '--failed')];
  await dev.stop();
  await provider.close();
}, 120_000);
afterAll(async () => {
  await dev.stop();
});

const read = (): Recording =>
  JSON.parse(readFileSync(join(folder, 'recordings/all.json'), 'utf8')) as Recording;

test('a recording contains no secrets and lists which values were replaced', () => {
  const text = readFileSync(join(folder, 'recordings/all.json'), 'utf8');
  expect(text).not.toContain('canary');
  expect(text).not.toContain('•••');
  expect(recorded['signed']).toEqual([
    { call: 'POST /webhook', what: 'the header x-hub-signature-256', secret: 'SIGNING_KEY' },
  ]);
  expect(recorded['leftOut']).toEqual([]);
  expect(text).toContain('"x-private": "mine"');
  expect(recorded['unsigned']).toEqual([]);
  expect(recorded['unstable']).toEqual([]);
  expect(recorded['changed']).toEqual([]);
});

test('writes nothing if the replay differs from the log, and repeats a call at the own address', () => {
  expect([refused.code, refusedFile]).toEqual([1, false]);
  expect(refused.stdout).toMatch(/GET \/agent: the response differs[^]*log: +mine \/agent/);
  expect(kept.code).toBe(0);
  expect(agent).toContain('"body": "mine /agent"');
});

test('--failed runs the failed calls again with the current code', () => {
  expect(replayed).toMatchObject([
    {
      code: 1,
      json: { groups: [{ verdict: 'failing', reason: 'TypeError: old', at: { file: 'src/index.tsx' } }] },
    },
    { code: 0, json: { groups: [{ verdict: 'fixed', before: 'status 500', after: 'status 200' }] } },
  ]);
});

test('a recording names the environment with the secrets of its calls', () => {
  expect(read()).toMatchObject({ environment: 'staging', secrets: { CLIENT_SECRET: expect.any(String) } });
});

test('a recording shows what the script did with the values that replaced the secrets', () => {
  const { calls, at } = read();
  expect(calls.map(({ name, response }) => `${name} ${response?.status}`)).toEqual([
    'POST /webhook 200',
    'POST /webhook 401',
    'GET /parallel 200',
    'GET /stream 200',
    'GET /late 200',
    'GET /token 200',
    'GET /broken 200',
    'GET /digest 200',
    'GET /missing 404',
    'space_content_updated 200',
    'ui_render counter 200',
    'ui_render counter 200',
  ]);
  expect(calls[2]?.response?.body).toMatchObject({
    answers: [{ key: 'ITEM-3' }, { key: 'ITEM-1' }, { key: 'ITEM-2' }],
  });
  expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
});

test('replays produce the same results every time, without a platform or the external service', async () => {
  for (let round = 0; round < amount(2, 10); round += 1) {
    const { code, json } = await cli('replay', 'recordings');
    expect([code, json['same'], json['different']]).toEqual([0, 12, 0]);
  }
});

test('rejects an unknown event type and suggests a known one', () => {
  expect(misspelled.code).toBe(2);
  expect(misspelled.stderr).toMatch(/Unknown type: space_views[^]*Did you mean space_view\?/);
});

test('reports the line of a script that fails while it loads', async () => {
  const before = readFileSync(sourceFile(), 'utf8');
  writeFileSync(sourceFile(), `${before}\nthrow new Error('boom');\n`);
  const { code, stderr } = await runCli(['replay', 'recordings'], { cwd: folder });
  writeFileSync(sourceFile(), before);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Error: boom\s+\(src\/index\.tsx:\d+:7\)/);
});

test('writes one JUnit test case per call', async () => {
  const { code, stdout } = await runCli(['replay', 'recordings', '--format', 'junit'], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain('<testsuites name="platform" tests="12" failures="0" errors="0">');
  expect(stdout).toContain('<testcase classname="recordings/all.json" name="GET /parallel" />');
});

test('a replay shows the line of a change, and --update accepts the change', async () => {
  change('Pressed {element', 'Clicked {element');
  const { code, json } = await cli('replay', 'recordings/all.json');
  expect([code, json['different']]).toEqual([1, 2]);
  const text = (await runCli(['replay', 'recordings/all.json'], { cwd: folder })).stdout;
  expect(text).toContain('differs  ui_render counter');
  expect(text).toMatch(/The response differs: writes src\/index\.tsx:15:\d+/);
  expect(text).toMatch(/-.*Pressed/);
  expect(text).toContain('accept it with: platform replay recordings/all.json --update');
  const junit = (await runCli(['replay', 'recordings/all.json', '--format', 'junit'], { cwd: folder }))
    .stdout;
  expect(junit).toContain('tests="12" failures="2"');
  expect(junit).toMatch(
    /name="ui_render counter">\s+<failure type="error" message="The response differs: writes src\/index\.tsx:15:/,
  );
  expect((await cli('replay', 'recordings/all.json', '--update')).code).toBe(0);
  expect((await cli('replay', 'recordings/all.json')).code).toBe(0);
  change('Clicked {element', 'Pressed {element');
  await cli('replay', 'recordings/all.json', '--update');
  const { stderr } = await runCli(['replay', 'recordings/all.json', '--update'], { cwd: folder });
  expect(stderr).toBe('Did not update recordings/all.json, because its calls behave as recorded.\n');
});

test('a replay shows a changed request and the error that a handler throws', async () => {
  change('revision: event.revisionId,', 'revision: event.revisionId, extra: 1,');
  change("case '/late':", "case '/late':\n        throw new Error('broken');");
  const { json } = await cli('replay', 'recordings/all.json');
  const { files } = json as unknown as {
    files: {
      calls: {
        name: string;
        differences: { kind: string; at?: { line: number }; writes?: { line: number } }[];
      }[];
    }[];
  };
  const found = files[0]?.calls.flatMap(({ name, differences }) =>
    differences.map(({ kind, at, writes }) => [name, kind, at && 'at', (at ?? writes)?.line]),
  );
  const lines = readFileSync(sourceFile(), 'utf8').split('\n');
  const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text)) + 1;
  expect(found).toEqual([
    ['GET /late', 'response', undefined, undefined],
    ['GET /late', 'outbound', undefined, undefined],
    ['space_content_updated', 'outbound', undefined, lineOf('extra: 1')],
  ]);
  const { stdout } = await runCli(['replay', 'recordings/all.json'], { cwd: folder });
  const text = readFileSync(sourceFile(), 'utf8').split('\n');
  const thrown = text.findIndex((line) => line.includes("new Error('broken')")) + 1;
  expect(stdout).toContain(`Error: broken, thrown at src/index.tsx:${thrown}:`);
  change('revision: event.revisionId, extra: 1,', 'revision: event.revisionId,');
  change("\n        throw new Error('broken');", '');
});

test('--update does not accept a request for which the recording has no response', async () => {
  const before = readFileSync(join(folder, 'recordings/all.json'), 'utf8');
  change("case '/late':", "case '/late':\n        await fetch('https://new.example/x');");
  const { code, stdout, stderr } = await runCli(['replay', 'recordings/all.json', '--update'], {
    cwd: folder,
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'Did not update the call "GET /late" in recordings/all.json. The recording has no response to GET https://new.example/x, so the result of the call is unknown.\n',
  );
  expect(stdout).toContain(
    'The recording has no response to GET https://new.example/x. Record the call again to include it.',
  );
  expect(stdout).toMatch(/The response differs\.\n +TypeError: fetch failed \(The recording has no response/);
  expect(stdout).not.toContain('If the change is intended');
  expect(readFileSync(join(folder, 'recordings/all.json'), 'utf8')).toBe(before);
  change("\n        await fetch('https://new.example/x');", '');
  expect((await cli('replay', 'recordings/all.json')).code).toBe(0);
});

test('replays the recordings in subfolders too', async () => {
  cpSync(join(folder, 'recordings/all.json'), join(folder, 'recordings/sub dir/all.json'));
  const { json } = await cli('replay', 'recordings');
  expect((json['files'] as { file: string }[]).map(({ file }) => file)).toEqual([
    'recordings/all.json',
    'recordings/sub dir/all.json',
  ]);
  rmSync(join(folder, 'recordings/sub dir'), { recursive: true });
});

test('a replay shows the position of a build error', async () => {
  change("case '/late':", "case '/late': {{");
  const { code, stderr } = await runCli(['replay', 'recordings/all.json'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^error Nothing was replayed, because of an error in the script\. src\/index\.tsx:\d+: .+\n {2}See them with: platform dev\n$/,
  );
  change("case '/late': {{", "case '/late':");
});

test('rejects an invalid recording and a recording of another integration', async () => {
  const file = join(folder, 'recordings/other.json');
  for (const [text, code] of [
    [JSON.stringify({ ...read(), integration: 'other' }), 'other-integration'],
    [JSON.stringify({ ...read(), secrets: { OTHER: 'x' } }), 'undeclared-secret'],
    [JSON.stringify({ ...read(), version: 3 }), 'invalid-recording'],
    [JSON.stringify({ ...read(), calls: [] }), 'invalid-recording'],
    ['{"__proto__": 1}', 'invalid-recording'],
  ] as const) {
    writeFileSync(file, text);
    const { code: exit, stdout } = await runCli(['replay', 'recordings/other.json', '--json'], {
      cwd: folder,
    });
    expect([exit, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([2, code]);
  }
});

test('--faults reports the line of missing error handling unless a comment ignores it', async () => {
  rmSync(join(folder, 'recordings/other.json'));
  const { code, json } = await cli('replay', 'recordings', '--faults');
  const { diagnostics } = json as unknown as {
    diagnostics: { code: string; help: string; file: string; range?: { start: { line: number } } }[];
  };
  const lines = readFileSync(sourceFile(), 'utf8').split('\n');
  const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text)) + 1;
  expect([code, json['skipped']]).toEqual([1, []]);
  expect(diagnostics.map(({ code: rule, range, file }) => [rule, file, range?.start.line])).toEqual([
    ['fault/lost-change', 'src/index.tsx', lineOf('/notify')],
    ['fault/uncaught-error', 'src/index.tsx', lineOf('/item/') - 1],
    ['fault/no-time-limit', 'src/index.tsx', lineOf('/item/')],
    ['fault/lost-change', 'src/index.tsx', lineOf('/late`')],
    ...lines.flatMap((line, at) =>
      at > lineOf('/late`') && line.includes('.json()')
        ? [['fault/uncaught-error', 'src/index.tsx', at + 1]]
        : [],
    ),
  ]);
  const [, variant = ''] = /--fault (\S+)/.exec(diagnostics[0]?.help ?? '') ?? [];
  expect(await cli('replay', 'recordings/all.json', '--fault', variant)).toMatchObject({
    code: 1,
    json: { variants: 1, diagnostics: [{ code: diagnostics[0]?.code }] },
  });
  expect((await cli('replay', 'recordings', '--fault', '99.1.500.on')).code).toBe(2);
  expect((await cli('replay', 'recordings', '--faults', '--update')).code).toBe(2);
  change(
    '      await fetch(`${provider}/notify`',
    '      // platform-ignore fault/lost-change: a test\n      await fetch(`${provider}/notify`',
  );
  const after = (await cli('replay', 'recordings', '--faults')).json as unknown as {
    ignored: { code: string; reason: string }[];
    diagnostics: unknown[];
  };
  expect(after.ignored).toMatchObject([{ code: 'fault/lost-change', reason: 'a test' }]);
  expect(after.diagnostics).toHaveLength(diagnostics.length - 1);
  const clock = createVirtualClock();
  let now = 0;
  const { stderr } = await runCli(['replay', 'recordings/all.json', '--faults'], {
    cwd: folder,
    terminal: true,
    clock: { ...clock, monotonic: () => (now += 500) },
  });
  expect(stderr).toContain('Tried 4 variants of recordings/all.json');
});

test('--faults shows what it tried, and reports a problem found in several recordings only once', async () => {
  const search = async (name: string): Promise<CliResult> =>
    runCli(['replay', `recordings/${name}`, '--faults'], { cwd: folder });
  const single = await cli('replay', 'recordings/all.json', '--faults');
  expect(Number(single.json['requests'])).toBeGreaterThan(0);
  mkdirSync(join(folder, 'recordings/twice'));
  for (const copy of ['a.json', 'b.json'])
    cpSync(join(folder, 'recordings/all.json'), join(folder, 'recordings/twice', copy));
  const twice = await cli('replay', 'recordings/twice', '--faults');
  expect(twice.json['diagnostics']).toHaveLength((single.json['diagnostics'] as unknown[]).length);
  expect(twice.json['requests']).toBe(2 * Number(single.json['requests']));
  expect((await search('twice')).stderr).toMatch(
    /^Tried \d+ variants of the recorded calls\.\nMade \d+ outbound requests fail with .+$/m,
  );
  const calls = read().calls.filter(({ outbound, event }) => outbound.length === 0 && event.type !== 'fetch');
  writeFileSync(join(folder, 'recordings/twice/a.json'), JSON.stringify({ ...read(), calls }));
  expect(await search('twice/a.json')).toMatchObject({
    code: 0,
    stdout:
      'No variants were tried, because the recorded calls sent no successful requests to other services.\n',
  });
  rmSync(join(folder, 'recordings/twice'), { recursive: true });
});
