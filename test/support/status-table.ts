import { setTimeout as sleep } from 'node:timers/promises';
import { createVirtualClock } from '../../src/protocol/clock.js';
import { createMemoryStore } from '../../src/store/memory-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, start } from '../webhooks/support.js';
import { manners, startRawReceiver, type Manner } from './raw-receiver.js';

export interface StatusRow {
  status: number;
  manner: Manner;
  state: string;
  requests: number;
  results: string[];
}

/** Delivers one event to each kind of answer, on the virtual clock and over real sockets. */
export async function runStatusTable(statuses: number[]): Promise<StatusRow[]> {
  const receiver = await startRawReceiver();
  const clock = createVirtualClock(start);
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryStore().deliveries,
    clock,
    random: () => 0.5,
    fetch,
    version: 'test',
    concurrency: 100_000,
  });
  const cases = statuses.flatMap((status) => manners.map((manner) => ({ status, manner })));
  const ids: string[] = [];
  let outcomes = 0;
  let ended = 0;
  dispatcher.subscribe((change) => {
    if (change.type !== 'attempt') return;
    outcomes += 1;
    if (change.delivery.phase === 'done') ended += 1;
  });
  for (const { status, manner } of cases) {
    const endpoint = await dispatcher.endpoints.add(siteEndpoint({ url: receiver.urlOf(status, manner) }));
    ids.push((await dispatcher.endpoints.ping(endpoint.id)).id);
  }

  // Time moves on when nothing else does: all that is under way is stalled.
  const sum = (): number => [...receiver.requests.values()].reduce((total, count) => total + count, 0);
  while (ended < cases.length) {
    for (let before = NaN; before !== sum() + outcomes || sum() - outcomes > receiver.stalled();) {
      before = sum() + outcomes;
      await sleep(40);
    }
    const next = clock.waiting().next;
    if (next !== undefined) await clock.advance(next - clock.now());
  }

  const rows: StatusRow[] = [];
  for (const [i, { status, manner }] of cases.entries()) {
    const details = await dispatcher.deliveries.get(ids[i] ?? '');
    rows.push({
      status,
      manner,
      state: details?.delivery.state ?? '',
      requests: receiver.requests.get(`${status}/${manner}`) ?? 0,
      results: (details?.attempts ?? []).map(({ result }) =>
        result.kind === 'answer'
          ? String(result.status)
          : result.kind === 'error'
            ? result.error
            : result.kind,
      ),
    });
  }
  await dispatcher.close();
  receiver.close();
  return rows;
}

/** These have no body, whatever follows their head. */
const bodiless = [204, 205, 304];

/** The rules of webhooks, written down once more: what must become of such an answer. */
export function expectedRow(status: number, manner: Manner): Pick<StatusRow, 'state' | 'requests'> {
  const whole = manner === 'empty' || manner === 'body' || bodiless.includes(status);
  if (status >= 200 && whole) {
    if (status <= 299) return { state: 'delivered', requests: 1 };
    if (status <= 499 && status !== 429) return { state: 'failed', requests: 1 };
  }
  return { state: 'exhausted', requests: 4 };
}
