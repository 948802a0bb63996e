import { expect, it } from 'vitest';
import { judgeComparison } from '../../../src/console/calls/detail/comparison-verdict.js';
import type { CallRecord } from '../../../src/contract/routes/calls.js';

const call = (status: number | undefined, version = 1): CallRecord =>
  ({
    version,
    severity: status === undefined || status >= 500 ? 'error' : 'none',
    ...(status !== undefined && { response: { status, headers: [] } }),
  }) as unknown as CallRecord;

it.each([
  [call(200), call(200), true, 'ok', 'Same response'],
  [call(200), call(200), false, 'warn', 'The response changed'],
  [call(200), call(500), false, 'bad', 'Fails now'],
  [call(500), call(200), false, 'ok', 'No longer fails'],
  [call(500), call(500), true, 'bad', 'Still fails, with the same response'],
  [call(500), call(undefined), false, 'bad', 'Still fails, with a different response'],
])('judges a change from %j to %j, the same: %s, as %s, %s', (before, after, same, tone, title) =>
  expect(judgeComparison(before, after, same)).toMatchObject({ tone, title }),
);

it('states how the status and the code changed', () => {
  const text = (...calls: [CallRecord, CallRecord]) => judgeComparison(...calls, false).text;
  expect(text(call(200), call(404, 2))).toBe(
    'The status is 404 instead of 200. The code changed from version 1 to version 2.',
  );
  expect(text(call(200), call(undefined))).toMatch(/^There is no response\. The code hasn't changed/);
});
