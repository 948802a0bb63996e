import { expect, it } from 'vitest';
import type { Environment } from '../../../src/protocol/environment.js';
import type { TrafficEntry } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';
import { eachStore } from '../each-store.js';

const entry = (id: string, more: Partial<TrafficEntry> = {}): TrafficEntry =>
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
  it('inserts, and replaces by id without moving', () => {
    const { traffic } = store.open();
    traffic.record(entry('a', { outcome: 'running' }));
    traffic.record(entry('b'));
    traffic.flush();
    traffic.record(entry('a', { error: 'NUL \0 and ü' }));
    expect(traffic.list().map(({ entry }) => [entry.id, entry.outcome])).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
    ]);
    expect(traffic.get('a')).toEqual(JSON.parse(JSON.stringify(entry('a', { error: 'NUL \0 and ü' }))));
    expect(traffic.get('c')).toBeUndefined();
  });

  it('keeps the environment of each entry, even if others share it', () => {
    const { traffic } = store.open({ entries: 3 });
    const shared = environment('shared');
    traffic.record(entry('a', { environment: shared }));
    traffic.record(entry('b', { environment: environment('other') }));
    traffic.record(entry('none'));
    traffic.flush();
    expect(traffic.list().map(({ entry }) => entry.environment)).toEqual([
      shared,
      environment('other'),
      undefined,
    ]);
    const read = traffic.get('a') ?? entry('a');
    traffic.record({ ...read, logs: [{ level: 'info', text: 'late', time: 2 }] });
    expect(traffic.get('a')).toMatchObject({ environment: shared, logs: [{ text: 'late' }] });
    for (const id of ['c', 'd', 'e']) {
      traffic.record(entry(id));
      traffic.flush();
    }
    traffic.record(entry('f', { environment: shared }));
    traffic.record(entry('g', { environment: environment('other') }));
    expect(traffic.list({ limit: 2 }).map(({ entry }) => entry.environment)).toEqual([
      shared,
      environment('other'),
    ]);
  });

  it('pages by position in both directions, newest last', () => {
    const { traffic } = store.open();
    for (let i = 0; i < 1200; i += 1) traffic.record(entry(`e${i}`));
    const ids = (query: Parameters<typeof traffic.list>[0]): string[] =>
      traffic.list(query).map(({ entry }) => entry.id);
    expect(ids({ limit: 2 })).toEqual(['e1198', 'e1199']);
    expect(ids({})).toHaveLength(100);
    const last = traffic.list({ limit: 2 })[0]?.position ?? 0;
    expect(ids({ before: last, limit: 2 })).toEqual(['e1196', 'e1197']);
    expect(ids({ after: last })).toEqual(['e1199']);
    expect(ids({ after: 0, limit: 3 })).toEqual(['e0', 'e1', 'e2']);
    expect(ids({ after: 0, limit: 5000 })).toHaveLength(1200);
  });

  it('finds by type, failure and text', () => {
    const { traffic } = store.open();
    const event = {
      eventId: 'e',
      installationId: 'i',
      type: 'space_gitsync_started',
      spaceId: 's',
      revisionId: 'r',
      commitId: 'c',
    } as const;
    traffic.record(entry('typed', { event }));
    traffic.record(entry('failed', { outcome: 'failed' }));
    traffic.record(
      entry('asked', { request: { method: 'GET', url: 'http://127.0.0.1/Éclair?q=%', headers: [] } }),
    );
    traffic.record(entry('said', { logs: [{ level: 'info', text: 'Hello "World"', time: 1 }] }));
    const ids = (query: Parameters<typeof traffic.list>[0]): string[] =>
      traffic.list(query).map(({ entry }) => entry.id);
    expect(ids({ type: 'space_gitsync_started' })).toEqual(['typed']);
    expect(ids({ failed: true })).toEqual(['failed']);
    expect(ids({ failed: false })).toEqual(['typed', 'asked', 'said']);
    expect(ids({ search: 'éclair?q=%' })).toEqual(['asked']);
    expect(ids({ search: 'hello "world"' })).toEqual(['said']);
    expect(ids({ search: 'GITSYNC' })).toEqual(['typed']);
  });

  it('keeps bodies byte for byte, in order, however they are split', () => {
    const { traffic } = store.open();
    traffic.record(entry('a'));
    traffic.appendBody('a', 'request', bytes(700_000));
    traffic.appendBody('a', 'response', new Uint8Array([0, 255, 0xef, 0xbb, 0xbf]));
    traffic.flush();
    traffic.appendBody('a', 'request', bytes(600_000, 7));
    traffic.appendBody('a', 'request', Buffer.from('xxtailxx').subarray(2, 6));
    const body = traffic.body('a', 'request') ?? new Uint8Array();
    expect(
      Buffer.compare(body, Buffer.concat([bytes(700_000), bytes(600_000, 7), Buffer.from('tail')])),
    ).toBe(0);
    expect(traffic.body('a', 'response')).toEqual(new Uint8Array([0, 255, 0xef, 0xbb, 0xbf]));
    expect(traffic.body('b', 'request')).toBeUndefined();
  });

  it('keeps chunks of a short body in order, whether they arrive early, late or in between', () => {
    const { traffic } = store.open();
    traffic.record(entry('a', { outcome: 'running' }));
    traffic.appendBody('a', 'request', bytes(3));
    traffic.flush();
    traffic.record(entry('a', { outcome: 'running' }));
    traffic.appendBody('a', 'request', bytes(2, 3));
    traffic.appendBody('a', 'response', bytes(4));
    traffic.flush();
    traffic.record(entry('a'));
    traffic.appendBody('a', 'request', bytes(40_000, 5));
    traffic.appendBody('a', 'request', bytes(1, 40_005));
    expect(traffic.body('a', 'request')).toEqual(bytes(40_006));
    expect(traffic.body('a', 'response')).toEqual(bytes(4));
  });

  it('deletes the oldest bodies first, wherever they are stored', () => {
    const { traffic } = store.open({ bodyBytes: 50_000 });
    const kept = (): string[] => ['a', 'b', 'c', 'd'].filter((id) => traffic.body(id, 'request'));
    const add = (id: string, length: number): void => {
      traffic.record(entry(id));
      traffic.appendBody(id, 'request', bytes(length));
      traffic.flush();
    };
    add('a', 10_000);
    add('b', 30_000);
    add('c', 10_000);
    expect(kept()).toEqual(['a', 'b', 'c']);
    add('d', 10_000);
    expect(kept()).toEqual(['b', 'c', 'd']);
    traffic.record(entry('e'));
    traffic.appendBody('e', 'request', bytes(20_000));
    expect(kept()).toEqual(['c', 'd']);
  });

  it('deletes the oldest entries with their bodies', () => {
    const { traffic } = store.open({ entries: 3 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      traffic.record(entry(id));
      traffic.appendBody(id, 'request', bytes(10));
      traffic.flush();
    }
    expect(traffic.list().map(({ entry }) => entry.id)).toEqual(['c', 'd', 'e']);
    expect(traffic.body('b', 'request')).toBeUndefined();
    expect(traffic.body('c', 'request')).toEqual(bytes(10));
  });

  it('deletes the oldest bodies, and adds nothing to a body that it has begun to delete', () => {
    const { traffic } = store.open({ bodyBytes: 1000 });
    for (const id of ['a', 'b', 'c']) {
      traffic.record(entry(id));
      traffic.appendBody(id, 'request', bytes(400));
      traffic.flush();
    }
    traffic.appendBody('a', 'request', bytes(10));
    expect(['a', 'b', 'c'].map((id) => traffic.body(id, 'request')?.byteLength)).toEqual([
      undefined,
      400,
      400,
    ]);
    expect(traffic.list()).toHaveLength(3);
    traffic.record(entry('huge'));
    traffic.appendBody('huge', 'request', bytes(2000));
    traffic.flush();
    traffic.appendBody('huge', 'request', bytes(50));
    expect(['b', 'c', 'huge'].map((id) => traffic.body(id, 'request'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
