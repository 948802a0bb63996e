import type { Integration } from '../../../src/protocol/integration.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { createOAuthHandler } from '../../../src/runtime/oauth/create-oauth-handler.js';
import type { OAuthConfig } from '../../../src/runtime/index.js';
import { createSample, integration, origin, type Sample } from '../emulator-under-test.js';

export const connected: Integration = {
  ...integration,
  secrets: { CLIENT_ID: 'the-client-id', CLIENT_SECRET: 'canary-client-secret' },
  configurations: {
    account: {
      properties: { oauth_credentials: { type: 'button', button_text: 'Connect', callback_url: '/oauth' } },
      required: ['oauth_credentials'],
    },
  },
};

/** What an author writes: it names the provider's own addresses and knows nothing of the local one. */
export const script = (changes: Partial<OAuthConfig> = {}) =>
  createIntegration({
    fetch: (request, context) =>
      createOAuthHandler({
        clientId: context.environment.secrets.CLIENT_ID ?? '',
        clientSecret: context.environment.secrets.CLIENT_SECRET ?? '',
        authorizeURL: 'https://provider.example.com/authorize?audience=docs',
        accessTokenURL: 'https://provider.example.com/token',
        scopes: ['read', 'write'],
        ...changes,
      })(request, context),
    events: {
      installation_setup: async () => {},
      space_installation_setup: async () => {},
      site_installation_setup: async () => {},
    },
  });

export const callback = `${origin}/v1/integrations/sample/installations/installation_1/oauth`;

export async function createConnected(
  options: Parameters<typeof createSample>[1] = {},
  changes: Partial<OAuthConfig> = {},
): Promise<Sample> {
  const sample = createSample(script(changes), {
    integration: connected,
    oauthProvider: 'local',
    oauth: 'approve',
    ...options,
  });
  await sample.emulator.start();
  return sample;
}

/** As a browser: follows redirects until there is a page. */
export async function browse(
  { get }: Sample,
  start: string,
  init?: RequestInit,
): Promise<{ response: Response; trip: string[] }> {
  let response = await get(start, init);
  const trip = [start];
  for (let next = response.headers.get('location'); next; next = response.headers.get('location')) {
    trip.push(next);
    response = await get(next);
  }
  return { response, trip };
}

const request = { client_id: 'client', redirect_uri: callback, response_type: 'code', state: 'xyz' };

export async function authorize(
  { get }: Sample,
  changes: Record<string, string | undefined> = {},
): Promise<Response> {
  const all = Object.entries({ ...request, ...changes }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return get(`/oauth/authorize?${new URLSearchParams(all)}`);
}

export async function codeFor(sample: Sample, changes: Record<string, string> = {}): Promise<string> {
  const response = await authorize(sample, changes);
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}
