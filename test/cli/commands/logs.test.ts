import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

let session: OpenSession;
beforeEach(async () => {
  session = await openSession(script, { integration: project });
});
afterEach(() => session.close());

const endpoint = (): string => session.emulator.primary().publicEndpoint;

const says = (text: string, level: 'info' | 'error' = 'info'): void =>
  session.observer.log({ callId: undefined, level, text, time: session.clock.now() });

interface Line {
  id: string;
  type: string;
  outcome: string;
}
const list = async (...argv: string[]): Promise<Line[]> =>
  (await session.cli(['logs', '--json', ...argv])).json['items'] as Line[];

test('lists calls with their status, time and id', async () => {
  await fetch(`${endpoint()}/hello`);
  const { code, stdout } = await session.cli(['logs', '--calls']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}installation_setup +200 +\d+ ms {2}call_\w+$/);
  expect(lines[3]).toMatch(/ GET \/hello +200 .* call_\w+$/);
});

test('shows the date of calls on another day', async () => {
  await session.clock.advance(24 * 60 * 60 * 1000);
  await fetch(`${endpoint()}/hello`);
  const { stdout } = await session.cli(['logs', '--calls']);
  expect(stdout).toMatch(/^[A-Z][a-z]{2} \d\d \d\d:\d\d {2}installation_setup/);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/\n\d\d:\d\d:\d\d {2}GET \/hello/);
});

test('shows where a redirect leads', async () => {
  await fetch(`${endpoint()}/redirect`, { redirect: 'manual' });
  const { stdout } = await session.cli(['logs', '--type', 'fetch', '--limit', '1']);
  expect(stdout).toMatch(/ GET \/redirect +302 .*\n {10}to https:\/\/provider\.example\/authorize\n/);
  expect(await list('--type', 'fetch')).toMatchObject([{ location: 'https://provider.example/authorize' }]);
});

test("shows each call's logs, or its error and position, below the call", async () => {
  await fetch(`${endpoint()}/hello`);
  await fetch(`${endpoint()}/boom`);
  const { stdout } = await session.cli(['logs', '--type', 'fetch']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[1]).toBe('          info  asked for hello');
  expect(lines[3]).toBe('          error [integrations] Error: boom in the handler');
  expect(lines[4]).toMatch(/^ +at fetch \(.*session-script\.tsx:\d+:\d+\)$/);
});

test('ends with the command that inspects the latest failure if the output is a pipe', async () => {
  await fetch(`${endpoint()}/boom`);
  await fetch(`${endpoint()}/hello`);
  const [failed] = await list('--failed');
  const next = `platform inspect ${failed?.id}`;
  const { stdout } = await session.cli(['logs']);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`next: ${next}`);
  expect((await session.cli(['logs', '--json'])).json).toMatchObject({ next });
  expect((await session.cli(['logs', '--search', 'hello'])).stdout).not.toContain('next:');
});

test("shows a render's component and action", async () => {
  await session.cli(['render', 'counter', '--action', 'add']);
  const { stdout } = await session.cli(['logs', '--calls', '--type', 'ui_render']);
  expect(stdout).toMatch(/ ui_render counter add +200 /);
});

test('reports a rejected waitUntil promise as an error, whatever the response status', async () => {
  await fetch(`${endpoint()}/late`);
  await vi.waitFor(async () => {
    const [call] = (await list('--failed')) as (Line & { reason: string })[];
    expect(call).toMatchObject({
      outcome: 'ok',
      severity: 'error',
      reason: 'waitUntil failed: Error: No index.',
    });
  });
  expect(await list('--warnings')).toEqual([]);
  expect(await list('--failed', '--warnings')).toHaveLength(1);
  const { stdout } = await session.cli(['logs', '--failed', '--calls']);
  expect(stdout).toMatch(/ GET \/late +200 error /);
});

test('reports a failed outbound request as a warning', async () => {
  await fetch(`${endpoint()}/unreachable`);
  expect(await list('--warnings')).toMatchObject([{ outcome: 'ok', severity: 'warning' }]);
  expect(await list('--failed')).toEqual([]);
});

test('filters calls by type, failure and text, and limits how many it lists', async () => {
  await fetch(`${endpoint()}/hello`);
  await fetch(`${endpoint()}/boom`);
  expect((await list('--type', 'fetch')).map(({ outcome }) => outcome)).toEqual(['ok', 'failed']);
  expect(await list('--failed')).toMatchObject([{ type: 'fetch', outcome: 'failed' }]);
  expect(await list('--search', 'ASKED FOR HELLO')).toMatchObject([{ type: 'fetch', outcome: 'ok' }]);
  expect(await list('--limit', '1')).toMatchObject([{ outcome: 'failed' }]);
  const { stdout } = await session.cli(['logs', '--failed', '--calls']);
  expect(stdout).toMatch(/ GET \/boom +500 .*\n {10}Error: boom in the handler/);
});

test.each([
  [['--status', '5xx'], 1],
  [['--status', '200,500-599', '--source', 'request'], 3],
  [['--method', 'post'], 1],
  [['--path', 'HELLO?'], 1],
  [['--host', 'example.com'], 0],
  [['--search', 'in the body', '--failed'], 0],
  [['--search', 'in the body'], 1],
  [['--slower', '60000'], 0],
  [['--near'], 0],
  [['--source', 'request', '--site', 'site_local'], 0],
  [['--source', 'request', '--installation', 'installation_1', '--since', '10m'], 3],
  [['--until', '10m'], 0],
])('logs %j lists %i calls', async (argv, count) => {
  await fetch(`${endpoint()}/hello?again`);
  await fetch(`${endpoint()}/boom`);
  await fetch(`${endpoint()}/hello`, { method: 'POST', body: 'in the body' });
  expect(await list(...argv)).toHaveLength(count);
});

test('reports the total number of calls if the list is truncated at its limit', async () => {
  const { stderr } = await session.cli(['logs', '--limit', '2']);
  expect(stderr).toBe('Showing the newest 2 of 3 calls. Use --limit to see more.\n');
  expect((await session.cli(['logs', '--limit', '3'])).stderr).toBe('');
});

test('lists logs written outside calls, and groups lines written at the same time', async () => {
  says('connected');
  says('ready');
  await session.clock.advance(5_000);
  says('lost the connection\n    at tick (src/index.ts:3:9)', 'error');
  const [first, second] = (await list('--type', 'script')) as (Line & { lines: object[] })[];
  expect(first).toMatchObject({ outcome: 'ok', lines: [{ text: 'connected' }, { text: 'ready' }] });
  expect(second).toMatchObject({ outcome: 'failed', lines: [{ level: 'error' }] });
  expect(await list('--failed')).toHaveLength(1);

  const { stdout } = await session.cli(['logs', '--type', 'script']);
  expect(stdout).toMatch(
    /^\d\d:\d\d:\d\d {2}script {2}call_\w+\n {10}info {2}connected\n {10}info {2}ready\n/,
  );
  expect((await session.cli(['inspect', first?.id ?? ''])).stdout).toContain('info  ready');
});

/** Collects `logs --follow` output until it contains the expected text. The work starts once it follows. */
async function follow(argv: string[], work: () => Promise<void>, has: RegExp): Promise<string> {
  const stop = new AbortController();
  let text = '';
  let begun = false;
  const { code } = await session.cli(['logs', '--follow', ...argv], {
    signal: stop.signal,
    onStdout(piece) {
      text += piece;
      if (!begun) void work();
      begun = true;
      if (has.test(text)) stop.abort('SIGINT');
    },
  });
  expect(code).toBe(130);
  return text;
}

test('--follow prints new calls as typed NDJSON until it is stopped', async () => {
  const work = async (): Promise<void> => {
    await fetch(`${endpoint()}/hello`);
    says('a timer');
  };
  const text = await follow(['--json', '--limit', '1'], work, /a timer/);
  const objects = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(objects).toMatchObject([
    { version: 1, type: 'call', call: { type: 'site_installation_setup' } },
    { version: 1, type: 'call', call: { type: 'fetch', outcome: 'ok' } },
    { version: 1, type: 'log', line: { text: 'a timer' } },
  ]);
});

test('--follow shows a call even if 5,000 other events came after it', async () => {
  await fetch(`${endpoint()}/first`);
  const work = async (): Promise<void> => {
    let crowded = false;
    session.emulator.subscribe(({ type }) => {
      if (type !== 'call-finished' || crowded) return;
      crowded = true;
      for (let n = 0; n < 5_000; n += 1) says('a timer');
    });
    await fetch(`${endpoint()}/lost`);
    await fetch(`${endpoint()}/hello`);
  };
  const text = await follow(['--type', 'fetch'], work, /GET [/]hello/);
  expect(text.match(/GET [/]\w+/g)).toEqual(['GET /first', 'GET /lost', 'GET /hello']);
});

test('--follow supports the same filters as the list', async () => {
  await fetch(`${endpoint()}/boom?1`);
  const work = async (): Promise<void> => {
    await fetch(`${endpoint()}/hello`);
    says('a timer');
    await fetch(`${endpoint()}/boom?2`);
  };
  const argv = ['--failed', '--type', 'fetch', '--search', '/boom'];
  const text = await follow(argv, work, /boom\?2 +500/);
  expect(text).not.toMatch(/hello|a timer|installation_setup/);
  expect(text).toMatch(/boom\?1 +500/);
});

test('--follow reports that the platform has stopped, then exits with 0', async () => {
  const { code, stderr } = await session.cli(['logs', '--follow'], {
    onStdout: () => void session.emulator.close(),
  });
  expect([code, stderr]).toEqual([0, 'The platform has stopped.\n']);
});

test('suggests what to trigger if there are no calls, or reports that no call matches', async () => {
  expect((await session.cli(['logs', '--type', 'page_feedback'])).stdout).toBe('No matching calls.\n');
  expect((await session.cli(['logs', '--search', 'nothing of it'])).stdout).toBe('No matching calls.\n');
  expect(await list('--type', 'page_feedback')).toEqual([]);
});

test.each<[argv: string[], text: string]>([
  [['--limit', 'many'], 'It must be a whole number of at least 1, such as 3.'],
  [['--limit', '0'], 'It must be a whole number of at least 1, such as 3.'],
  [['--typ', 'fetch'], 'Did you mean --type?'],
  [['--type', 'space_veiw'], 'Did you mean space_view?'],
  [['--status', '5x'], 'Use a status such as 404, 5xx or 400-499.'],
  [['--since', 'yesterday'], 'Use a time such as 15m, 2h, 1d or 2026-01-31T12:00.'],
  [['--source', 'space'], 'Allowed choices are request, event, script.'],
])('logs %j fails and suggests the next step', async (argv, text) => {
  const { code, stderr } = await session.cli(['logs', ...argv]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

test.each(['logs', 'trigger site_view --set url=https://example.com/fail'])(
  'platform %s wraps long sentences at the terminal width',
  async (line) => {
    await fetch(`${endpoint()}/unreachable`);
    const text =
      'A sentence that is much too long for one line of a narrow terminal, so it needs three of them';
    const [call] = await list('--limit', '1');
    session.observer.log({ callId: call?.id, level: 'error', text, time: session.clock.now() });
    const { stdout } = await session.cli([...line.split(' '), '--no-color'], { terminal: true, columns: 60 });
    const sentences = stdout.split('\n').filter((one) => !/^\d\d:|call_|https?:/.test(one));
    expect(sentences.filter((one) => one.length > 60)).toEqual([]);
  },
);
