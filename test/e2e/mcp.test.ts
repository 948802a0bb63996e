import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useAuthorProject } from '../support/author-dev.js';
import { listeningSockets } from '../support/listening-sockets.js';
import { mcpHere, type Era, type McpHere } from '../support/mcp-client.js';
import { runCli } from '../support/run-cli.js';
import { systemClock } from '../../src/base/clock.js';
import { countTokens } from '../../src/mcp/answer/pack-answer.js';

const author = useAuthorProject();

const reading = ['status', 'calls', 'call', 'deliveries', 'problems', 'explain', 'docs', 'page'];
const changing = ['send', 'configure', 'replay', 'clock'];

async function connect(argv: string[] = [], era: Era = 'legacy'): Promise<McpHere> {
  const mcp = await mcpHere(author.folder, argv, era);
  onTestFinished(() => mcp.close());
  return mcp;
}

async function startPlatform(): Promise<ReturnType<typeof author.dev>> {
  mkdirSync(join(author.folder, 'pages'));
  writeFileSync(join(author.folder, 'pages/start.md'), '# Start\n\nText.\n\n{% @author/counter start=3 %}\n');
  const dev = author.dev(['--state', 'disk', '--content', 'pages']);
  await dev.prints(/ {2}Public +http/);
  return dev;
}

test.each<Era>(['legacy', 'modern'])('lets a %s client call every tool', async (era) => {
  await startPlatform();
  const mcp = await connect(['--allow-changes'], era);
  expect(mcp.client.getProtocolEra()).toBe(era);
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...reading, ...changing]);

  const sent = await mcp.call('send', { kind: 'event', type: 'space_content_updated' });
  const id = String(sent.facts.items?.[0]?.['id']);
  expect(sent.facts).toMatchObject({ outcome: 'ok', items: [{ id, status: 200 }] });
  const asked = await mcp.call('send', { kind: 'request', path: '/hello?a=1', method: 'POST', body: 'hi' });
  expect(asked.facts.items?.[0]).toMatchObject({ type: 'fetch', method: 'POST' });
  const drawn = await mcp.call('send', { kind: 'render', component: 'counter' });
  expect(drawn.untrusted['markup']).toContain('element');
  const configured = await mcp.call('configure', { set: { channel: 'general' } });
  expect(JSON.stringify(configured)).toContain('"channel"');
  expect(JSON.stringify(configured)).not.toContain('general');
  expect((await mcp.call('replay', { call: id })).facts).toMatchObject({ same: true });
  expect((await mcp.call('clock', { seconds: 60 })).facts).toMatchObject({ now: expect.any(String) });

  expect((await mcp.call('status')).untrusted).toMatchObject({ name: 'author', title: 'Author' });
  const { facts } = await mcp.call('calls', { type: 'space_content_updated' });
  expect(facts.items?.map((one) => one['id'])).toContain(id);
  const shown = await mcp.call('call', { call: id });
  expect(shown.facts.items?.[0]).toMatchObject({ part: 'summary', id, outcome: 'ok' });
  expect(shown.untrusted.items?.[1]).toEqual({ text: 'updated space_local' });
  expect((await mcp.call('deliveries')).facts).toEqual({ count: 0 });
  expect((await mcp.call('problems')).facts['buildOk']).toBe(true);
  expect((await mcp.call('explain', { code: 'unknown-key' })).text).toContain('# manifest/unknown-key');
  expect((await mcp.call('docs', { question: 'retry a webhook' })).text).toContain('guides/');
  const pages = await mcp.call('page');
  const page = await mcp.call('page', { page: String(pages.untrusted.items?.[0]?.['page']) });
  expect(page.facts.items?.[0]).toEqual({ part: 'block', line: 5 });
  expect(page.untrusted.items?.[0]).toMatchObject({ component: 'counter', props: '{"start":3}' });
});

test('without --allow-changes, neither lists nor runs tools that make changes', async () => {
  await startPlatform();
  const mcp = await connect();
  expect((await mcp.client.listTools()).tools.map(({ name }) => name)).toEqual(reading);
  const before = (await mcp.call('calls', { limit: 50 })).facts['count'];
  for (const [name, input] of [
    ['send', { kind: 'event', type: 'space_content_updated' }],
    ['configure', { set: { channel: 'x' } }],
    ['replay', { call: 'call_1k8c18ki52pb' }],
  ] as const) {
    const { text, isError } = await mcp.raw(name, input);
    expect([name, isError, JSON.parse(text)]).toMatchObject([
      name,
      true,
      { facts: { error: 'changes-not-allowed' }, next: expect.stringContaining('--allow-changes') },
    ]);
  }
  expect((await mcp.call('calls', { limit: 50 })).facts['count']).toBe(before);
});

test('explains how to start the platform if it is not running, and still runs the offline tools', async () => {
  writeFileSync(
    join(author.folder, 'platform-manifest.yaml'),
    ['name: author', 'unknown: true', ''].join('\n'),
  );
  const mcp = await connect(['--allow-changes']);
  const inputs: Record<string, object> = {
    call: { call: 'call_1' },
    send: { kind: 'event', type: 'site_view' },
    replay: { call: 'call_1' },
  };
  for (const name of [
    'status',
    'calls',
    'call',
    'deliveries',
    'page',
    'send',
    'configure',
    'replay',
    'clock',
  ]) {
    const { text, isError } = await mcp.raw(name, { ...inputs[name] });
    expect([name, isError, JSON.parse(text)]).toEqual([
      name,
      true,
      { facts: { error: 'no-session' }, untrusted: {}, next: expect.stringMatching(/platform\.js dev/) },
    ]);
  }
  const problems = await mcp.call('problems');
  expect(problems.facts.items).toContainEqual(
    expect.objectContaining({ code: 'manifest/unknown-key', line: 2 }),
  );
  expect(problems.next).toMatch(/platform\.js dev/);
  expect((await mcp.call('docs', { page: 'guides/oauth' })).text).toMatch(/^# /);
});

test('detects on the next call that the platform was restarted', async () => {
  const dev = await startPlatform();
  const mcp = await connect();
  expect((await mcp.call('status')).facts['version']).toBe(1);
  await dev.stop();
  expect((await mcp.call('status')).facts).toEqual({ error: 'no-session' });
  const again = author.dev(['--state', 'disk']);
  await again.prints(/ {2}Public +http/);
  expect((await mcp.call('status')).facts['buildOk']).toBe(true);
});

test('limits every response to 2,000 tokens, and returns the rest if the next call passes the cursor', async () => {
  await startPlatform();
  const mcp = await connect(['--allow-changes']);
  const body = Array.from({ length: 3000 }, (_, at) => `word-${at}`).join(' ');
  const sent = await mcp.call('send', { kind: 'request', path: '/long', method: 'POST', body });
  const id = String(sent.facts.items?.[0]?.['id']);
  const read = async (name: string, input: object): Promise<string[]> => {
    const pieces: string[] = [];
    for (let cursor: string | undefined, count = 0; count < 60; count += 1) {
      const { text } = await mcp.raw(name, { ...input, ...(cursor !== undefined && { cursor }) });
      expect(countTokens(text)).toBeLessThanOrEqual(2000);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
      pieces.push(text);
      ({ cursor } = JSON.parse(text) as { cursor?: string });
      if (cursor === undefined) return pieces;
    }
    throw new Error('The cursor never ends.');
  };
  const whole = (await read('call', { call: id })).join('\n');
  for (let at = 0; at < 3000; at += 500) expect(whole).toContain(`word-${at} `);
  expect((await read('docs', { page: 'reference/json' })).length).toBeGreaterThan(3);
  for (let count = 0; count < 30; count += 1) await mcp.raw('send', { kind: 'event', type: 'site_view' });
  const lists = await read('calls', { limit: 50 });
  const ids = lists.flatMap((text) =>
    (JSON.parse(text) as { facts: { items: { id: string }[] } }).facts.items.map((one) => one.id),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain(id);
});

test('reports which input field is invalid, but never shows its value', async () => {
  const mcp = await connect(['--allow-changes']);
  for (const [name, input, field] of [
    ['call', { call: '../../etc/passwd' }, 'call'],
    ['send', { kind: 'request', path: 'http://example.com/' }, 'path'],
    ['send', { kind: 'request', path: '//example.com/' }, 'path'],
    ['calls', { limit: 5000 }, 'limit'],
  ] as const) {
    const { text, isError } = await mcp.raw(name, input);
    expect([isError, JSON.parse(text)]).toMatchObject([true, { facts: { error: 'wrong-input' } }]);
    expect(text).toContain(`"${field}"`);
    expect(text).not.toContain('example.com');
  }
});

test('opens no port and exits when its input ends', async () => {
  const mcp = await mcpHere(author.folder);
  const { pid } = mcp.client.transport as unknown as { pid: number };
  expect(listeningSockets(pid)).toBe(0);
  await mcp.close();
  expect(() => process.kill(pid, 0)).toThrow();
});

test('explains in the help how agents start the MCP server', async () => {
  const { stdout } = await runCli(['mcp', '--help'], { clock: systemClock });
  expect(stdout).toContain('--allow-changes');
});

test("keeps the MCP server's code out of the file that every command loads", () => {
  const read = (file: string): string => readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');
  expect(read('packages/mcp.cjs')).toContain('tools/call');
  expect(read('cli/main.cjs')).not.toContain('tools/call');
});
