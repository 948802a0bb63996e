import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyHmac } from '../../../src/runtime/index.js';
import { signHmac } from '../../../src/testing/index.js';

const secret = 'builds-secret';
const body = '{"status":"passed","note":"größer"}';
const sign = (encoding: 'hex' | 'base64', key = secret): string =>
  createHmac('sha256', key).update(body).digest(encoding);

const request = (signature: string | undefined, sent = body): Request =>
  new Request('https://example.com/hook', {
    method: 'POST',
    body: sent,
    headers: signature === undefined ? {} : { 'X-Signature': signature },
  });

test.each([
  ['hexadecimal digits', sign('hex'), {}],
  ['a prefix', `sha256=${sign('hex')}`, { prefix: 'sha256=' }],
  ['Base64', sign('base64'), { encoding: 'base64' as const }],
])('returns the body of a request signed with %s', async (_, signature, options) => {
  const signed = { header: 'x-signature', secret, ...options };
  expect(await verifyHmac(request(signature), signed)).toBe(body);
  expect(await signHmac(body, signed)).toEqual({ 'x-signature': signature });
});

test.each([
  ['no signature', request(undefined)],
  ['an empty signature', request('')],
  ['the signature of another secret', request(sign('hex', 'other'))],
  ['a changed body', request(sign('hex'), body.replace('passed', 'failed'))],
  ['a prefix that it should not have', request(`sha256=${sign('hex')}`)],
  ['part of a signature', request(sign('hex').slice(0, -1))],
])('returns nothing for a request with %s', async (_, signed) => {
  expect(await verifyHmac(signed, { header: 'x-signature', secret })).toBeUndefined();
});

test('throws if the secret is empty, because anyone could sign with it', async () => {
  const signed = request(createHmac('sha256', '').update(body).digest('hex'));
  await expect(verifyHmac(signed, { header: 'x-signature', secret: '' })).rejects.toThrow(
    'The secret for the x-signature header is empty.',
  );
});
