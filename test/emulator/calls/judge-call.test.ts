import { expect, test } from 'vitest';
import { judgeCall } from '../../../src/emulator/calls/judge-call.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { sampleEvent } from '../../../src/protocol/sample-events.js';
import { callEntry } from '../../support/call-entry.js';

const logged = (level: 'error' | 'warn', text: string) => ({ level, text, time: 1 });
const thrown = 'Error: No index.\n    at save (src/store.ts:7:11)';
const at = { file: 'src/store.ts', line: 7, column: 11 };
const request = {
  method: 'GET',
  url: 'https://api.example.com/a',
  durationMs: 1,
  requestBytes: 0,
  responseBytes: 0,
  time: 1,
};
const rejected = { status: 401 } as CallRecord['response'] & object;
const scope = 'GET /v1/spaces needs the scope space:metadata:read, which the manifest does not request.';

const cases: [what: string, call: Partial<CallRecord>, verdict: unknown][] = [
  ['a successful call', {}, undefined],
  ['a running call', { outcome: 'running', logs: [logged('error', thrown)] }, undefined],
  ['an event without a handler', { outcome: 'no-handler' }, undefined],
  [
    'an event whose scope is missing, without a handler',
    { outcome: 'no-handler', missingScope: 'site:visit', event: sampleEvent('site_view') },
    undefined,
  ],
  ['a warning in the log', { logs: [logged('warn', 'slow')] }, undefined],
  [
    'a handler that threw',
    { outcome: 'failed', logs: [logged('error', `[integrations] ${thrown}`)] },
    { severity: 'error', reason: 'Error: No index.', at },
  ],
  [
    'a rejected waitUntil promise after a successful response',
    { logs: [logged('error', `[integrations] waitUntil failed ${thrown}`)] },
    { severity: 'error', reason: 'waitUntil failed: Error: No index.', at },
  ],
  [
    'a rejection that was not logged',
    { background: [{ time: 1, durationMs: 2, error: 'no' }] },
    { severity: 'error', reason: 'waitUntil failed: no' },
  ],
  [
    'an event that was not sent',
    { outcome: 'withheld', error: 'It needs a scope.' },
    { severity: 'error', reason: 'It needs a scope.' },
  ],
  [
    'a limit that was exceeded',
    { near: [{ name: 'outboundRequests', used: 51, limit: 50 }] },
    { severity: 'error', reason: 'Over the limit: outbound requests 51 of 50' },
  ],
  ['a limit almost reached', { near: [{ name: 'outboundRequests', used: 49, limit: 50 }] }, undefined],
  [
    'an event whose scope is missing',
    { missingScope: 'site:visit', event: sampleEvent('site_view') },
    {
      severity: 'warning',
      reason: 'The site_view event needs the site:visit scope, which the manifest does not request.',
    },
  ],
  [
    'an API request whose scope is missing',
    { problems: [{ code: 'missing-scope', severity: 'warning', message: scope }] },
    { severity: 'warning', reason: scope },
  ],
  [
    'an API request that was blocked',
    { problems: [{ code: 'missing-scope', severity: 'error', message: scope }] },
    { severity: 'error', reason: scope },
  ],
  [
    'an outbound request without a response',
    { outbound: [{ ...request, status: 0, error: 'fetch failed: getaddrinfo' }] },
    { severity: 'warning', reason: 'GET https://api.example.com/a failed: fetch failed: getaddrinfo' },
  ],
  [
    'two outbound requests that failed',
    {
      outbound: [
        { ...request, status: 503 },
        { ...request, status: 500 },
      ],
    },
    { severity: 'warning', reason: 'GET https://api.example.com/a responded with 503 (and 1 more)' },
  ],
  [
    'an error that the handler caught and logged',
    { logs: [logged('error', thrown)] },
    { severity: 'warning', reason: 'Error: No index.', at },
  ],
  [
    'an error outside of any call',
    { source: 'script', outcome: 'failed', logs: [logged('error', thrown)] },
    { severity: 'error', reason: 'Error: No index.', at },
  ],
];

test.each(cases)('gives the expected verdict on %s', (_, call, verdict) => {
  expect(judgeCall(callEntry('call_1', call), { blocks: [], configurations: {} })).toEqual(verdict);
});

test("gives an error precedence over a warning in a call's verdict", () => {
  const call = { outbound: [{ ...request, status: 503 }], background: [{ time: 1, error: 'no' }] };
  expect(judgeCall(callEntry('call_1', call), { blocks: [], configurations: {} })).toMatchObject({
    severity: 'error',
  });
});

test.each<[what: string, ahead: number, call: Partial<CallRecord>, reason: string | undefined]>([
  ['a rejected request', 61_000, { response: rejected }, 'The script responded with 401'],
  [
    'a rejected outbound request',
    -61_000,
    { outbound: [{ ...request, status: 403 }] },
    `GET ${request.url} responded with 403`,
  ],
  ['a rejected request while the clock is real', 0, { response: rejected }, undefined],
])('points to the moved clock in the verdict on %s', (_, clockAhead, call, reason) => {
  const verdict = judgeCall(callEntry('call_1', call), { blocks: [], configurations: {}, clockAhead });
  expect(verdict?.reason).toBe(reason);
  expect(verdict?.likelyCause).toEqual(reason && expect.stringContaining('platform clock real'));
});
