import type { Emulator } from '../emulator/index.js';
import type { Workspace } from '../protocol/workspace.js';
import type { TestDelivery, TestWebhook } from './test-platform.js';

/** In the first space, where neither a site nor a space is named. */
export async function addWebhook(
  { webhooks }: Pick<Emulator, 'webhooks'>,
  { installationId, spaces }: Pick<Workspace, 'spaces'> & { installationId: string },
  { site, space = spaces[0]?.id ?? '', ...endpoint }: TestWebhook,
): Promise<{ secret: string }> {
  const place =
    site === undefined ? { type: 'space' as const, id: space } : { type: 'site' as const, id: site };
  const { secret } = await webhooks.add({ installationId, place, ...endpoint });
  return { secret };
}

export async function listDeliveries({ webhooks }: Pick<Emulator, 'webhooks'>): Promise<TestDelivery[]> {
  const newestFirst = await webhooks.use(({ deliveries }) => deliveries.list());
  return newestFirst
    .map(({ eventType, eventId, state, attempts }) => ({ type: eventType, eventId, state, attempts }))
    .reverse();
}
