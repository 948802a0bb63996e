import { expect, test } from 'vitest';
import { openOAuthState, peekOAuthState, sealOAuthState } from '../../src/protocol/oauth-state.js';

const state = { installation: 'ins_é', site: 'site_1', nonce: 'n', issued: 5 };

test('a state is read by anyone, and opened by whoever has the secret', async () => {
  const sealed = await sealOAuthState(state, 'secret');
  expect(sealed).toMatch(/^[\w-]+\.[\w-]{43}$/);
  expect(peekOAuthState(sealed)).toEqual(state);
  expect(await openOAuthState(sealed, 'secret')).toEqual(state);
  expect(await openOAuthState(sealed, 'other')).toBeUndefined();
});

test.each(['', '.', 'x', '%%%', 'e30.x', btoa('null'), btoa('{"installation":5}'), 'a.b.c'])(
  'nothing is read in %j',
  async (sealed) => {
    expect(peekOAuthState(sealed)).toBeUndefined();
    expect(await openOAuthState(sealed, 'secret')).toBeUndefined();
  },
);
