import { createIntegration, type RuntimeContext } from 'integration-platform';
import { withTestPlatform } from 'integration-platform/testing';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';

const fields = {
  name: 'chat',
  title: 'Chat',
  description: 'Brings messages into the pages of a team.',
  organization: 'acme',
  visibility: 'private',
  scopes: [],
};

test('serves files in public/ at urls.assets, including to the script', async () => {
  await using fixture = await createFixture({ 'public/logo.svg': '<svg/>', 'secret.txt': 'no' });
  const integration = createIntegration({
    async fetch(request, { environment }) {
      const response = await fetch(`${environment.integration.urls.assets}/${await request.text()}`);
      return new Response(await response.text(), response);
    },
  });
  const options = { integration, manifest: fields, folder: fixture.path };
  await withTestPlatform(options, async (platform) => {
    await platform.install();
    const ask = (body: string) => platform.fetch('/', { method: 'POST', body });
    const logo = await ask('logo.svg');
    expect([logo.status, logo.headers.get('content-type'), await logo.text()]).toEqual([
      200,
      'image/svg+xml',
      '<svg/>',
    ]);
    expect((await ask('%2e%2e/secret.txt')).status).toBe(404);
  });
});

test('accepts "organization" as a target that means "all", and passes the target to the script', async () => {
  const integration = createIntegration({
    fetch: async (_, { environment }) =>
      Response.json([environment.installation?.target, environment.spaceInstallation?.space]),
  });
  const manifest = { ...fields, target: 'organization' };
  await withTestPlatform({ integration, manifest }, async (platform) => {
    await platform.install();
    expect(platform.integration.target).toBe('all');
    expect(await (await platform.fetch('/', { space: 'space_local' })).json()).toEqual([
      'all',
      'space_local',
    ]);
  });
});

test("logs the positions in the author's files if the script is built", async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': JSON.stringify({ ...fields, script: './index.tsx' }),
    'index.tsx': `import { createIntegration } from 'integration-platform';

type Unused = string;

export default createIntegration({
  fetch() {
    throw new Error('broken');
  },
});
`,
  });
  const manifest = fixture.getPath('platform-manifest.yaml');
  await withTestPlatform({ manifest }, async (platform) => {
    await platform.install();
    expect((await platform.fetch('/')).status).toBe(500);
    expect(JSON.stringify(platform.logs())).toMatch(/broken\\n +at [^\\]*index\.tsx:7:11/);
  });
});

/** The header of a chat: an HMAC of time and body. */
async function sign(body: string, secret: string): Promise<string> {
  const bytes = new TextEncoder();
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), hash, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', key, bytes.encode(body))).toString('hex');
}

test('queues a signed task request with its header and body unchanged', async () => {
  const seen: string[] = [];
  const header = 'x-chat-signature';
  const secretOf = ({ environment }: RuntimeContext): string => environment.secrets['SIGNING_SECRET'] ?? '';
  const integration = createIntegration({
    async fetch(request, context) {
      const body = await request.text();
      if (request.headers.get(header) !== (await sign(body, secretOf(context))))
        return new Response('Invalid signature', { status: 401 });
      if (!request.url.endsWith('_task')) {
        const headers = { [header]: request.headers.get(header) ?? '', 'content-type': 'application/x-chat' };
        context.waitUntil(fetch(`${request.url}_task`, { method: 'POST', body, headers }));
        return Response.json({ acknowledged: true });
      }
      seen.push(`${request.headers.get('content-type')} ${body}`);
      return new Response('OK');
    },
  });
  const options = {
    integration,
    manifest: { ...fields, secrets: { SIGNING_SECRET: '${{ env.SIGNING_SECRET }}' } },
    secrets: { SIGNING_SECRET: 'canary' },
  };
  await withTestPlatform(options, async (platform) => {
    await platform.install();
    const body = 'text=How+do+I+start%3F&team=T1\u0000\u00ff';
    const send = (signature: string) =>
      platform.fetch('/commands', { method: 'POST', body, headers: { [header]: signature } });
    expect((await send('0'.repeat(64))).status).toBe(401);
    expect(await (await send(await sign(body, 'canary'))).json()).toEqual({ acknowledged: true });
    await platform.settled();
    expect(seen).toEqual([`application/x-chat ${body}`]);
  });
});

test('shows how close each call comes to the limits in platform.dev.yaml', async () => {
  await using fixture = await createFixture({ 'platform.dev.yaml': 'limits:\n  outboundRequests: 5\n' });
  const integration = createIntegration({
    async fetch(request) {
      const times = Number(new URL(request.url).searchParams.get('times'));
      for (let n = 0; n < times; n++) await fetch('https://api.test/items');
      return new Response('done');
    },
  });
  const options = { integration, manifest: fields, folder: fixture.path };
  await withTestPlatform(options, async (platform) => {
    platform.stub('https://api.test', Response.json([]));
    await platform.install();
    for (const times of [4, 5]) await (await platform.fetch(`/?times=${times}`)).text();
    const calls = platform.calls().filter(({ type }) => type === 'fetch');
    expect(calls.map(({ near }) => near)).toEqual([[], ['outboundRequests']]);
    expect(calls[1]?.headroom).toEqual({
      timeMs: { used: 0, limit: 30_000 },
      requestBytes: { used: 0, limit: 104_857_600 },
      responseBytes: { used: 4 },
      outboundRequests: { used: 5, limit: 5, near: true },
    });
  });
});
