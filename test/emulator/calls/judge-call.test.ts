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

const scoped = { missingScope: 'site:visit', event: sampleEvent('site_view') } as const;
const needed = 'The site_view event needs the site:visit scope, which the manifest does not request.';
const error = (reason: string, more = {}) => ({ severity: 'error', reason, ...more });
const warning = (reason: string, more = {}) => ({ severity: 'warning', reason, ...more });
const near = (used: number): Partial<CallRecord> => ({
  near: [{ name: 'outboundRequests', used, limit: 50 }],
});
const sent = (...given: object[]): Partial<CallRecord> => ({
  outbound: given.map((one) => ({ ...request, status: 503, ...one })),
});
const blocked = (severity: 'error' | 'warning'): Partial<CallRecord> => ({
  problems: [{ code: 'missing-scope', severity, message: scope }],
});
const logging = (text: string, more: Partial<CallRecord> = {}): Partial<CallRecord> => ({
  logs: [logged('error', text)],
  ...more,
});

const cases: [what: string, call: Partial<CallRecord>, verdict?: unknown][] = [
  ['a successful call', {}],
  ['a running call', logging(thrown, { outcome: 'running' })],
  ['an event without a handler', { outcome: 'no-handler' }],
  ['an event whose scope is missing, without a handler', { outcome: 'no-handler', ...scoped }],
  ['a warning in the log', { logs: [logged('warn', 'slow')] }],
  [
    'a handler that threw',
    logging(`[integrations] ${thrown}`, { outcome: 'failed' }),
    error('Error: No index.', { at }),
  ],
  [
    'a rejected waitUntil promise after a successful response',
    logging(`[integrations] waitUntil failed ${thrown}`),
    error('waitUntil failed: Error: No index.', { at }),
  ],
  [
    'a rejection that was not logged',
    { background: [{ time: 1, durationMs: 2, error: 'no' }] },
    error('waitUntil failed: no'),
  ],
  ['an unsent event', { outcome: 'withheld', error: 'It needs a scope.' }, error('It needs a scope.')],
  ['a limit that was exceeded', near(51), error('Over the limit: outbound requests 51 of 50')],
  ['a limit almost reached', near(49)],
  ['an event whose scope is missing', scoped, warning(needed)],
  ['an API request whose scope is missing', blocked('warning'), warning(scope)],
  ['an API request that was blocked', blocked('error'), error(scope)],
  [
    'an outbound request without a response',
    sent({ status: 0, error: 'fetch failed: getaddrinfo' }),
    warning('GET https://api.example.com/a failed: fetch failed: getaddrinfo'),
  ],
  [
    'two outbound requests that failed',
    sent({}, { status: 500 }),
    warning('GET https://api.example.com/a responded with 503 (and 1 more)'),
  ],
  ['an error that was caught and logged', logging(thrown), warning('Error: No index.', { at })],
  [
    'an error outside of any call',
    logging(thrown, { source: 'script', outcome: 'failed' }),
    error('Error: No index.', { at }),
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
