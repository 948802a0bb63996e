import { createPostgresDeliveryStore } from '../../../src/deliveries/index.js';
import { startDeliveryLog } from '../../support/delivery-log.js';
import { startPostgres } from '../../support/postgres-server.js';
import { startWorkerProcess, stopWorkers } from '../../support/worker-process.js';

const seconds = 8;
const endpointCount = 200;
const batch = 1000;

const server = await startPostgres();
try {
  console.log('| workers | requests per second, receiver takes 2 ms | 200 ms |\n| --- | --- | --- |');
  for (const workers of [1, 2, 4]) {
    const rates = [await measure(workers, 2), await measure(workers, 200)];
    console.log(`| ${workers} | ${rates.map((rate) => Math.round(rate).toLocaleString('en')).join(' | ')} |`);
  }
} finally {
  await server.remove();
}

/** Requests per second of workers with 100 concurrent requests each, to 200 endpoints of one receiver. */
async function measure(count: number, responseMs: number): Promise<number> {
  const schema = `scale_${count}_${responseMs}`;
  const store = await createPostgresDeliveryStore({ url: server.url, schema, migrate: true });
  const log = await startDeliveryLog((response) => void setTimeout(() => response.end('{}'), responseMs));
  const workers = Array.from({ length: count }, (_, n) =>
    startWorkerProcess({ url: server.url, schema, name: `worker-${n}` }, ['--concurrency', '100']),
  );
  try {
    for (let n = 0; n < endpointCount; n += 1) await store.putEndpoint(endpointOf(n, log.url));
    await Promise.all(workers.map((worker) => worker.event('ready')));
    const wanted = (responseMs < 50 ? 2500 : 500 * count) * (seconds + 4);
    for (let made = 0; made < wanted; made += batch) await store.insert(deliveries(made));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const before = log.received.length;
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return ((log.received.length - before) * 1000) / (performance.now() - began);
  } finally {
    await stopWorkers(workers);
    log.close();
    await store.close();
  }
}

function endpointOf(n: number, url: string) {
  return {
    id: `whe_${n}`,
    installationId: 'ins_1',
    target: { type: 'site' as const, id: 'site_1' },
    url: `${url}/${n}`,
    events: ['site_view'],
    enabled: true,
    secret: 'whsec_1',
    createdAt: Date.now(),
  };
}

function deliveries(from: number) {
  return Array.from({ length: batch }, (_, n) => {
    const eventId = `evt_${from + n}`;
    const body = new TextEncoder().encode(JSON.stringify({ eventId, type: 'site_view' }));
    const endpointId = `whe_${(from + n) % endpointCount}`;
    return {
      endpointId,
      installationId: 'ins_1',
      eventId,
      eventType: 'site_view',
      body,
      createdAt: Date.now(),
    };
  });
}
