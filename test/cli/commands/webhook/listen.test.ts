import { createHmac } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import { runCli, type CliResult } from '../../../support/run-cli.js';

const secret = 'whsec_listen';

interface Listening {
  url: string;
  printed(): string;
  post(body: string, header?: string): Promise<number | 'cut'>;
  stop(): Promise<CliResult>;
}

async function listening(...argv: string[]): Promise<Listening> {
  const stop = new AbortController();
  let text = '';
  let ready: (url: string) => void;
  const address = new Promise<string>((resolve) => (ready = resolve));
  const ended = runCli(['webhook', 'listen', '--port', '0', '--secret', secret, ...argv], {
    clock: systemClock,
    signal: stop.signal,
    onStdout(piece) {
      text += piece;
      ready(/http:[^\s"]+/.exec(text)?.[0] ?? '');
    },
  });
  onTestFinished(() => stop.abort('SIGINT'));
  const url = await Promise.race([address, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  return {
    url,
    printed: () => text.slice(text.indexOf('\n') + 1),
    async post(body, header = sign(body)) {
      try {
        const headers = header === '' ? {} : { 'X-Platform-Signature': header };
        return (await fetch(url, { method: 'POST', headers, body })).status;
      } catch {
        return 'cut';
      }
    },
    stop() {
      stop.abort('SIGINT');
      return ended;
    },
  };
}

/** The signature, computed without our own code. */
function sign(body: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

const event = (eventId: string): string =>
  JSON.stringify({ eventId, type: 'site_view', installationId: 'i' });

/** The output without body lengths. A test can take longer than a second, so its ages are not exact. */
const lines = ({ printed }: Listening): string[] =>
  printed()
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ {2}\d+ B$/, '').replace(/ \d s old$/, ' 0 s old'));

test('prints each received request and marks duplicates', async () => {
  const receiver = await listening();
  const answers = [];
  for (const id of ['evt_1', 'evt_2', 'evt_1']) answers.push(await receiver.post(event(id)));
  expect(answers).toEqual([200, 200, 200]);
  expect(lines(receiver)).toEqual([
    '1  200  site_view evt_1  valid signature, 0 s old',
    '2  200  site_view evt_2  valid signature, 0 s old',
    '3  200  site_view evt_1  duplicate  valid signature, 0 s old',
  ]);
});

test('explains how to send an event and that Ctrl-C stops the receiver', async () => {
  const receiver = await listening();
  const { code, stdout, stderr } = await receiver.stop();
  expect(code).toBe(130);
  expect(stdout).toBe(`Listening at ${receiver.url} with secret ${secret}\n`);
  expect(stderr).toContain(`platform webhook send site_view --to ${receiver.url} --secret ${secret}`);
  expect(stderr).toContain('Press Ctrl-C to stop.');
  await expect(fetch(receiver.url)).rejects.toThrow();
});

test.each([
  ['a missing signature', event('evt_1'), '', '', 'The signature header is missing.'],
  ['an altered body', event('evt_2'), sign(event('evt_1')), ', 0 s old', 'the body was changed'],
  ['old one', event('evt_1'), sign(event('evt_1'), 1_700_000_000), 's old', 's old. The maximum is 300 s.'],
  [
    'a signature from the future',
    event('evt_1'),
    sign(event('evt_1'), 9_000_000_000),
    's in the future',
    's ahead of this clock. The maximum is 300 s.',
  ],
])('rejects %s, and explains why', async (_, body, header, age, why) => {
  const receiver = await listening();
  expect(await receiver.post(body, header)).toBe(401);
  const [first, ...rest] = lines(receiver);
  expect(first).toMatch(/^1 {2}401 {2}site_view evt_\d {2}invalid signature/);
  expect(first?.endsWith(age)).toBe(true);
  expect(rest.filter((line) => line.length > 80)).toEqual([]);
  expect(rest.map((line) => line.trim()).join(' ')).toContain(why);
});

test('rejects all HTTP methods except POST', async () => {
  const receiver = await listening();
  const answer = await fetch(receiver.url);
  expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([
    405,
    'POST',
    'Method not allowed',
  ]);
  expect(lines(receiver)).toEqual(['1  405  GET is not POST']);
});

test('prints rejected requests, but does not count them', async () => {
  const receiver = await listening('--respond', '500,200');
  expect(await receiver.post('x'.repeat(1024 * 1024 + 1))).toBe(413);
  expect(await receiver.post(event('evt_1'))).toBe(500);
  const { port } = new URL(receiver.url);
  const status = await new Promise((resolve, reject) => {
    const sent = request({ port, method: 'POST', headers: { host: 'evil.example\u0085' } });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end();
  });
  expect(status).toBe(403);
  expect(lines(receiver)).toEqual([
    'rejected  413',
    '     The body is larger than 1 MiB.',
    '1  500  site_view evt_1  valid signature, 0 s old',
    'rejected  403',
    `     The Host header is "evil.example\uFFFD", not 127.0.0.1:${port}. Configure your`,
    '     tunnel to rewrite it.',
  ]);
});

test('prints no control characters from requests', async () => {
  const receiver = await listening();
  await receiver.post(JSON.stringify({ eventId: 'evt\u001B[2J', type: 'a\nb', installationId: 'i' }));
  expect(lines(receiver)).toEqual(['1  200  a b evt\u241B[2J  valid signature, 0 s old']);
});

test('--respond returns the given statuses in order and repeats the last one', async () => {
  const receiver = await listening('--respond', '500,429,200');
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await receiver.post(event('evt_1')));
  expect(answers).toEqual([500, 429, 200, 200]);
});

test('--drop closes the first connections without responding', async () => {
  const receiver = await listening('--drop', '2', '--respond', '503,200');
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await receiver.post(event('evt_1')));
  expect(answers).toEqual(['cut', 'cut', 503, 200]);
  expect(lines(receiver).slice(0, 2)).toEqual(['1  dropped', '2  dropped']);
});

test('--duplicate delivers each event twice', async () => {
  const receiver = await listening('--duplicate');
  const answers = [];
  for (const id of ['evt_1', 'evt_1', 'evt_2', 'evt_2']) answers.push(await receiver.post(event(id)));
  expect(answers).toEqual([500, 200, 500, 200]);
});

test('--delay delays the response to each request', async () => {
  const receiver = await listening('--delay', '120');
  const started = performance.now();
  expect(await receiver.post(event('evt_1'))).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(115);
});

test('Ctrl-C stops the receiver without waiting for --delay', async () => {
  const receiver = await listening('--delay', '600000');
  const answer = receiver.post(event('evt_1'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await receiver.stop()).code).toBe(130);
  await answer;
});

test('--format json prints one JSON object per line', async () => {
  const receiver = await listening('--drop', '1', '--format', 'json');
  await receiver.post(event('evt_1'));
  await receiver.post(event('evt_1'));
  await receiver.post(event('evt_2'), '');
  await receiver.post('no event');
  await fetch(receiver.url);
  const { code, stdout, stderr } = await receiver.stop();
  expect([code, stderr]).toEqual([130, '']);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { version: 1, type: 'ready', url: receiver.url, secret },
    { version: 1, type: 'dropped', number: 1 },
    {
      version: 1,
      type: 'request',
      number: 2,
      method: 'POST',
      status: 200,
      valid: true,
      duplicate: false,
      event: { eventId: 'evt_1', type: 'site_view' },
      bytes: event('evt_1').length,
      ageSeconds: expect.any(Number),
    },
    {
      version: 1,
      type: 'request',
      number: 3,
      method: 'POST',
      status: 401,
      valid: false,
      duplicate: false,
      event: { eventId: 'evt_2', type: 'site_view' },
      bytes: event('evt_2').length,
      explanation: 'The signature header is missing.',
    },
    {
      version: 1,
      type: 'request',
      number: 4,
      method: 'POST',
      status: 200,
      valid: true,
      duplicate: false,
      bytes: 'no event'.length,
      ageSeconds: expect.any(Number),
    },
    { version: 1, type: 'request', number: 5, method: 'GET', status: 405 },
  ]);
});

test('generates a signing secret if none is set', async () => {
  const stop = new AbortController();
  const { stdout, code } = await runCli(['webhook', 'listen', '--port', '0'], {
    clock: systemClock,
    signal: stop.signal,
    onStdout: () => stop.abort('SIGINT'),
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(/with secret whsec_[0-9a-f]{48}\n$/);
});

test('reports that the port is already in use', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await runCli(['webhook', 'listen', '--port', String(port)], {
    clock: systemClock,
  });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`Port ${port} is in use by `);
  expect(stderr).toContain('Choose another port with --port.');
});

test.each([
  ['--port 99999', 'a port from 0 to 65535'],
  ['--respond 500,abc', 'Statuses must be between 200 and 599, such as 500,500,200'],
  ['--respond 100', 'Statuses must be between 200 and 599'],
  ['--delay soon', 'a whole number'],
  ['--drop -1', 'a whole number'],
  ['--secret ', '--secret is empty.'],
])('rejects the command "webhook listen %s"', async (options, message) => {
  const { code, stdout, stderr } = await runCli(['webhook', 'listen', ...options.split(' ')]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
