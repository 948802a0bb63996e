import { setTimeout as sleep } from 'node:timers/promises';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { createVirtualClock } from '../../src/base/clock.js';
import { createMemoryStore } from '../../src/store/store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, start } from '../webhooks/dispatcher-under-test.js';
import { bodiless, manners, startRawReceiver, type Manner } from './raw-receiver.js';

export interface StatusRow {
  status: number;
  manner: Manner;
  state: string;
  requests: number;
  results: string[];
}

/** A delivery that has not finished. */
interface Open {
  key: string;
  attempts: number;
  dueAt?: number;
}

/** Delivers one event for each kind of response, on the virtual clock and over real sockets. */
export async function runStatusTable(statuses: number[]): Promise<StatusRow[]> {
  const receiver = await startRawReceiver();
  const clock = createVirtualClock(start);
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryStore(clock).deliveries,
    clock,
    timers: clock,
    random: () => 0.5,
    fetch: webhookFetch,
    version: 'test',
    concurrency: 100_000,
  });
  const cases = statuses.flatMap((status) => manners.map((manner) => ({ status, manner })));
  const open = new Map<string, Open>();
  const ids: string[] = [];
  dispatcher.subscribe((change) => {
    if (change.type !== 'attempt') return;
    const { id, phase, attempts, dueAt } = change.delivery;
    const { key = '' } = open.get(id) ?? {};
    if (phase === 'done') open.delete(id);
    else open.set(id, { key, attempts, ...(dueAt !== undefined && { dueAt }) });
  });
  for (const { status, manner } of cases) {
    const endpoint = await dispatcher.endpoints.add(siteEndpoint({ url: receiver.urlOf(status, manner) }));
    const { id } = await dispatcher.endpoints.ping(endpoint.id);
    open.set(id, { key: `${status}/${manner}`, attempts: 0 });
    ids.push(id);
  }

  // Advances the clock only once each delivery waits for its due time or for a response that has stalled.
  const waits = ({ key, attempts, dueAt = 0 }: Open): boolean =>
    dueAt > clock.now() || (receiver.stalled.has(key) && receiver.requests.get(key) === attempts + 1);
  while (open.size > 0) {
    while (![...open.values()].every(waits)) await sleep(5);
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

/** Restates the webhook rules independently: the expected outcome of such a response. */
export function expectedRow(status: number, manner: Manner): Pick<StatusRow, 'state' | 'requests'> {
  const whole = manner === 'empty' || manner === 'body' || bodiless.includes(status);
  if (status >= 200 && whole) {
    if (status <= 299) return { state: 'delivered', requests: 1 };
    if (status <= 499 && status !== 429) return { state: 'failed', requests: 1 };
  }
  return { state: 'exhausted', requests: 4 };
}
