// Adds an endpoint and queues one event a second for it. Any process may do this; only workers send.
import { createPostgresDeliveryStore } from 'integration-platform/webhooks/postgres';

const endpoint = {
  id: 'whe_try',
  installationId: 'ins_try',
  target: { type: 'site', id: 'site_try' },
  url: process.argv[2],
  events: ['site_view'],
  enabled: true,
  secret: process.env.WEBHOOK_SECRET,
  createdAt: Date.now(),
};
const store = await createPostgresDeliveryStore({ url: process.env.PLATFORM_DATABASE_URL });
await store.putEndpoint(endpoint);
console.log(`One event a second for ${endpoint.url}`);

for (let count = 1; ; count += 1) {
  const event = { eventId: `evt_${Date.now()}_${count}`, type: 'site_view', installationId: 'ins_try' };
  const body = new TextEncoder().encode(JSON.stringify(event));
  const { eventId, type: eventType, installationId } = event;
  await store.insert([
    { endpointId: endpoint.id, installationId, eventId, eventType, body, createdAt: Date.now() },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
