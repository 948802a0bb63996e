import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CallRecord, SignatureReport } from '../../../src/contract/routes/calls.js';
import { startSample, integration, type Sample } from '../emulator-under-test.js';

const key = 'hook-secret-1';
const hmac = (text: string, secret = key, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);
const now = Date.UTC(2026, 0, 1) / 1000;
const body = '{ "amount": 1 }';

/** A script that accepts what GitHub-like senders sign, and rejects everything else. */
async function createRejecting(): Promise<Sample> {
  const sample = await startSample(
    {
      fetch: async (request) => {
        const form = await request.formData();
        const event = JSON.parse(form.get('event') as string) as {
          request?: { headers: Record<string, string> };
        };
        const sent = event.request?.headers['x-hub-signature-256'];
        const content = form.get('fetch-body');
        const text = content === null ? '' : typeof content === 'string' ? content : await content.text();
        return new Response(null, { status: !event.request || sent === `sha256=${hmac(text)}` ? 200 : 401 });
      },
    },
    { integration: { ...integration, secrets: { OTHER: 'x'.repeat(12), HOOK_SECRET: key } } },
  );
  return sample;
}

async function send(sample: Sample, headers: Record<string, string>, text = body): Promise<string> {
  await (await sample.get('/v1/integrations/sample/hook', { method: 'POST', headers, body: text })).text();
  await sample.emulator.settled();
  return sample.store.callLog.list({ type: 'fetch', limit: 1 })[0]?.call.id ?? '';
}

const madeUp = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`x-a-sig-${nth}`, hmac(`${nth}`, 'made')]));

it.each<[string, Record<string, string>, RegExp]>([
  ['a raw body', { 'x-acme-signature': hmac(body) }, /HMAC of \{body\} with HOOK_SECRET\..*raw body\.$/],
  [
    'a serialized body',
    { 'x-acme-signature': hmac('{"amount":1}', key, 'base64') },
    /HOOK_SECRET.*parsing and serializing it again/,
  ],
  [
    'an old signature',
    { 'x-platform-signature': `t=${now - 900},v1=${hmac(`${now - 900}.${body}`)}` },
    /\{t\}\.\{body\} with HOOK_SECRET.*900 s old/,
  ],
  [
    'a Slack signature',
    { 'x-slack-request-timestamp': `${now}`, 'x-slack-signature': `v0=${hmac(`v0:${now}:${body}`)}` },
    /v0:\{t\}:\{body\}.*HOOK_SECRET.*0 s old/,
  ],
  [
    'another secret',
    { 'x-acme-signature': hmac(body, 'unknown') },
    /doesn't match any known secret \(OTHER, HOOK_SECRET/,
  ],
  ['the fourth of several', { ...madeUp(3), 'x-acme-signature': hmac(body) }, /x-acme-signature matches/],
  ['too many signatures', { ...madeUp(100), 'x-acme-signature': hmac(body) }, /x-a-sig-0 doesn.t match/],
])('explains why a script rejects %s', async (_, headers, expected) => {
  const sample = await createRejecting();
  const id = await send(sample, headers);
  const call = (await sample.control<CallRecord>('GET', `/calls/${id}`)).body;
  expect(call).toMatchObject({ severity: 'warning', response: { status: 401 } });
  expect(call.reason).toMatch(expected);
  const report = (await sample.control<SignatureReport>('GET', `/calls/${id}/signature`)).body;
  expect(call.reason).toBe(`Responded with 401. ${report.explanation}`);
  expect(JSON.stringify([call, report])).not.toContain(key);
});

it("names the webhook endpoint whose secret isn't known to the project", async () => {
  const sample = await createRejecting();
  const { body: endpoint } = await sample.control<{ id: string; secret: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: 'http://receiver.example.com/',
    events: ['site_view'],
  });
  const id = await send(sample, {
    'x-platform-signature': `t=${now},v1=${hmac(`${now}.${body}`, endpoint.secret)}`,
  });
  const { body: call } = await sample.control<CallRecord>('GET', `/calls/${id}`);
  expect(call.reason).toContain(
    `the secret of webhook endpoint ${endpoint.id}. None of the project's secrets`,
  );
});

it('reports nothing for an unsigned request that is rejected', async () => {
  const sample = await createRejecting();
  const id = await send(sample, {});
  expect((await sample.control('GET', `/calls/${id}`)).body).toMatchObject({ severity: 'none' });
  expect((await sample.control('GET', `/calls/${id}/signature`)).body).toMatchObject({ valid: false });
});

const edited = { encoding: 'utf-8', content: '{ "amount": 7 }' };

it.each<[string, Record<string, string>, number, RegExp | undefined]>([
  ['signs anew', { 'x-hub-signature-256': `sha256=${hmac(body)}` }, 200, /^Signed again with HOOK_SECRET/],
  [
    'reports a signature that cannot be renewed',
    { 'x-hub-signature-256': `sha256=${hmac(body, 'unknown')}` },
    401,
    /no longer matches/,
  ],
  ['reports nothing without a signature', {}, 401, undefined],
])('sends an edited copy of a request, and %s', async (_, headers, status, signature) => {
  const sample = await createRejecting();
  const from = await send(sample, headers);
  const request = { method: 'POST', path: '/hook', headers: Object.entries(headers), body: edited, from };
  const { body: sent } = await sample.control<{ status: number; signature?: string }>(
    'POST',
    '/requests',
    request,
  );
  expect(sent.status).toBe(status);
  if (signature) expect(sent.signature).toMatch(signature);
  else expect(sent).not.toHaveProperty('signature');
});

it('renews the timestamp of a signature, and keeps a signature that was edited', async () => {
  const sample = await createRejecting();
  const stamp = now - 900;
  const headers = { 'x-platform-signature': `t=${stamp},v1=${hmac(`${stamp}.${body}`)}` };
  const from = await send(sample, headers);
  const signatureOf = async (pairs: [string, string][]): Promise<string | undefined> => {
    const request = { method: 'POST', path: '/hook', headers: pairs, body: edited, from };
    const { body: sent } = await sample.control<{ call: string }>('POST', '/requests', request);
    const { body: call } = await sample.control<CallRecord>('GET', `/calls/${sent.call}`);
    return new Map(call.request?.headers).get('x-platform-signature');
  };
  expect(await signatureOf(Object.entries(headers))).toBe(`t=${now},v1=${hmac(`${now}.${edited.content}`)}`);
  expect(await signatureOf([['x-platform-signature', 't=1,v1=0']])).toBe('t=1,v1=0');
});
