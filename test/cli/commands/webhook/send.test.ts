import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, test } from 'vitest';
import { createVirtualClock, systemClock } from '../../../../src/base/clock.js';
import { eventFields } from '../../../support/event-fields.js';
import { startOwnReceiver } from '../../../support/own-receiver.js';
import { runCli, type CliOptions } from '../../../support/run-cli.js';

const secret = 'whsec_send';

interface Sent {
  version: number;
  event: Record<string, unknown>;
  delivery: { state: string; attempts: number };
  attempts: {
    number: number;
    startedAt: number;
    result: { kind: string; status?: number; error?: string };
  }[];
}

const send = (type: string, to: string, more: string[] = [], options: CliOptions = {}) =>
  runCli(['webhook', 'send', type, '--to', to, '--secret', secret, ...more], {
    clock: systemClock,
    ...options,
  });

test('sends a rating that readers cannot choose, and prints a note', async () => {
  const { url } = await startOwnReceiver({ secret });
  const { code, stderr } = await send('page_feedback', url, ['--set', 'feedback.rating=great']);
  expect([code, stderr]).toEqual([
    0,
    'feedback.rating is "great". Readers can choose only good, ok or bad.\n',
  ]);
});

test.each(Object.entries(eventFields))('sends a signed %s event with all fields', async (type, names) => {
  const { url, accepted } = await startOwnReceiver({ secret });
  const { code, stdout, stderr } = await send(type, url);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^ {2}attempt 1 {2}200 {2}\d+ ms\n {4}\{"received":true\}\ndelivered {2}\w+ evt_\w+\n$/,
  );
  expect(accepted).toHaveLength(1);
  expect(Object.keys(JSON.parse(accepted[0]?.body ?? '{}') as object).toSorted()).toEqual(names);
});

test('--set changes fields of the event', async () => {
  const { url, accepted } = await startOwnReceiver({ secret });
  const more = '--set feedback.rating=bad --set visitor.cookies.theme=dark --set eventId=evt_mine'.split(' ');
  expect((await send('page_feedback', url, more)).code).toBe(0);
  expect(JSON.parse(accepted[0]?.body ?? '{}')).toMatchObject({
    eventId: 'evt_mine',
    feedback: { rating: 'bad' },
    visitor: { cookies: { theme: 'dark' } },
  });
});

it('retries a failing receiver immediately with --fast', async () => {
  const { url, accepted } = await startOwnReceiver({ secret, statuses: [500, 503] });
  // Its clock stands still, so nothing that waits for a time would end.
  const { code, stdout } = await send('site_view', url, ['--fast'], { clock: createVirtualClock() });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^ {2}attempt 1 {2}500 {2}\d+ ms {2}retrying now instead of in [01]\.\d s\n {4}\S+\n {2}attempt 2 {2}503 {2}\d+ ms {2}retrying now instead of in [12]\.\d s\n {4}\S+\n {2}attempt 3 {2}200 {2}\d+ ms\n {4}\S+\ndelivered /,
  );
  expect(new Set(accepted.map(({ body }) => body)).size).toBe(1);
});

it('retries a failing receiver after the usual delays without --fast', async () => {
  const { url, accepted } = await startOwnReceiver({ secret, statuses: [500] });
  const { code, stdout } = await send('site_view', url);
  expect(code).toBe(0);
  expect(stdout).toMatch(/attempt 1 {2}500 {2}\d+ ms {2}retrying in [01]\.\d s\n/);
  const [first, second] = accepted;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(999);
  expect(new Set(accepted.map(({ header }) => header)).size).toBe(2);
});

it('exits with 1 and prints one JSON document after a permanent failure', async () => {
  const { url } = await startOwnReceiver({ secret: 'another' });
  const { code, stdout, stderr } = await send('site_view', url, ['--format', 'json']);
  expect([code, stderr]).toEqual([1, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    event: { type: 'site_view' },
    delivery: { state: 'failed', attempts: 1 },
    attempts: [
      {
        number: 1,
        request: { url },
        result: {
          kind: 'answer',
          status: 401,
          body: { encoding: 'utf-8', content: '{"error":"Invalid signature"}' },
        },
      },
    ],
  });
});

it('sends four requests in total to a receiver that never responds', async () => {
  const { code, stdout } = await send('site_view', 'http://127.0.0.1:1/', ['--fast', '--json']);
  const { delivery, attempts } = JSON.parse(stdout) as Sent;
  expect([code, delivery.state, attempts.map(({ result }) => result.error)]).toEqual([
    1,
    'exhausted',
    ['refused', 'refused', 'refused', 'refused'],
  ]);
});

test('stops waiting for a retry on Ctrl-C', async () => {
  const { url } = await startOwnReceiver({ secret, statuses: [500] });
  const stop = new AbortController();
  const { code, stdout } = await send('site_view', url, [], {
    signal: stop.signal,
    onStdout: () => stop.abort('SIGINT'),
  });
  expect(code).toBe(130);
  expect(stdout).toContain('attempt 1  500');
});

test('stops on Ctrl-C without waiting for an unresponsive receiver', async () => {
  const stop = new AbortController();
  const silent = createServer(() => stop.abort('SIGINT'));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  const { port } = silent.address() as AddressInfo;
  const { code, stdout, stderr } = await send('site_view', `http://127.0.0.1:${port}/`, [], {
    signal: stop.signal,
  });
  expect([code, stderr]).toEqual([130, '']);
  expect(stdout).not.toContain('request');
});

test.each([
  ['site_view', 'missing-input', /--to, --secret/, /platform webhook send <type> --to/],
  ['ui_render --to http://h/ --secret s', 'unknown-event', /ui_render/, /space_content_updated/],
  ['site_view --to receiver --secret s', 'bad-url', /"receiver"/, /http:\/\//],
  ['site_view --to http://a:b@h/ --secret s', 'invalid-endpoint', /user name or password/, /^/],
  ['site_view --to http://h/ --secret s --set visitor', 'bad-assignment', /"visitor"/, /name=value/],
  [
    'site_view --to http://h/ --secret s --set visitor.ip=null',
    'bad-event',
    /visitor\.ip/,
    /platform schema webhook-payloads/,
  ],
  ['site_view --to http://h/ --secret s --set visitor.age=1', 'bad-event', /visitor\.age/, /^/],
])('rejects the command "webhook send %s"', async (line, errorCode, message, hint) => {
  const argv = ['webhook', 'send', ...line.split(' ')];
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { clock: systemClock });
  expect([code, stderr]).toEqual([2, '']);
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string; hint: string } };
  expect(error.code).toBe(errorCode);
  expect(error.message).toMatch(message);
  expect(error.hint).toMatch(hint);
  expect((await runCli(argv, { clock: systemClock })).stderr).toMatch(/^error /);
});
