import { expect, it } from 'vitest';
import type { Integration } from '../../../src/protocol/integration.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import type { ScriptModule } from '../../../src/sandbox/index.js';
import { startSample, integration } from '../emulator-under-test.js';

const secrets = { PLAIN: 'canary-plain-secret-1', SPECIAL: 'canär/y+ &"secret\\2' };

const secretive: Integration = { ...integration, secrets };

/** Every way in which an author leaks without meaning to. */
const script = createIntegration({
  async fetch(_, { environment }) {
    const { PLAIN = '', SPECIAL = '' } = environment.secrets;
    console.log(`using ${PLAIN} and ${JSON.stringify({ SPECIAL })}`);
    console.error(Buffer.from(`client:${PLAIN}`).toString('base64'), Buffer.from(SPECIAL).toString('hex'));
    await fetch(`https://api.example.com/?key=${encodeURIComponent(SPECIAL)}`).catch(() => {});
    return new Response(`your key is ${PLAIN}, ${SPECIAL}, ${environment.apiTokens.integration}`, {
      status: 500,
      headers: { 'x-key': PLAIN, location: `/?${new URLSearchParams({ key: SPECIAL }).toString()}` },
    });
  },
});

const reading: ScriptModule = {
  fetch: async (request) => new Response(`${(await request.arrayBuffer()).byteLength}`),
};

const spellings = Object.values(secrets).flatMap((secret) => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    bytes.toString('base64').replace(/.=*$/, ''),
    bytes.toString('base64url').slice(0, -1),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1),
  ];
});

it('never shows a secret, no matter what the script does with it', async () => {
  const { get, control, store, happened, calls } = await startSample(script, { integration: secretive });
  const answer = await get(`/v1/integrations/sample/x?token=${secrets.PLAIN}`, {
    method: 'POST',
    body: `again: ${secrets.PLAIN}`,
    headers: { authorization: `Bearer ${secrets.PLAIN}` },
  });
  expect(await answer.text()).toContain(secrets.PLAIN);
  const id = calls.at(-1)?.id ?? '';
  const token = calls[0]?.environment.apiTokens.integration ?? '';
  const shown = [
    JSON.stringify(store.callLog.list()),
    Buffer.from(store.callLog.body(id, 'request') ?? []).toString(),
    Buffer.from(store.callLog.body(id, 'response') ?? []).toString(),
    JSON.stringify(happened),
    JSON.stringify((await control('GET', '/overview')).body),
    JSON.stringify((await control('GET', `/calls/${id}`)).body),
    JSON.stringify((await control('GET', '/calls')).body),
  ];
  expect(shown[1]).toContain('again: •••');
  for (const text of shown) {
    for (const spelling of [...spellings, token]) expect(text).not.toContain(spelling);
  }
});

it('masks a secret in an event even if the secret is a number or is JSON-escaped', async () => {
  const { emulator, get, store, calls, happened } = await startSample(reading, {
    integration: { ...secretive, secrets: { ...secrets, PIN: '20261121' } },
  });
  await get('/v1/integrations/sample/x', { headers: { 'x-json': JSON.stringify(secrets.SPECIAL) } });
  expect(store.callLog.get(calls.at(-1)?.id ?? '')).toMatchObject({
    event: { request: { headers: { 'x-json': '"•••"' } } },
    request: { headers: [['x-json', '"•••"']] },
  });
  await emulator.render({ component: 'any', props: { pin: 20_261_121, other: 7 } });
  expect(happened.at(-1)).toMatchObject({ call: { event: { props: { pin: '•••', other: 7 } } } });
});

it("does not change the platform's own responses if a secret matches a common word", async () => {
  const words = { FLAG: 'true', WORD: 'secret', DIGITS: '1767' };
  const { get, control, clock } = await startSample(reading, {
    integration: { ...integration, secrets: words },
  });
  await get('/v1/integrations/sample/x?flag=true&word=secret');
  expect((await control('GET', '/overview')).body).toMatchObject({
    integration: { secrets: Object.keys(words) },
    installations: [{ createdAt: clock.now() }],
  });
  const [line] = (await control<{ url: string; id: string }[]>('GET', '/calls?type=fetch')).body;
  expect(line).toMatchObject({ time: clock.now(), url: expect.stringMatching(/flag=•••&word=•••$/) });
  const { body } = await control('GET', `/calls/${line?.id}`);
  expect(body).toMatchObject({ environment: { secrets: { FLAG: '•••', WORD: '•••', DIGITS: '•••' } } });
});

it('masks even short OAuth secrets, but no other short words', async () => {
  const button = { type: 'button', button_text: 'Connect', callback_url: '/oauth' } as const;
  const { observer, control } = await startSample(reading, {
    integration: {
      ...integration,
      configurations: { account: { properties: { oauth_credentials: button }, required: [] } },
    },
  });
  const oauth_credentials = {
    access_token: 'abc123',
    refreshToken: 'r-12',
    token_type: 'bearer',
    scope: 'read',
    scopes: ['/commands', 'https://api.example.com/auth/calendar2', 'chat:write.public'],
    account: { name: 'weather', host: 'acme.example.com', mail: 'ada1990@example.com', api_key: 'k-99' },
    keys: ['first-one', { second: 'second-one' }],
    access: '4f1c9e27ab3d5068',
  };
  expect(await control('PATCH', '/configuration', { set: { oauth_credentials } })).toMatchObject({
    status: 200,
  });
  const { mask } = observer;
  expect(mask('bearer abc123, r-12, k-99: weather, read')).toBe('bearer •••, •••, •••: weather, read');
  expect(mask('first-one second-one 4f1c9e27ab3d5068')).toBe('••• ••• •••');
  const ordinary = [...oauth_credentials.scopes, ...Object.values(oauth_credentials.account).slice(0, 3)];
  expect(mask(ordinary.join(' '))).toBe(ordinary.join(' '));
});

it('keeps masking the old value of a changed secret, because calls may still use it', async () => {
  const { emulator, get, store, calls } = await startSample(reading, { integration: secretive });
  await get('/v1/integrations/sample/x');
  emulator.reload({ ...secretive, secrets: { PLAIN: 'another-secret-2' } });
  await get(`/v1/integrations/sample/x?old=${secrets.PLAIN}&new=another-secret-2`);
  expect(store.callLog.get(calls.at(-1)?.id ?? '')?.request?.url).toMatch(/\?old=•••&new=•••$/);
});

it('masks a secret across the chunks of a body', async () => {
  const { get, store, calls } = await startSample(reading, { integration: secretive });
  const text = `${'.'.repeat(100_000)}${secrets.PLAIN}${'-'.repeat(50)}${secrets.PLAIN}`;
  const bytes = Buffer.from(text);
  for (const size of [1, 7, 99_999, 100_005]) {
    let at = size === 1 ? 99_990 : 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + size));
        at += size;
        if (at >= bytes.length) controller.close();
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    await (await get('/v1/integrations/sample', init)).text();
    const recorded = Buffer.from(store.callLog.body(calls.at(-1)?.id ?? '', 'request') ?? []).toString();
    expect(recorded.replaceAll('.', '')).toBe(`•••${'-'.repeat(50)}•••`);
  }
});
