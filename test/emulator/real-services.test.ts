import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLiveEmulator, type LiveEmulator } from '../support/live-emulator.js';
import { integration } from './emulator-under-test.js';

const script = `
import { createIntegration, createOAuthHandler } from 'integration-platform';

const quiet = async () => {};
export default createIntegration({
  async fetch(request, context) {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/oauth')) {
      return createOAuthHandler({
        clientId: 'the client',
        clientSecret: context.environment.secrets.CLIENT_SECRET,
        authorizeURL: 'https://provider.invalid/authorize',
        accessTokenURL: 'https://provider.invalid/token',
        pkce: true,
      })(request, context);
    }
    if (request.method !== 'POST') return new Response('Method not allowed', { status: 405 });
    const digest = await crypto.subtle.digest('SHA-256', await request.arrayBuffer());
    const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return Response.json({ received: true, sha256 });
  },
  events: { installation_setup: quiet, space_installation_setup: quiet, site_installation_setup: quiet },
});
`;

let live: LiveEmulator;
let endpoint = '';
beforeAll(async () => {
  live = await startLiveEmulator(script, {
    integration: { ...integration, secrets: { CLIENT_SECRET: 'canary-client-secret' } },
    oauth: 'approve',
    oauthProvider: 'local',
  });
  endpoint = live.emulator.primary().publicEndpoint;
});
afterAll(() => live.close());

it('completes an OAuth flow without the network', async () => {
  const page = await fetch(`${endpoint}/oauth`);
  expect(await page.text()).toContain('You can close this window now.');
  expect(page.status).toBe(200);
  await live.emulator.settled();
  const { installation } = live.emulator.environment({ installation: 'installation_1' }) ?? {};
  expect(installation?.configuration.oauth_credentials).toMatchObject({
    access_token: expect.stringMatching(/^localaccess_/),
  });
});

it('delivers a body to the script byte for byte', async () => {
  const body = Buffer.alloc(5_000_000, Buffer.from([0, 255, 13, 10, 45, 45, 239, 187, 191, 128]));
  const response = await fetch(endpoint, { method: 'POST', body });
  expect(await response.json()).toEqual({
    received: true,
    sha256: createHash('sha256').update(body).digest('hex'),
  });
  live.store.callLog.flush();
  const { id = '' } = live.store.callLog.list().at(-1)?.call ?? {};
  expect(Buffer.from(live.store.callLog.body(id, 'request') ?? []).equals(body)).toBe(true);
});

it('preserves the status, text and headers of a response', async () => {
  const response = await fetch(endpoint);
  expect(response.status).toBe(405);
  expect(await response.text()).toBe('Method not allowed');
  const posted = await fetch(endpoint, { method: 'POST', body: '{}' });
  expect(posted.headers.get('content-type')).toBe('application/json');
});
