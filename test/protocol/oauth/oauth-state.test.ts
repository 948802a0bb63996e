import { expect, test } from 'vitest';
import { openOAuthState, peekOAuthState, sealOAuthState } from '../../../src/protocol/oauth/oauth-state.js';

const state = { path: 'integrations/de.mo/installations/ins_é/sites/site~1', issued: 5.5 };

test('lets anyone read an OAuth state, but requires the secret to open it', async () => {
  const sealed = await sealOAuthState(state, 'secret');
  expect(sealed).toMatch(
    /^[\w-]{43}~5\.5~[\da-f-]{36}~integrations\/de\.mo\/installations\/ins_é\/sites\/site~1$/,
  );
  expect(peekOAuthState(sealed)).toEqual(state);
  expect(await openOAuthState(sealed, 'secret')).toEqual(state);
  expect(await openOAuthState(sealed, 'other')).toBeUndefined();
});

test('creates a different OAuth state every time', async () => {
  expect(await sealOAuthState(state, 'secret')).not.toBe(await sealOAuthState(state, 'secret'));
});

test('rejects an OAuth state in which any character was changed', async () => {
  const sealed = await sealOAuthState(state, 'secret');
  const opened = Array.from(sealed, (character, at) => {
    const other = character === 'A' ? 'B' : 'A';
    return openOAuthState(sealed.slice(0, at) + other + sealed.slice(at + 1), 'secret');
  });
  expect(new Set(await Promise.all(opened))).toEqual(new Set([undefined]));
});

test.each(['', '~', 'x', '%%%', 'e30~x', 'a~b~c', 'a~5~n~integrations/demo/installations/ins_1'])(
  'rejects %j as a sealed OAuth state',
  async (sealed) => {
    expect(await openOAuthState(sealed, 'secret')).toBeUndefined();
  },
);
