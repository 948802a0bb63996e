import { symlinkSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { createTestPlatform } from '../../src/testing/index.js';
import { installedWorkerd } from './installed-workerd.js';
import { manifestText } from '../support/manifest-text.js';

const manifest = manifestText({
  name: 'connected',
  more: `script: src/index.ts
configurations:
  account:
    properties:
      oauth_credentials:
        type: button
        title: Account
        description: Connects the account.
        button_text: Connect
        callback_url: /oauth
secrets:
  CLIENT_ID: \${{ env.CLIENT_ID }}
  CLIENT_SECRET: \${{ env.CLIENT_SECRET }}
`,
});

const script = `import { createIntegration, createOAuthHandler, routePath } from 'integration-platform';
const provider = (environment) => ({
  clientId: environment.secrets.CLIENT_ID,
  clientSecret: environment.secrets.CLIENT_SECRET,
  authorizeURL: 'https://provider.test/authorize',
  accessTokenURL: 'https://provider.test/token',
  pkce: true,
});
export default createIntegration({
  fetch(request, context) {
    const { environment } = context;
    if (routePath(request, environment) === '/oauth') return createOAuthHandler(provider(environment))(request, context);
    return new Response('none', { status: 404 });
  },
  events: {
    async space_content_updated(event, context) {
      console.log('secret', context.environment.secrets.CLIENT_SECRET);
      await context.integration.queueTask({ task: { type: 'refresh', payload: event.revisionId }, schedule: 60 });
    },
  },
  async task(task) {
    console.log('task', JSON.stringify(task));
  },
});
`;

test('runs OAuth, secrets and tasks in workerd', async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': manifest,
    'src/index.ts': script,
    'platform.dev.yaml': 'limits:\n  outboundRequests: 1\n',
  });
  symlinkSync(`${installedWorkerd().folder}/node_modules`, fixture.getPath('node_modules'));
  const platform = await createTestPlatform({
    manifest: fixture.path,
    runtime: 'workerd',
    env: { CLIENT_ID: 'client', CLIENT_SECRET: 'canary-of-a-secret' },
  });
  await platform.install();
  expect(platform.environment().installation?.status).toBe('active');

  const page = await platform.oauth({ token: { access_token: 'token-1', expires_in: 3600 } });
  expect(page.status).toBe(200);
  expect(platform.environment().installation?.configuration).toMatchObject({
    oauth_credentials: { access_token: 'token-1' },
  });
  const denied = await platform.oauth({ outcome: 'deny' });
  expect(denied.status).toBe(400);

  expect((await platform.trigger({ type: 'space_content_updated', revisionId: 'r1' })).outcome).toBe('ok');
  await platform.clock.advance(60_000);
  const texts = (): string[] => platform.logs().map(({ text }) => text);
  await expect.poll(texts).toContain('task {"type":"refresh","payload":"r1"}');
  expect(texts()).toContain('secret •••');
  expect(JSON.stringify(platform.logs())).not.toContain('canary');

  const update = platform.calls().find(({ type }) => type === 'space_content_updated');
  expect(update).toMatchObject({
    near: ['outboundRequests'],
    headroom: { outboundRequests: { used: 1, limit: 1 }, scriptBytes: { used: expect.any(Number) } },
  });
  await platform.close();
});
