import { expect, it } from 'vitest';
import type { Environment } from '../../../src/protocol/environment.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';
import { eachStore } from '../each-store.js';

const entry = (id: string, more: Partial<CallRecord> = {}): CallRecord =>
  callEntry(id, { source: 'request', time: 1, ...more });

const environment = (title: string): Environment => ({
  apiEndpoint: 'http://127.0.0.1:4100/api',
  apiTokens: { integration: '•••' },
  integration: {
    name: 'sample',
    title,
    version: 1,
    urls: { publicEndpoint: '', publicContentEndpoint: '', icon: '', app: '' },
    externalLinks: [],
  },
  secrets: {},
  signingSecrets: { integration: '•••' },
});

const bytes = (length: number, first = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (first + i) & 255);

eachStore((store) => {
  it('appends new calls, and replaces calls by id without moving them', () => {
    const { callLog } = store.open();
    callLog.record(entry('a', { outcome: 'running' }));
    callLog.record(entry('b'));
    callLog.flush();
    callLog.record(entry('a', { error: 'NUL \0 and ü' }));
    expect(callLog.list().map(({ call }) => [call.id, call.outcome])).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
    ]);
    expect(callLog.get('a')).toEqual(JSON.parse(JSON.stringify(entry('a', { error: 'NUL \0 and ü' }))));
    expect(callLog.get('c')).toBeUndefined();
  });

  it("keeps each call's environment even if other calls share it", () => {
    const { callLog } = store.open({ entries: 3 });
    const shared = environment('shared');
    callLog.record(entry('a', { environment: shared }));
    callLog.record(entry('b', { environment: environment('other') }));
    callLog.record(entry('none'));
    callLog.flush();
    expect(callLog.list().map(({ call }) => call.environment)).toEqual([
      shared,
      environment('other'),
      undefined,
    ]);
    const read = callLog.get('a') ?? entry('a');
    callLog.record({ ...read, logs: [{ level: 'info', text: 'late', time: 2 }] });
    expect(callLog.get('a')).toMatchObject({ environment: shared, logs: [{ text: 'late' }] });
    for (const id of ['c', 'd', 'e']) {
      callLog.record(entry(id));
      callLog.flush();
    }
    callLog.record(entry('f', { environment: shared }));
    callLog.record(entry('g', { environment: environment('other') }));
    expect(callLog.list({ limit: 2 }).map(({ call }) => call.environment)).toEqual([
      shared,
      environment('other'),
    ]);
  });

  it('lists pages of calls by position in both directions, newest last', () => {
    const { callLog } = store.open();
    for (let i = 0; i < 1200; i += 1) callLog.record(entry(`e${i}`));
    const ids = (query: Parameters<typeof callLog.list>[0]): string[] =>
      callLog.list(query).map(({ call }) => call.id);
    expect(ids({ limit: 2 })).toEqual(['e1198', 'e1199']);
    expect(ids({})).toHaveLength(100);
    const last = callLog.list({ limit: 2 })[0]?.position ?? 0;
    expect(ids({ before: last, limit: 2 })).toEqual(['e1196', 'e1197']);
    expect(ids({ after: last })).toEqual(['e1199']);
    expect(ids({ after: 0, limit: 3 })).toEqual(['e0', 'e1', 'e2']);
    expect(ids({ after: 0, limit: 5000 })).toHaveLength(1200);
  });

  it('filters calls by type, failure and text', () => {
    const { callLog } = store.open();
    const event = {
      eventId: 'e',
      installationId: 'i',
      type: 'space_gitsync_started',
      spaceId: 's',
      revisionId: 'r',
      commitId: 'c',
    } as const;
    callLog.record(entry('typed', { event }));
    callLog.record(entry('failed', { outcome: 'failed' }));
    callLog.record(
      entry('asked', { request: { method: 'GET', url: 'http://127.0.0.1/Éclair?q=%', headers: [] } }),
    );
    callLog.record(entry('said', { logs: [{ level: 'info', text: 'Hello "World"', time: 1 }] }));
    const ids = (query: Parameters<typeof callLog.list>[0]): string[] =>
      callLog.list(query).map(({ call }) => call.id);
    expect(ids({ type: 'space_gitsync_started' })).toEqual(['typed']);
    expect(ids({ type: '-space_gitsync_started' })).not.toContain('typed');
    expect(ids({ type: '-site_view' })).toContain('typed');
    expect(ids({ component: 'poll' })).toEqual([]);
    expect(ids({ component: '-poll' })).toContain('typed');
    expect(ids({ severity: ['error'] })).toEqual(['failed']);
    expect(ids({ severity: ['none', 'warning'] })).toEqual(['typed', 'asked', 'said']);
    expect(ids({ search: 'éclair?q=%' })).toEqual(['asked']);
    expect(ids({ search: 'hello "world"' })).toEqual(['said']);
    expect(ids({ search: 'GITSYNC' })).toEqual(['typed']);
  });

  it('keeps bodies byte for byte and in order, however they are split', () => {
    const { callLog } = store.open();
    callLog.record(entry('a'));
    callLog.appendBody('a', 'request', bytes(700_000));
    callLog.appendBody('a', 'response', new Uint8Array([0, 255, 0xef, 0xbb, 0xbf]));
    callLog.flush();
    callLog.appendBody('a', 'request', bytes(600_000, 7));
    callLog.appendBody('a', 'request', Buffer.from('xxtailxx').subarray(2, 6));
    const body = callLog.body('a', 'request') ?? new Uint8Array();
    expect(
      Buffer.compare(body, Buffer.concat([bytes(700_000), bytes(600_000, 7), Buffer.from('tail')])),
    ).toBe(0);
    expect(callLog.body('a', 'response')).toEqual(new Uint8Array([0, 255, 0xef, 0xbb, 0xbf]));
    expect(callLog.body('b', 'request')).toBeUndefined();
  });

  it('keeps the chunks of a short body in order, whenever they arrive', () => {
    const { callLog } = store.open();
    callLog.record(entry('a', { outcome: 'running' }));
    callLog.appendBody('a', 'request', bytes(3));
    callLog.flush();
    callLog.record(entry('a', { outcome: 'running' }));
    callLog.appendBody('a', 'request', bytes(2, 3));
    callLog.appendBody('a', 'response', bytes(4));
    callLog.flush();
    callLog.record(entry('a'));
    callLog.appendBody('a', 'request', bytes(40_000, 5));
    callLog.appendBody('a', 'request', bytes(1, 40_005));
    expect(callLog.body('a', 'request')).toEqual(bytes(40_006));
    expect(callLog.body('a', 'response')).toEqual(bytes(4));
  });

  it('deletes the oldest bodies first, wherever they are stored', () => {
    const { callLog } = store.open({ bodyBytes: 50_000 });
    const kept = (): string[] => ['a', 'b', 'c', 'd'].filter((id) => callLog.body(id, 'request'));
    const add = (id: string, length: number): void => {
      callLog.record(entry(id));
      callLog.appendBody(id, 'request', bytes(length));
      callLog.flush();
    };
    add('a', 10_000);
    add('b', 30_000);
    add('c', 10_000);
    expect(kept()).toEqual(['a', 'b', 'c']);
    add('d', 10_000);
    expect(kept()).toEqual(['b', 'c', 'd']);
    callLog.record(entry('e'));
    callLog.appendBody('e', 'request', bytes(20_000));
    expect(kept()).toEqual(['c', 'd']);
  });

  it('deletes the oldest calls together with their bodies', () => {
    const { callLog } = store.open({ entries: 3 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      callLog.record(entry(id));
      callLog.appendBody(id, 'request', bytes(10));
      callLog.flush();
    }
    expect(callLog.list().map(({ call }) => call.id)).toEqual(['c', 'd', 'e']);
    expect(callLog.body('b', 'request')).toBeUndefined();
    expect(callLog.body('c', 'request')).toEqual(bytes(10));
  });

  it('deletes the oldest bodies, and never appends to a partly deleted body', () => {
    const { callLog } = store.open({ bodyBytes: 1000 });
    for (const id of ['a', 'b', 'c']) {
      callLog.record(entry(id));
      callLog.appendBody(id, 'request', bytes(400));
      callLog.flush();
    }
    callLog.appendBody('a', 'request', bytes(10));
    expect(['a', 'b', 'c'].map((id) => callLog.body(id, 'request')?.byteLength)).toEqual([
      undefined,
      400,
      400,
    ]);
    expect(callLog.list()).toHaveLength(3);
    callLog.record(entry('huge'));
    callLog.appendBody('huge', 'request', bytes(2000));
    callLog.flush();
    callLog.appendBody('huge', 'request', bytes(50));
    expect(['b', 'c', 'huge'].map((id) => callLog.body(id, 'request'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
