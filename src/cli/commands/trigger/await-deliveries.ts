import type { Delivery } from '../../../webhooks/queue/delivery.js';
import type { CommandContext } from '../../command.js';
import type { SessionClient } from '../../session/connect.js';

const pause = 100;

/** Looks until each delivery has come to an end; says so when one is slow. */
export async function awaitDeliveries(
  client: SessionClient,
  ids: readonly string[],
  { io, note }: CommandContext,
): Promise<Delivery[]> {
  const { signal } = io;
  const ended: Delivery[] = [];
  for (const id of ids) {
    for (let attempts = 0; ;) {
      const { delivery } = await client.get<{ delivery: Delivery }>(`/deliveries/${id}`);
      if (delivery.state !== 'pending' && delivery.state !== 'retrying') {
        ended.push(delivery);
        note(
          `  ${id} ${delivery.state} after ${delivery.attempts === 1 ? 'one request' : `${delivery.attempts} requests`}`,
        );
        break;
      }
      if (delivery.attempts > attempts) note(`  ${id} waits for another try`);
      attempts = delivery.attempts;
      await io.clock.sleep(pause, signal);
    }
  }
  return ended;
}
