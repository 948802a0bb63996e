import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import type { CallRecord, CallLog, CallQuery } from '../../../src/store/calls/call-log.js';
import { openStore } from '../../../src/store/open-store.js';
import { callEntry } from '../../support/call-entry.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eachStore } from '../each-store.js';
import { processorMs } from '../../support/processor-time.js';

const endpoint = 'http://127.0.0.1:4100/v1/integrations/sample/installations/installation_1';

function record(callLog: CallLog): void {
  const ok = { status: 200, headers: [] };
  const calls: CallRecord[] = [
    callEntry('call_post', {
      source: 'request',
      time: 1000,
      request: { method: 'POST', url: `${endpoint}/sites/site_1/Über?page=100%`, headers: [] },
      response: { status: 404, headers: [] },
      durationMs: 20,
      near: [{ name: 'outboundRequests', used: 5, limit: 5 }],
    }),
    callEntry('call_get', {
      source: 'request',
      time: 2000,
      request: { method: 'GET', url: `${endpoint}/hook`, headers: [['x-secretive', 'nowhere']] },
      response: { status: 502, headers: [] },
      outcome: 'failed',
      error: 'Upstream said "no"',
      durationMs: 300,
    }),
    callEntry('call_event', {
      time: 3000,
      event: {
        eventId: 'evt_77',
        installationId: 'installation_2',
        type: 'space_content_updated',
        spaceId: 'space_1',
        revisionId: 'r',
      },
      response: ok,
      logs: [{ level: 'info', text: 'wrote C:\\temp', time: 1 }],
      outbound: [
        {
          method: 'GET',
          url: 'https://api.example.com/v2/things',
          status: 200,
          durationMs: 1,
          requestBytes: 0,
          responseBytes: 0,
          time: 1,
          details: 0,
        },
      ],
    }),
    callEntry('call_script', { source: 'script', time: 4000, outcome: 'ok' }),
  ];
  for (const call of calls) callLog.record(call);
  callLog.appendBody('call_post', 'request', Buffer.from('{"city":"Zürich","note":"a_b"}'));
  callLog.appendBody('call_get', 'response', Buffer.alloc(40_000, 'Long Body '));
  const details = { request: { headers: [] }, response: { headers: [], body: outboundBody } };
  callLog.appendBody('call_event', 'outbound-0', Buffer.from(JSON.stringify(details)));
  callLog.flush();
}

const outboundBody = { encoding: 'utf-8', content: 'Sunny "all day"' };

const filters: [filter: CallQuery, found: string[]][] = [
  [{}, ['post', 'get', 'event', 'script']],
  [{ search: 'CALL_P' }, ['post']],
  [{ search: 'evt_77' }, ['event']],
  [{ search: 'über?PAGE=100%' }, ['post']],
  [{ search: '404' }, ['post']],
  [{ search: 'content_up' }, ['event']],
  [{ search: 'api.example.com' }, ['event']],
  [{ search: 'said "no"' }, ['get']],
  [{ search: 'C:\\Temp' }, ['event']],
  [{ search: 'ZÜRICH' }, ['post']],
  [{ search: 'a_b' }, ['post']],
  [{ search: 'a%b' }, []],
  [{ search: 'body long' }, ['get']],
  [{ search: 'sunny' }, ['event']],
  [{ search: '"ALL day"' }, ['event']],
  [{ search: 'utf-8' }, []],
  // Names in the recorded JSON and headers are not what a call is about.
  [{ search: 'durationMs' }, []],
  [{ search: 'nowhere' }, []],
  [{ search: 'hook', method: 'post' }, []],
  [{ method: 'post' }, ['post']],
  [{ path: '/hook' }, ['get']],
  [{ path: '/v1/' }, []],
  [{ host: 'example' }, ['event']],
  [{ host: 'things' }, []],
  [{ status: [[400, 499]] }, ['post']],
  [
    {
      status: [
        [200, 200],
        [500, 599],
      ],
    },
    ['get', 'event'],
  ],
  [{ source: 'request' }, ['post', 'get']],
  [{ source: 'script' }, ['script']],
  [{ slowerThanMs: 20 }, ['get']],
  [{ near: true }, ['post']],
  [{ near: false }, ['get', 'event', 'script']],
  [{ installation: 'installation_2' }, ['event']],
  [{ site: 'site_1' }, ['post']],
  [{ space: 'space_1' }, ['event']],
  [{ since: 2000, until: 4000 }, ['get', 'event']],
  [{ ids: ['call_event', 'call_post', 'call_gone'] }, ['post', 'event']],
  [{ ids: ['call_event', 'call_post'], search: 'zürich' }, ['post']],
];

eachStore((store) => {
  it.each(filters)('finds the calls that match %j', (filter, found) => {
    const { callLog } = store.open();
    record(callLog);
    const ids = (query: CallQuery): string[] =>
      callLog.list(query).map(({ call }) => call.id.replace('call_', ''));
    expect(ids(filter)).toEqual(found);
    expect(callLog.count(filter)).toBe(found.length);
    if (filter.ids) return;
    expect(ids({ ...filter, after: 0, limit: 1 })).toEqual(found.slice(0, 1));
    expect(ids({ ...filter, limit: 1 })).toEqual(found.slice(-1));
  });
});

it('searches 10,000 calls within half a second of processor time', async () => {
  const store = openStore({ file: join(temporaryFolder(), 'state.db'), clock: createVirtualClock() });
  recordMany(store.callLog, 10_000);
  const searches: Record<string, CallQuery> = {
    'nothing found': { search: 'nowhere to be found' },
    'in one body': { search: 'needle in body 17"' },
    'in every call': { search: '/hook' },
    'by status': { status: [[500, 599]] },
    'by path and time': { path: 'n=99', slowerThanMs: 80, since: 0 },
  };
  const times = Object.entries(searches).map(([name, query]) => {
    const list = processorMs(() => store.callLog.list({ ...query, limit: 500 }), 3);
    const count = processorMs(() => store.callLog.count(query), 3);
    return { name, list, count };
  });
  const figures = times.map(
    ({ name, list, count }) => `${name} ${Math.round(list)} and ${Math.round(count)} ms`,
  );
  console.log(`search in 10,000 calls, list and count: ${figures.join(', ')}`);
  for (const { list, count } of times) expect(Math.max(list, count)).toBeLessThan(500);
  await store.close();
});

/** Requests with headers and bodies as they usually are: 2.5 KB of entry, 2 KB of bodies. */
function recordMany(callLog: CallLog, total: number): void {
  const headers = Array.from({ length: 14 }, (_, i): [string, string] => [
    `x-header-${i}`,
    `the value of header ${i}, as long as they are`,
  ]);
  for (let i = 0; i < total; i += 1) {
    const url = `${endpoint}/hook?n=${i}`;
    callLog.record(
      callEntry(`call_${i}`, {
        source: 'request',
        time: i,
        event: {
          eventId: `evt_${i}`,
          type: 'fetch',
          installationId: 'installation_1',
          request: { url, method: 'POST', headers: Object.fromEntries(headers) },
        },
        request: { method: 'POST', url, headers },
        response: { status: i % 50 === 0 ? 500 : 200, headers: [['content-type', 'application/json']] },
        durationMs: i % 90,
        logs: [{ level: 'info', text: `Handled the hook ${i}`, time: i }],
      }),
    );
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(1000), last: `needle in body ${i}` }));
    callLog.appendBody(`call_${i}`, 'request', body);
    callLog.appendBody(`call_${i}`, 'response', body);
  }
  callLog.flush();
}
