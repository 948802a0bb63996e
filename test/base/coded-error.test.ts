import { expect, test, vi } from 'vitest';

/** The modules of another bundle: the same code with its own classes. */
async function loadCopy() {
  vi.resetModules();
  return {
    ...(await import('../../src/base/user-error.js')),
    ...(await import('../../src/emulator/http/http-error.js')),
    ...(await import('../../src/webhooks/model/webhook-error.js')),
    ...(await import('../../src/base/store-error.js')),
    ...(await import('../../src/emulator/http/failure-response.js')),
    ...(await import('../../src/cli/classify-failure.js')),
  };
}

test('recognizes an error from another copy of its class', async () => {
  const one = await loadCopy();
  const other = await loadCopy();
  const user = new other.UserError('bad-path', 'Wrong path.', 'Use another.');
  const store = new other.StoreError('store/full', 'The disk is full.', { hint: 'Free some space.' });
  const http = new other.HttpError(404, 'not-found', 'Unknown space: x', { hint: 'Another.', given: 'x' });
  const webhook = new other.WebhookError('right-lost', 'Lost.');
  expect(user).not.toBeInstanceOf(one.UserError);
  const recognized = [
    one.isUserError,
    one.isStoreError,
    one.isHttpError,
    one.isWebhookError,
    one.isRightLost,
  ];
  expect([user, store, http, webhook].map((error) => recognized.map((is) => is(error)))).toEqual([
    [true, false, false, false, false],
    [true, true, false, false, false],
    [false, false, true, false, false],
    [false, false, false, true, true],
  ]);
  expect(http).toMatchObject({ code: 'not-found', hint: 'Another.', details: { given: 'x' } });
  expect(one.classifyFailure(store, [], [])).toMatchObject({ kind: 'usage', code: 'store/full' });
  const failed = one.failureResponse(store, 'http://localhost/x', () => {});
  expect([failed.status, await failed.json()]).toEqual([
    507,
    { error: 'The disk is full.', code: 'store/full', hint: 'Free some space.' },
  ]);
});

test('does not recognize an unrelated error that has the same name', async () => {
  const { classifyFailure, isUserError } = await loadCopy();
  const foreign = Object.assign(new Error('Foreign.'), { name: 'UserError', code: 'bad-path' });
  expect(isUserError(foreign)).toBe(false);
  expect(classifyFailure(foreign, [], [])).toMatchObject({ kind: 'bug' });
});
