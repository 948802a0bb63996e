import { expect, test } from 'vitest';
import { createSecretKeys } from '../../../src/deliveries/secret-keys.js';
import type { Endpoint } from '../../../src/webhooks/index.js';

const keys = createSecretKeys([Buffer.alloc(32, 7).toString('base64')]);
const endpoint = { id: 'whe_1', secret: 'whsec_1' } as Endpoint;

test('decrypts a secret that it has encrypted', () => {
  const sealed = keys.seal(endpoint);
  expect(sealed.secret).not.toContain('whsec_1');
  expect(keys.open(sealed)).toEqual(endpoint);
});

test.each([0, 4, 8, 12, 15])('does not decrypt a secret whose tag is truncated to %i bytes', (length) => {
  const parts = keys.seal(endpoint).secret.split(':');
  parts[3] = Buffer.from(parts[3] ?? '', 'base64')
    .subarray(0, length)
    .toString('base64');
  expect(() => keys.open({ ...endpoint, secret: parts.join(':') })).toThrow(
    'is encrypted with a different key',
  );
});
