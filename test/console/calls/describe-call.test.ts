import { expect, it } from 'vitest';
import { describeLine, outcomeWords } from '../../../src/console/calls/detail/describe-call.js';
import type { CallLine } from '../../../src/contract/routes/calls.js';

const line = (more: Partial<CallLine>): CallLine => ({
  id: 'call_1',
  source: 'event',
  type: 'site_view',
  time: 0,
  version: 1,
  outcome: 'ok',
  severity: 'none',
  requestBytes: 0,
  responseBytes: 0,
  logs: 0,
  outbound: 0,
  ...more,
});

it.each<[string, Partial<CallLine>, { title: string; detail: string }]>([
  ['a component', { type: 'ui_render', component: 'poll' }, { title: 'poll', detail: 'ui_render' }],
  [
    'a component and its action',
    { type: 'ui_render', component: 'poll', action: 'vote' },
    { title: 'poll/vote', detail: 'ui_render' },
  ],
  [
    'a method and the path below the endpoint',
    {
      type: 'fetch',
      method: 'GET',
      url: 'http://127.0.0.1:4100/v1/integrations/sample/hook?a=1',
      subject: 'http://127.0.0.1:4100/v1/integrations/sample/hook?a=1',
    },
    { title: 'GET /hook?a=1', detail: '' },
  ],
  ['an event', { subject: 'https://example.com' }, { title: 'site_view', detail: 'https://example.com' }],
  [
    'the problem instead of the subject',
    { subject: 'https://example.com', severity: 'warning', reason: 'GET http://a/ responded with 500' },
    { title: 'site_view', detail: 'GET http://a/ responded with 500' },
  ],
])('describes a call with %s', (_, more, expected) => {
  expect(describeLine(line(more))).toEqual(expected);
});

it.each<[Partial<CallLine>, string, string]>([
  [{ status: 200 }, 'ok', '200'],
  [{ status: 404 }, 'warn', '404'],
  [{ status: 200, severity: 'error' }, 'bad', '200 failed'],
  [{ status: 200, severity: 'warning' }, 'warn', '200 warning'],
  [{ status: 500, severity: 'error', outcome: 'failed' }, 'bad', '500 failed'],
  [{ severity: 'error' }, 'bad', 'Failed'],
  [{ outcome: 'running' }, 'info', 'Running'],
  [{ outcome: 'no-handler', status: 406 }, 'calm', 'No handler'],
])('shows a call with %j in the tone %s and with the text "%s"', (more, tone, text) => {
  expect(outcomeWords(line(more))).toEqual({ tone, text });
});
