import { expect, test } from 'vitest';
import { createCall } from '../../src/contract/call.js';

test.each(['.', '..', '../webhooks', '%2e%2e', 'a/b?c#d', ''])('keeps the id %j in its route', async (id) => {
  const sent: string[] = [];
  const call = createCall(({ path }) => {
    sent.push(path);
    return Promise.resolve(undefined);
  });
  await call('GET /calls/{call}/request-body', { call: id });
  const { pathname } = new URL(`http://127.0.0.1/console/api${sent[0]}`);
  expect(pathname).toMatch(/^\/console\/api\/calls\/[^/]*\/request-body$/);
});
