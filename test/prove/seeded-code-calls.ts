import { createHmac } from 'node:crypto';
import type { RecordedCall, Recording } from '../../src/recordings/index.js';

const secrets = { WEBHOOK_SECRET: 'example-webhook-secret', API_KEY: 'example-api-key' };
const installation = {
  id: 'ins_1',
  organization: 'acme',
  status: 'active' as const,
  configuration: { language: 'de' },
  externalIds: [],
};
const tickets = [
  {
    id: 'T-1',
    title: ' Login fails ',
    state: 'open',
    priority: 2,
    created: '2026-01-31T23:30:00Z',
    assignee: { name: 'Ada' },
  },
  { id: 'T-2', title: 'Crash, "sometimes"', state: 'open', priority: 3, created: '2026-02-01T08:00:00Z' },
  {
    id: 'T-3',
    title: 'Old one',
    state: 'closed',
    priority: 1,
    created: '2025-12-24T12:00:00Z',
    assignee: { name: 'Bo' },
  },
];

type Outbound = RecordedCall['outbound'];
const api = 'https://api.tickets.example';
const listed = (page: number): Outbound[number] => ({
  send: `GET ${api}/tickets?page=${page}&limit=50`,
  answer: { status: 200, body: { tickets } },
  ms: 20,
});
const noted = (channel: string, text: string): Outbound[number] => ({
  send: `POST https://chat.example/hooks/${channel}`,
  body: { text, icon: 'ticket' },
  answer: { status: 200, body: 'ok' },
  ms: 8,
});

const call = (
  name: string,
  event: RecordedCall['event'],
  outbound: Outbound = [],
  rest: Partial<RecordedCall> = {},
): RecordedCall => ({
  name,
  after: 0,
  stored: { installation },
  event: { eventId: 'evt_1', installationId: 'ins_1', ...event },
  outbound,
  ...rest,
});
const asked = (
  method: string,
  path: string,
  outbound: Outbound = [],
  body?: object,
  headers: Record<string, string> = {},
): RecordedCall =>
  call(
    `${method} ${path}`,
    {
      type: 'fetch',
      request: {
        method,
        headers,
        url: `http://127.0.0.1:4100/v1/integrations/tickets/installations/ins_1${path}`,
      },
    },
    outbound,
    body && { body },
  );

const hook = { ticket: { title: 'Printer' } };
const signature = createHmac('sha256', secrets.WEBHOOK_SECRET).update(JSON.stringify(hook)).digest('hex');
const card = { type: 'ui_render', componentId: 'card', props: {}, context: {} };

/** Only their inputs: what the script does is recorded by running it. */
export const recordingInputs: Recording = {
  version: 1,
  integration: 'tickets',
  platform: '0.3.0',
  at: '2026-02-03T04:05:06.000Z',
  secrets,
  calls: [
    asked('GET', '/tickets?state=open', [listed(1)]),
    asked('GET', '/tickets?state=closed&page=2', [{ ...listed(2), answer: { status: 503 } }, listed(2)]),
    asked(
      'POST',
      '/tickets',
      [
        {
          send: `POST ${api}/tickets`,
          body: { title: 'New', labels: ['a'], source: 'docs' },
          answer: { status: 200, body: { id: 'T-4' } },
          ms: 30,
        },
      ],
      { title: 'New', labels: ['a'] },
    ),
    asked('POST', '/tickets', [], { labels: [] }),
    asked('GET', '/export.csv', [listed(1)]),
    asked('POST', '/webhook', [noted('support', 'Reopened: Printer')], hook, {
      'x-signature': `sha256=${signature}`,
    }),
    asked('POST', '/webhook', [], hook, { 'x-signature': 'sha256=0' }),
    asked('GET', '/login'),
    asked('GET', '/nothing'),
    call('space_content_updated', { type: 'space_content_updated', revisionId: 'rev_7' }, [
      {
        send: `PATCH ${api}/tickets/T-9`,
        body: { comment: 'Die Seite wurde geändert' },
        answer: { status: 200 },
        ms: 9,
      },
      noted('general', 'Die Seite wurde geändert (rev_7)'),
    ]),
    call('ui_render card', card),
    call('ui_render card vote', { ...card, state: { open: true, votes: 4 }, action: { action: 'vote' } }),
    call('ui_render card close', { ...card, state: { open: true, votes: 1 }, action: { action: 'close' } }, [
      { send: `PATCH ${api}/tickets/T-1`, body: { state: 'closed' }, answer: { status: 200 }, ms: 9 },
    ]),
    call('task sync', { type: 'task', task: { type: 'sync' } }, [
      listed(1),
      noted('alerts', 'Urgent: Crash, "sometimes"'),
      listed(2),
      noted('alerts', 'Urgent: Crash, "sometimes"'),
    ]),
  ],
};
