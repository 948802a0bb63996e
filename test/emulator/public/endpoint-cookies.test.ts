import { expect, it } from 'vitest';
import { createEndpointCookies } from '../../../src/emulator/public/endpoint-cookies.js';
import { createMemoryState } from '../../../src/store/state/memory-state.js';

it('keeps the cookies in use when it removes the oldest after a restart', () => {
  const state = createMemoryState();
  const sets = (cookie: string) => new Response(null, { headers: { 'set-cookie': `${cookie}; Path=/` } });
  const sent = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

  const before = createEndpointCookies(state, 2);
  before.remember(sets('used=1'));
  before.remember(sets('unused=1'));
  before.keepOwn(sent('used=1'));

  const after = createEndpointCookies(state, 2);
  after.remember(sets('new=1'));
  const headers = sent('unused=1; used=1; new=1');
  after.keepOwn(headers);
  expect(headers.cookie).toBe('used=1; new=1');
});
