import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quantile } from '../simulation/quantile.js';
import { startNameServer } from '../support/name-server.js';
import { startWorkerProcess, stopWorkers } from '../support/worker-process.js';
import { createFleet, endpointOf, pause } from './fleet.js';

const server = { host: '127.0.77.1', port: 53 };

function whyNot(): string | undefined {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount --bind /etc/hosts /etc/resolv.conf'], {
      stdio: 'ignore',
    });
    return undefined;
  } catch {
    return 'it replaces /etc/resolv.conf for one process, which needs root';
  }
}

test.skipIf(whyNot())('endpoints whose name server hangs delay no others', { timeout: 120_000 }, async () => {
  const names = await startNameServer(
    (name) => (name.startsWith('hang') ? 'silent' : { address: '127.0.0.1', ttl: 60 }),
    server,
  );
  onTestFinished(names.close);
  const folder = mkdtempSync(join(tmpdir(), 'platform-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const resolv = join(folder, 'resolv.conf');
  writeFileSync(resolv, `nameserver ${server.host}\n`);

  const { store, log, databaseUrl, schema, queue, workers } = await createFleet(0);
  const url = (host: string): string => log.url.replace('127.0.0.1', host);
  const healthy = Array.from({ length: 40 }, (_, n) => `ok-${n}`);
  const hanging = Array.from({ length: 4 }, (_, n) => `hang-${n}`);
  for (const id of [...healthy, ...hanging])
    await store.putEndpoint(endpointOf(id, `${url(`${id}.example`)}/${id}`));
  const worker = startWorkerProcess(
    { url: databaseUrl, schema, name: 'names' },
    [],
    ['unshare', '-m', 'sh', '-c', `mount --bind ${resolv} /etc/resolv.conf && exec "$0" "$@"`],
  );
  workers.push(worker);
  await worker.event('ready');

  const waits = async (beside: readonly string[]): Promise<number[]> => {
    const queuedAt = new Map<string, number>();
    for (let round = 0; round < 20; round += 1) {
      const at = Date.now();
      if (beside.length > 0) await queue(beside.length, { endpoints: beside });
      for (const id of await queue(40, { endpoints: healthy })) queuedAt.set(id, at);
      await pause(at + 300 - Date.now());
    }
    await pause(2000);
    const sentAt = new Map(log.received.map(({ eventId, at }) => [eventId, at]));
    return [...queuedAt].map(([id, at]) => (sentAt.get(id) ?? Infinity) - at);
  };
  await waits([]);
  const without = await waits([]);
  const beside = await waits(hanging);
  const [p99, before] = [quantile(beside, 0.99), quantile(without, 0.99)];
  console.log(
    `4 endpoints whose name server hangs: ${beside.filter(Number.isFinite).length} of ${beside.length} events of 40 others arrive, p99 ${p99} ms, ${before} ms without`,
  );
  await stopWorkers(workers);
  expect(beside.every(Number.isFinite)).toBe(true);
  expect(p99).toBeLessThan(Math.max(2 * before, 250));
});
