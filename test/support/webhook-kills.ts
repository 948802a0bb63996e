import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import type { Delivery } from '../../src/webhooks/model/delivery.js';
import { siteView } from '../webhooks/dispatcher-under-test.js';
import { answerOk, startHook, startLife } from './webhook-lives.js';

const bodyOf = (eventId: string): string => Buffer.from(JSON.stringify(siteView(eventId))).toString('latin1');

async function readDeliveries(file: string, limit: number): Promise<Delivery[]> {
  const store = openStore({ file, clock: systemClock });
  const deliveries = await store.deliveries.list({ limit });
  await store.close();
  return deliveries;
}

export interface KillFigures {
  kills: number;
  missing: number;
  duplicates: number;
  otherBytes: number;
  states: Record<string, number>;
}

const countStates = (deliveries: Delivery[]): Record<string, number> => {
  const states: Record<string, number> = {};
  for (const { state } of deliveries) states[state] = (states[state] ?? 0) + 1;
  return states;
};

/** Kills a sender repeatedly while it works through a queue. */
export async function killWhileSending(
  file: string,
  { deliveries, kills, concurrency }: { deliveries: number; kills: number; concurrency: number },
): Promise<KillFigures> {
  const hook = await startHook();
  hook.onRequest = (_, response) => void setTimeout(answerOk, 2, response);
  const task = { file, url: hook.url, concurrency };
  await (
    await startLife({ ...task, hold: true, enqueue: { from: 0, to: deliveries } })
  ).ended;

  const most = (1.6 * deliveries) / (kills + 1);
  for (let killed = 0; killed < kills; killed += 1) {
    const life = await startLife(task);
    const until = hook.count() + 1 + Math.floor(Math.random() * (most - 1));
    for (let waited = 0; hook.count() < until && waited < 500; waited += 1) await sleep(1);
    life.child.kill('SIGKILL');
    await life.ended;
  }
  await (
    await startLife({ ...task, drain: true })
  ).ended;
  hook.close();

  const ids = Array.from({ length: deliveries }, (_, i) => `evt_${i}`);
  const bodies = ids.map((id) => hook.received.get(id) ?? []);
  return {
    kills,
    missing: bodies.filter((received) => received.length === 0).length,
    duplicates: bodies.reduce((sum, received) => sum + Math.max(0, received.length - 1), 0),
    otherBytes: ids.filter((id, i) => bodies[i]?.some((body) => body !== bodyOf(id))).length,
    states: countStates(await readDeliveries(file, deliveries + 1)),
  };
}

/** Kills the sender each time its only event reaches the receiver, and finally lets the event through. */
export async function killInFlight(file: string, kills: number): Promise<Delivery[]> {
  const hook = await startHook();
  const task = { file, url: hook.url, concurrency: 4 };
  await (
    await startLife({ ...task, hold: true, enqueue: { from: 0, to: 1 } })
  ).ended;
  for (let killed = 0; killed < kills; killed += 1) {
    const arrived = new Promise<void>((resolve) => (hook.onRequest = () => resolve()));
    const life = await startLife(task);
    await arrived;
    life.child.kill('SIGKILL');
    await life.ended;
  }
  hook.onRequest = (_, response) => answerOk(response);
  await (
    await startLife({ ...task, drain: true })
  ).ended;
  hook.close();
  return readDeliveries(file, 10);
}

/** Kills a sender while it queues new events. Returns how many of the acknowledged events are lost. */
export async function killWhileQueueing(
  file: string,
  { kills, events }: { kills: number; events: number },
): Promise<{ acked: number; lost: number }> {
  const hook = await startHook();
  const task = { file, url: hook.url, concurrency: 16 };
  const acked = new Set<number>();
  for (let killed = 0; killed < kills; killed += 1) {
    const from = killed * events;
    const life = await startLife({ ...task, enqueue: { from, to: from + events } });
    const until = Math.floor(Math.random() * events);
    for (let waited = 0; life.acked.length < until && waited < 5000; waited += 1) await sleep(1);
    life.child.kill('SIGKILL');
    await life.ended;
    for (const number of life.acked) acked.add(number);
  }
  await (
    await startLife({ ...task, drain: true })
  ).ended;
  hook.close();
  const lost = [...acked].filter((number) => !hook.received.has(`evt_${number}`));
  return { acked: acked.size, lost: lost.length };
}

/** Runs with a delivery that crashes the process each time it is prepared. Returns how many processes crashed. */
export async function livesUntilPoisoned(file: string): Promise<{ deaths: number; deliveries: Delivery[] }> {
  const hook = await startHook();
  const task = { file, url: hook.url, concurrency: 16, deadly: 'dlv_5', drain: true };
  await (
    await startLife({ ...task, drain: false, hold: true, enqueue: { from: 0, to: 12 } })
  ).ended;
  let deaths = 0;
  while (deaths < 20 && !(await (await startLife(task)).ended)) deaths += 1;
  hook.close();
  return { deaths, deliveries: await readDeliveries(file, 100) };
}
