import { expect, it } from 'vitest';
import type { CallLine } from '../../../src/contract/routes/calls.js';
import { createPagedList } from '../../../src/console/api/paged-list.js';

const line = (id: string, part: Partial<CallLine> = {}): CallLine => ({
  id,
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
  ...part,
});

function listOf(count: number) {
  const asked: (number | undefined)[] = [];
  const draws: (() => void)[] = [];
  const list = createPagedList<CallLine, { failed: boolean }>({
    filter: { failed: false },
    matches: ({ outcome }, { failed }) => !failed || outcome === 'failed',
    timeOf: ({ time }) => time,
    schedule: (draw) => void draws.push(draw),
    async load(_, oldest) {
      const before = oldest?.position ?? count + 1;
      asked.push(before);
      const from = Math.max(1, before - 500);
      return Array.from({ length: before - from }, (_, i) => ({
        position: from + i,
        ...line(`c${from + i}`),
      }));
    },
  });
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const draw of draws.splice(0)) draw();
  };
  const ids = (): string[] => list.view.get().lines.map(({ id }) => id);
  return { list, asked, settle, ids, draws };
}

it('loads all calls page by page, newest first', async () => {
  const { list, asked, settle, ids } = listOf(1200);
  list.reload();
  await settle();
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([500, 'c1200', 'c701']);
  list.older();
  await settle();
  list.older();
  await settle();
  expect([ids().length, ids().at(-1), list.view.get().complete]).toEqual([1200, 'c1', true]);
  list.older();
  await settle();
  expect(asked).toEqual([1201, 701, 201]);
});

it('adds a call only once if it arrives while a page is loading', async () => {
  const { list, settle, ids } = listOf(2);
  list.reload();
  list.put(line('c2', { outcome: 'running' }));
  list.put(line('c3'));
  await settle();
  expect(ids()).toEqual(['c3', 'c2', 'c1']);
});

it('replaces a call that has the same id', async () => {
  const { list, settle } = listOf(0);
  list.reload();
  list.put(line('a', { outcome: 'running' }));
  list.put(line('a', { outcome: 'failed' }));
  await settle();
  expect(list.view.get().lines.map(({ outcome }) => outcome)).toEqual(['failed']);
});

it('inserts a call by its start time, even if the call only starts to match the filter later', async () => {
  const { list, settle, ids } = listOf(0);
  list.setFilter({ failed: true });
  list.put(line('b', { outcome: 'failed', time: 2 }));
  list.put(line('c', { outcome: 'failed', time: 3 }));
  list.put(line('a', { outcome: 'failed', time: 1 }));
  list.put(line('b', { outcome: 'failed', time: 2, status: 500 }));
  await settle();
  expect(ids()).toEqual(['c', 'b', 'a']);
  expect(list.view.get().lines.map(({ status }) => status)).toEqual([undefined, 500, undefined]);
});

it('renders a paged list only once after many changes', async () => {
  const { list, draws } = listOf(0);
  for (let i = 0; i < 1000; i += 1) list.put(line(`f${i}`));
  expect(draws).toHaveLength(1);
});

it("applies the list's filter to a new call unless the caller specifies whether the call matches", async () => {
  const { list, settle, ids } = listOf(0);
  list.setFilter({ failed: true });
  list.put(line('a'));
  list.put(line('b', { outcome: 'failed' }));
  list.put(line('c'), true);
  list.put(line('d', { outcome: 'failed' }), false);
  await settle();
  expect(ids()).toEqual(['c', 'b']);
});
