import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyToken } from '../../src/site/server/verify-token.js';

const secret = 'whsec_of_the_site';
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with Node's own HMAC, while the code uses Web Crypto. */
function tokenOf(claims: unknown, head: object = { alg: 'HS256', typ: 'JWT' }, key = secret): string {
  const signed = `${part(head)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

const now = 1_000_000;

it("accepts a token and its claims if the token was signed with the installation's secret", async () => {
  const claims = { sub: 'ada', plan: 'pro', exp: 1001, nbf: 1000 };
  expect(await verifyToken(tokenOf(claims), ['another', secret], now)).toEqual({ claims });
});

it('accepts a token that another library has signed', async () => {
  // Of https://jwt.io, with the secret "your-256-bit-secret".
  const token =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
  expect(await verifyToken(token, ['your-256-bit-secret'], now)).toEqual({
    claims: { sub: '1234567890', name: 'John Doe', iat: 1516239022 },
  });
});

it.each([
  ['signed with another secret', tokenOf({ sub: 'eve' }, undefined, 'other')],
  ['without a signature', `${part({ alg: 'HS256' })}.${part({ sub: 'eve' })}.`],
  ['with the algorithm none', `${part({ alg: 'none' })}.${part({ sub: 'eve' })}.`],
  ['with another algorithm', tokenOf({ sub: 'eve' }, { alg: 'HS512' })],
  ['with changed claims', tokenOf({ sub: 'ada' }).replace(/\.[^.]+\./, `.${part({ sub: 'eve' })}.`)],
  ['with two signatures', `${tokenOf({ sub: 'eve' })}.x`],
  ['of more than 8 KB', tokenOf({ sub: 'x'.repeat(9000) })],
  ['with a list of claims', tokenOf(['eve'])],
  ['that has expired', tokenOf({ sub: 'eve', exp: 1000 })],
  ['that is not valid yet', tokenOf({ sub: 'eve', nbf: 1001 })],
  ['that is not a token', 'hello'],
  ['that is empty', ''],
])('rejects a token %s', async (_, token) => {
  expect(await verifyToken(token, [secret], now)).toHaveProperty('reason');
});
