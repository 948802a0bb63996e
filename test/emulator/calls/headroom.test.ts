import { expect, test } from 'vitest';
import { chooseLimits, headroomOf, nearLimits } from '../../../src/emulator/calls/headroom.js';
import { describeUse, type CallLimits } from '../../../src/protocol/call-limits.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';

const request = { method: 'GET', url: 'https://a.test', status: 200, durationMs: 1, requestBytes: 0 };
const requests = (count: number): CallRecord['outbound'] =>
  Array.from({ length: count }, () => ({ ...request, responseBytes: 0, time: 0 }));

const near = (fields: Partial<CallRecord>, limits: CallLimits): string[] =>
  (nearLimits(callEntry('call_1', { outcome: 'ok', ...fields }), limits) ?? []).map(describeUse);

test.each<[string, Partial<CallRecord>, CallLimits, string[]]>([
  ['not given at 80% of a limit', { outbound: requests(40) }, { outboundRequests: 50 }, []],
  ['given above 80%', { outbound: requests(41) }, { outboundRequests: 50 }, ['outbound requests 41 of 50']],
  ['given above 100%', { outbound: requests(51) }, { outboundRequests: 50 }, ['outbound requests 51 of 50']],
  ['given for the time limit', { durationMs: 25_149 }, { timeMs: 30_000 }, ['time 25.1 s of 30 s']],
  ['not given while a body is streaming', { durationMs: 60_000, headMs: 20 }, { timeMs: 30_000 }, []],
  ['given for a script', { scriptBytes: 900 }, { scriptBytes: 1024 }, ['script size 900 B of 1.0 KiB']],
  [
    'given for both bodies, in order',
    { requestBytes: 2048, responseBytes: 1_048_576 },
    { requestBytes: 2048, responseBytes: 1_200_000 },
    ['request body 2.0 KiB of 2.0 KiB', 'response body 1.0 MiB of 1.1 MiB'],
  ],
  ['never given without limits', { durationMs: 1e9, outbound: requests(999) }, {}, []],
  ['given only after the call has ended', { outcome: 'running', durationMs: 29_000 }, { timeMs: 30_000 }, []],
  ['not given outside calls', { source: 'script', outbound: requests(9) }, { outboundRequests: 1 }, []],
])('a warning about a limit is %s', (_, fields, limits, expected) => {
  expect(near(fields, limits)).toEqual(expected);
});

test('reports how much of each limit a call has used, if known', () => {
  const entry = callEntry('call_1', { outcome: 'ok', headMs: 12, durationMs: 15, responseBytes: 900 });
  expect(headroomOf(entry, { timeMs: 30_000, responseBytes: 1000 })).toEqual({
    timeMs: { used: 12, limit: 30_000 },
    requestBytes: { used: entry.requestBytes },
    responseBytes: { used: 900, limit: 1000, near: true },
    outboundRequests: { used: entry.outbound.length },
  });
  expect(headroomOf({ ...entry, outcome: 'withheld' }, {})).toBeUndefined();
});

test.each<[string, CallLimits | undefined, number | undefined, CallLimits]>([
  ['the limits from the specification', undefined, 30_000, { timeMs: 30_000, requestBytes: 104_857_600 }],
  [
    'the limits from the settings instead of the specification',
    { requestBytes: 5, scriptBytes: 9 },
    undefined,
    { requestBytes: 5, scriptBytes: 9 },
  ],
  ['a shorter time limit in settings', { timeMs: 50 }, 30_000, { timeMs: 50, requestBytes: 104_857_600 }],
  ["the call's own time limit if shorter", { timeMs: 50 }, 10, { timeMs: 10, requestBytes: 104_857_600 }],
])('applies %s', (_, settings, timeoutMs, expected) => {
  expect(chooseLimits(settings, timeoutMs)).toEqual(expected);
});
