import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, test } from 'vitest';
import { startOwnReceiver } from '../../../support/own-receiver.js';
import { runCli } from '../../../support/run-cli.js';
import {
  delivered,
  json,
  startCliSession,
  startWithEndpoint,
  target,
  type Delivery,
} from './webhook-session.js';

it('lists all deliveries, only failed ones, or those of one endpoint, newest first', async () => {
  const session = await startWithEndpoint([200, 400]);
  const ids = async (options: string): Promise<string[]> =>
    (await json<{ items: Delivery[] }>(session, `webhook deliveries${options}`)).items.map(({ id }) => id);
  for (let n = 0; n < 3; n += 1) {
    await session.platform('trigger site_view');
    await delivered(session);
  }
  expect(await ids('')).toEqual(['dlv_3', 'dlv_2', 'dlv_1']);
  expect(await ids(' --limit 1')).toEqual(['dlv_3']);
  expect(await ids(' --failed')).toEqual(['dlv_2']);
  expect(await ids(` --endpoint ${session.endpoint.id}`)).toHaveLength(3);
  const { stdout } = await session.platform('webhook deliveries --failed');
  expect(stdout).toMatch(
    /^dlv_2 {2}failed {5}site_view {2}1 attempt {3}evt_\w+\n {2}400: no such hook\n {2}next: platform inspect dlv_2\n$/,
  );
});

it('explains a failed delivery that the receiver rejected with 401', async () => {
  const session = await startWithEndpoint([401]);
  await session.platform('trigger site_view');
  await delivered(session);
  const { stdout } = await session.platform('inspect dlv_1');
  expect(stdout).toContain(`The receiver may have a different secret.`);
  expect(stdout).toContain(`platform webhook list ${session.endpoint.id}`);
  const command = /printf %s '(.*)' \| platform webhook verify --header '(.*)' --secret <secret>/;
  const [, body = '', header = ''] = command.exec(stdout) ?? [];
  const check = (key: string) =>
    runCli(['webhook', 'verify', '--header', header, '--secret', key], { stdin: body });
  expect((await check(session.endpoint.secret ?? '')).code).toBe(0);
  expect((await check('whsec_other')).code).toBe(1);
});

it('does not offer to copy a body whose invisible characters the terminal would not print', async () => {
  const session = await startWithEndpoint([401]);
  await session.platform('trigger site_view --set url=https://a.test/\u202e');
  await delivered(session);
  const { stdout } = await session.platform('inspect dlv_1');
  expect(stdout).toContain('run: platform webhook verify --help');
  expect(stdout).not.toContain('printf');
});

it('shows a delivery with its attempts and its body', async () => {
  const session = await startWithEndpoint([400]);
  await session.platform('trigger site_view');
  await delivered(session);
  const { code, stdout } = await session.platform('inspect dlv_1');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^site_view {2}failed\ndlv_1 {2}evt_\w+ to http:\/\/receiver.example.com\/hook\n {2}the receiver responded with 400\n\nAttempts\n {2}1 {2}\d\d:\d\d:\d\d {2}\d+ ms {2}the receiver responded with 400\n {5}POST http:\/\/receiver.example.com\/hook\n {5}Content-Type: application\/json\n {5}User-Agent: \S+\n {5}X-Platform-Signature: t=\d+,v1=\w+\n\n {5}no such hook\n\n\nBody/,
  );
  expect(stdout).toContain('"type":"site_view"');
  expect(await json(session, 'inspect dlv_1')).toMatchObject({
    delivery: { id: 'dlv_1' },
    attempts: [{ number: 1 }],
  });
  expect(await session.platform('inspect dlv_9')).toMatchObject({ code: 2, stdout: '' });
});

it('shows the URLs that deliveries were sent to, even after the endpoint is changed and removed', async () => {
  const session = await startWithEndpoint([400]);
  const { id } = session.endpoint;
  await session.platform('trigger site_view');
  await delivered(session);
  await session.emulator.webhooks.update(id, { url: 'http://elsewhere.test/' });
  await session.platform('trigger site_view');
  await delivered(session);
  const shown = async (): Promise<string> => (await session.platform('webhook deliveries')).stdout;
  expect(await shown()).toMatch(/^dlv_2 .* to http:\/\/elsewhere.test\/\ndlv_1 .* to http:\/\/receiver/);
  const before = await shown();
  await session.platform(`webhook remove ${id}`);
  expect(await shown()).toBe(before);
});

it('prints a delivery as a curl command that the receiver accepts', async () => {
  const secret = 'whsec_own';
  const session = await startCliSession(async () => new Response(null, { status: 500 }));
  const now = () => session.clock.now();
  const { url, accepted } = await startOwnReceiver({ secret, tolerance: 300, now });
  await session.platform(`webhook add --url ${url} --event site_view --secret ${secret}`);
  await session.platform("trigger site_view --set url=https://it's.test/%C3%BC?a=$HOME");
  await delivered(session);
  await session.clock.advance(3_600_000);
  const { code, stdout } = await session.platform('inspect dlv_1 --as-curl');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^curl -X POST 'http:/);
  const sent = await promisify(execFile)('sh', [
    '-c',
    `${stdout.trimEnd()} --silent --write-out '%{http_code}'`,
  ]);
  expect(sent.stdout).toMatch(/200$/);
  expect(accepted).toHaveLength(1);
  expect(JSON.parse(accepted[0]?.body ?? '')).toMatchObject({ url: "https://it's.test/%C3%BC?a=$HOME" });
  expect(await json(session, 'inspect call_1 --as-curl', 2)).toMatchObject({
    error: { code: 'not-a-delivery' },
  });
  expect((await json<{ url: string }>(session, 'inspect dlv_1 --as-curl')).url).toBe(url);
});

it('reports that there are no deliveries, and suggests a command', async () => {
  const { platform } = await startCliSession();
  expect((await platform('webhook deliveries')).stdout).toContain('platform webhook add');
  await platform(`webhook add --url ${target} --event site_view`);
  expect((await platform('webhook deliveries')).stdout).toContain('platform trigger site_view');
  expect((await platform('webhook deliveries --failed')).stdout).toBe('No failed deliveries.\n');
});

it.each(['few', '0'])('rejects %s as the limit of the list', async (limit) => {
  const { platform } = await startCliSession();
  expect(await platform(`webhook deliveries --limit ${limit}`)).toMatchObject({ code: 2, stdout: '' });
});

test('resend sends the same event as a new delivery', async () => {
  const session = await startWithEndpoint([400]);
  await session.platform('trigger site_view');
  await delivered(session);
  const { delivery } = await json<{ delivery: Delivery }>(session, 'webhook resend dlv_1');
  expect(delivery).toMatchObject({ id: 'dlv_2', state: 'pending', resentFrom: 'dlv_1' });
  await delivered(session);
  const { items } = await json<{ items: Delivery[] }>(session, 'webhook deliveries');
  expect(items.map(({ state }) => state)).toEqual(['delivered', 'failed']);
  expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(1);
  expect((await session.platform('webhook resend dlv_1')).stdout).toMatch(/^dlv_3 {2}pending/);
});

test('resend explains how to enable a disabled endpoint', async () => {
  const session = await startWithEndpoint();
  await session.platform('trigger site_view');
  await delivered(session);
  await session.platform(`webhook disable ${session.endpoint.id}`);
  const { error } = await json<{ error: { code: string; hint: string } }>(session, 'webhook resend dlv_1', 2);
  expect(error).toMatchObject({ code: 'endpoint-disabled', hint: expect.stringContaining('webhook enable') });
});
