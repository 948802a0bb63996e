import { expect, test } from 'vitest';
import { deliveryReason } from '../../../src/base/text/delivery-reason.js';

const refused = { kind: 'error', error: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:1' };

test.each([
  ['retrying', refused, 'refused: nothing is listening on 127.0.0.1:1; next try in 2 s'],
  ['exhausted', refused, 'refused: nothing is listening on 127.0.0.1:1'],
  ['retrying', { kind: 'answer', status: 503 }, 'the receiver responded with 503; next try in 2 s'],
  ['failed', { kind: 'answer', status: 400 }, 'the receiver responded with 400'],
  [
    'failed',
    { kind: 'answer', status: 401, message: 'signature does not match' },
    '401: signature does not match',
  ],
  ['retrying', { kind: 'interrupted' }, 'the platform stopped during the request; next try in 2 s'],
  [
    'failed',
    { kind: 'error', error: 'dns', message: 'getaddrinfo ENOTFOUND x' },
    'dns: getaddrinfo ENOTFOUND x',
  ],
  ['delivered', { kind: 'answer', status: 200 }, undefined],
])('explains why a delivery is %s after the attempts %o: %s', (state, result, reason) => {
  expect(deliveryReason({ delivery: { state, dueAt: 12_000 }, attempt: { result } }, 10_000)).toBe(reason);
});

test.each([
  ['pending', undefined],
  ['held', 'its endpoint is disabled, or its installation is paused'],
  ['failed', 'its endpoint was removed, or disabled for too long'],
])('explains why a delivery without attempts is %s: %s', (state, reason) => {
  expect(deliveryReason({ delivery: { state }, attempt: undefined }, 0)).toBe(reason);
});

test('shows an overdue attempt as due immediately', () => {
  const delivery = { state: 'retrying', dueAt: 1_000 };
  expect(deliveryReason({ delivery, attempt: { result: refused } }, 5_000)).toMatch(/next try in 0 s$/);
});
