import { expect, it, test } from 'vitest';
import {
  delivered,
  json,
  listed,
  startCliSession,
  startWithEndpoint,
  target,
  type Delivery,
} from './webhook-session.js';

test.each([
  ['--event space_content_updated', { type: 'space', id: 'space_local' }, ['space_content_updated']],
  [
    '--event site_view --event page_feedback',
    { type: 'site', id: 'site_local' },
    ['site_view', 'page_feedback'],
  ],
  ['--event page_feedback --site site_local', { type: 'site', id: 'site_local' }, ['page_feedback']],
])("add selects the endpoint's target from the options %s", async (options, of, events) => {
  const session = await startCliSession();
  const [added] = await listed(session, `webhook add --url ${target} ${options}`);
  expect(added).toMatchObject({ url: target, target: of, events, enabled: true });
  expect(added?.secret).toMatch(/^whsec_[0-9a-f]{64}$/);
});

it('add prints the signing secret, and list prints it again later', async () => {
  const session = await startCliSession();
  const { stdout, code } = await session.platform(`webhook add --url ${target} --event site_view`);
  expect(code).toBe(0);
  const [, id, secret] =
    /^(whe_\w+) {2}enabled {2}http.*\n {2}site_view of site site_local\n {2}secret (whsec_\w+)\n/.exec(
      stdout,
    ) ?? [];
  expect(secret).toBeDefined();
  for (let again = 0; again < 2; again += 1) {
    expect((await session.platform(`webhook list ${id}`)).stdout).toBe(`${stdout}  no requests yet\n`);
    expect((await listed(session, `webhook list ${id}`))[0]?.secret).toBe(secret);
  }
  expect((await session.platform('webhook list')).stdout).not.toContain(secret);
});

it('add accepts a custom signing secret', async () => {
  const session = await startCliSession();
  const [added] = await listed(session, `webhook add --url ${target} --event site_view --secret mine`);
  expect(added?.secret).toBe('mine');
});

test.each([
  ['', 'missing-input', '--url and --event', 'platform webhook add --url <url> --event <type>'],
  [`--url ${target}`, 'missing-input', '--event', 'platform webhook add --url <url> --event <type>'],
  ['--event site_view', 'missing-input', '--url', 'platform webhook add --url <url> --event <type>'],
  ['--url receiver --event site_view', 'bad-url', '"receiver"', 'http://'],
  [
    `--url ${target} --event site_view --space space_local`,
    'invalid-endpoint',
    'site_view',
    'space_content_updated can',
  ],
  [
    `--url ${target} --event space_content_updated --site site_local`,
    'invalid-endpoint',
    'space_content_updated',
    'site_view and page_feedback can',
  ],
  [
    `--url ${target} --event space_content_updated --event site_view`,
    'invalid-endpoint',
    'space_content_updated',
    'site_view and page_feedback can',
  ],
  [`--url ${target} --event site_vew`, 'unknown-event', 'site_vew', 'Did you mean site_view?'],
  [`--url ${target} --event ui_render`, 'unknown-event', 'ui_render', 'page_feedback'],
  [`--url ${target} --event site_view --site nowhere`, 'not-found', 'nowhere', ''],
])('add rejects the options "%s"', async (options, errorCode, ...words) => {
  const session = await startCliSession();
  const line = `webhook add ${options}`.trim();
  const { error } = await json<{ error: { code: string; message: string; hint: string } }>(session, line, 2);
  expect(error.code).toBe(errorCode);
  for (const word of words) expect(`${error.message} ${error.hint}`).toContain(word);
  const { code, stdout, stderr } = await session.platform(line);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error /);
  expect(await listed(session, 'webhook list')).toEqual([]);
});

it('list suggests how to add an endpoint if none exist', async () => {
  const { platform } = await startCliSession();
  expect((await platform('webhook list')).stdout).toContain(
    'platform webhook add --url <url> --event <type>',
  );
});

it('list shows how many deliveries are pending', async () => {
  const session = await startWithEndpoint([500]);
  await session.platform('trigger site_view');
  await delivered(session);
  const [endpoint] = await listed(session, 'webhook list');
  expect(endpoint?.backlog).toMatchObject({ pending: 0, retrying: 1, inFlight: 0 });
  const { stdout } = await session.platform('webhook list');
  expect(stdout).toContain('1 retrying');
  expect(stdout).toMatch(
    / {2}0 of 1 request succeeded \(0%\), p95 \d+ ms\n {2}last failure \d\d:\d\d:\d\d, dlv_1: the receiver responded with 500\n$/,
  );
});

test('disable holds the deliveries to an endpoint until enable sends them', async () => {
  const session = await startWithEndpoint();
  const { id } = session.endpoint;
  expect((await session.platform(`webhook disable ${id}`)).stdout).toMatch(/^whe_\w+ {2}disabled/);
  await session.platform('trigger site_view');
  expect((await session.platform('webhook deliveries --state held')).stdout).toContain(
    'its endpoint is disabled, or its installation is paused',
  );
  expect((await session.platform('webhook list')).stdout).toContain('0 pending, 0 retrying, 1 held');
  expect(await listed(session, `webhook enable ${id}`)).toMatchObject([{ id, enabled: true }]);
  expect((await json<{ items: Delivery[] }>(session, 'webhook deliveries --state held')).items).toEqual([]);
  expect((await json<{ items: Delivery[] }>(session, 'webhook deliveries')).items).toHaveLength(1);
});

test('rotate prints the new secret and how long the old one remains valid', async () => {
  const session = await startWithEndpoint();
  const { id, secret } = session.endpoint;
  const [rotated] = await listed(session, `webhook rotate ${id}`);
  expect(rotated?.secret).toMatch(/^whsec_/);
  expect(rotated?.secret).not.toBe(secret);
  expect(rotated?.rotatesUntil).toBe(session.clock.now() + 24 * 3_600_000);
  expect((await session.platform(`webhook rotate ${id}`)).stdout).toMatch(
    /the old secret is also valid until/,
  );
});

test('remove leaves all other endpoints unchanged', async () => {
  const session = await startWithEndpoint();
  const [other] = await listed(session, `webhook add --url ${target} --event page_feedback`);
  expect(await listed(session, `webhook remove ${session.endpoint.id}`)).toMatchObject([{ id: other?.id }]);
  expect((await session.platform(`webhook remove ${other?.id}`)).stdout).toMatch(
    /^Removed whe_\w+ \(http:\/\/receiver.example.com\/hook\) and its secret.\nNo webhook endpoints/,
  );
});

test('remove reports how many pending deliveries have failed as a result', async () => {
  const session = await startWithEndpoint([500]);
  await session.platform('trigger site_view');
  await delivered(session);
  const { stdout } = await session.platform(`webhook remove ${session.endpoint.id}`);
  expect(stdout).toContain('and its secret. 1 pending delivery has failed.\n');
});

test.each([
  ['webhook deliveries --endpoint whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook list whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook remove whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook enable whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook disable whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook rotate whe_none', 'unknown-endpoint', 'platform webhook list'],
  ['webhook resend dlv_99', 'unknown-delivery', 'platform webhook deliveries'],
])('explains how to find a valid id if the id is unknown: %s', async (line, errorCode, next) => {
  const session = await startCliSession();
  const { error } = await json<{ error: { code: string; hint: string } }>(session, line, 2);
  expect(error.code).toBe(errorCode);
  expect(error.hint).toContain(next);
});
