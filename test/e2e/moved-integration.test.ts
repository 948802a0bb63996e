import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hmacHex } from '../support/hmac-hex.js';

const manifest = new URL('../fixtures/projects/moved/', import.meta.url);
const secrets = { CLIENT_ID: 'client', CLIENT_SECRET: 'canary-client-secret', SIGNING_SECRET: 'signing' };

let platform: TestPlatform;
const logged = (): string[] => platform.logs().map(({ text }) => text);
beforeEach(async () => {
  platform = await createTestPlatform({ manifest, secrets });
  await platform.install();
});
afterEach(() => platform.close());

test('connects an account through the shared URL and uses the team id to find the installation', async () => {
  const page = await platform.oauth({ outcome: 'approve' });
  expect(page.status).toBe(200);
  const { installation } = platform.environment();
  expect(installation).toMatchObject({ status: 'pending', externalIds: ['T1'] });
  expect(installation?.configuration['oauth_credentials']).toMatchObject({
    access_token: expect.any(String),
  });

  const body = JSON.stringify({ team: 'T1' });
  const headers = { 'x-desk-signature': hmacHex('signing', body) };
  const address = `${platform.environment().integration.urls.publicEndpoint}/events`;
  const answer = await platform.fetch(address, { method: 'POST', body, headers });
  expect(await answer.json()).toEqual({ acknowledged: true });
  await platform.settled();
  expect(logged()).toContain('event of T1 for installation_1');
});

test('responds to a forged event with the status that the handler returns', async () => {
  const headers = { 'x-desk-signature': 'wrong' };
  const answer = await platform.fetch('/events', { method: 'POST', body: '{}', headers });
  expect([answer.status, await answer.json()]).toEqual([401, { error: 'Invalid signature' }]);
});

test('completes every step of the configuration component', async () => {
  await platform.oauth({ outcome: 'approve' });
  const configuration = platform.environment().installation?.configuration;
  const screen = await platform.render('configure', {
    props: { installation: { configuration } },
    context: { type: 'configuration' },
  });
  expect(screen.state).toMatchObject({ step: 'channels' });
  await screen.fill('channel', 'general');
  expect(screen.state).toMatchObject({ channel: 'general', step: 'channels' });
  await screen.press('Save');
  expect(screen.open).toBe(false);
  expect(platform.environment().installation).toMatchObject({
    status: 'active',
    configuration: { default_channel: 'general', oauth_credentials: {} },
  });
});

test('queues a task when the last value is set, and lets that task queue the next one', async () => {
  await platform.configure({ oauth_credentials: { access_token: 'at' }, default_channel: 'general' });
  await platform.clock.advance(60_000);
  await platform.settled();
  expect(logged()).toContain('[moved] page 1 of 1 space for general');
  await platform.clock.advance(5_000);
  await platform.settled();
  expect(logged()).toContain('[moved] page 2 of 1 space for general');
});

test('sends changed content to the help desk', async () => {
  await platform.configure({ oauth_credentials: { access_token: 'at' }, default_channel: 'general' });
  const messages: unknown[] = [];
  platform.stub('https://desk.example/api', async (request) => {
    messages.push([request.headers.get('authorization'), await request.json()]);
    return Response.json({ ok: true });
  });
  expect(await platform.trigger({ type: 'space_content_updated' })).toMatchObject({ outcome: 'ok' });
  expect(messages).toEqual([
    ['Bearer at', { channel: 'general', text: expect.stringContaining('Local space has changed') as string }],
  ]);
});

test('turns a link into a card with a modal and a webframe', async () => {
  const block = await platform.render('ticket', { context: { editable: true } });
  expect(block.element).toBeNull();
  await block.act({ action: '@link.unfurl', url: 'https://tickets.example/t/42' });
  expect(block.props).toEqual({ url: 'https://tickets.example/t/42', id: '42' });
  expect(block.text()).toContain('Ticket 42');
  await block.press('Open preview');
  expect(block.modal?.element).toMatchObject({ type: 'modal', size: 'fullscreen' });
  await block.fill('note', 'hello');
  expect(block.props).toEqual({ url: 'https://tickets.example/t/42', id: 'hello' });
});

test('delivers a streamed response in full', async () => {
  const answer = await platform.fetch('/tickets/42/stream');
  expect(await answer.text()).toBe('one\ntwo\n42\n');
});

test('signs visitors in and redirects them back with a token that is signed for the site', async () => {
  const site = 'site_local';
  const content = platform.environment().integration.urls.publicEndpoint.replace('/v1/', '/content/');
  const below = `${content}/installations/installation_1/sites/${site}`;
  const early = await platform.fetch(`${below}/visitor-auth`);
  expect([early.status, await early.json()]).toEqual([400, { error: 'The sign-in is not set up yet' }]);
  expect(await (await platform.fetch(`${below}/script.js`)).text()).toBe('/** no-op */');

  await platform.configure({ client_id: 'desk' }, { site });
  const away = await platform.fetch(`${below}/visitor-auth?location=/guide`, { redirect: 'manual' });
  const login = new URL(away.headers.get('location') ?? '');
  expect(login.searchParams.get('state')).toBe('/guide');
  expect(await (await platform.fetch(`${below}/script.js`)).text()).toContain("window.helpDesk = 'desk';");

  const back = `${login.searchParams.get('redirect_uri')}?code=c&state=/guide`;
  const home = await platform.fetch(back, { redirect: 'manual' });
  const { signingSecrets } = platform.environment({ site });
  const token = hmacHex(signingSecrets.siteInstallation ?? '', 'visitor');
  expect(home.status).toBe(302);
  expect(home.headers.get('location')).toMatch(new RegExp(`/guide\\?jwt_token=${token}$`));
});
