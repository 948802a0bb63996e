import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quantile } from '../simulation/quantile.js';
import { amount, proved } from '../support/proved.js';
import { startNameServer } from '../support/name-server.js';
import { startWorkerProcess, stopWorkers } from '../support/worker-process.js';
import { createFleet, endpointOf, pause } from './fleet.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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

/** On a busy machine, a few events always wait. */
const compared = amount(0.5, 0.99);
const rounds = amount(10, 20);

/** The number of endpoints with a hanging name server and their event interval. */
const cases = [
  { count: 4, everyRound: 1, longest: (undisturbed: number) => Math.max(2 * undisturbed, 250) },
  // Hundreds of requests that time out together take processor time. They must not take places in the pool again.
  { count: 1000, everyRound: 7, longest: () => 3000 },
];

test.skipIf(whyNot()).each(proved(cases))(
  'does not delay other endpoints if the name server of $count endpoints hangs',
  { timeout: 180_000 },
  async ({ count, everyRound, longest }) => {
    const names = await startNameServer(
      (name) => (name.startsWith('hang') ? 'silent' : { address: '127.0.0.1', ttl: 60 }),
      server,
    );
    onTestFinished(names.close);
    const folder = temporaryFolder();
    const resolv = join(folder, 'resolv.conf');
    writeFileSync(resolv, `nameserver ${server.host}\n`);

    const { store, log, databaseUrl, schema, queue, workers } = await createFleet(0);
    const url = (host: string): string => log.url.replace('127.0.0.1', host);
    const healthy = Array.from({ length: 40 }, (_, n) => `ok-${n}`);
    const hanging = Array.from({ length: count }, (_, n) => `hang-${n}`);
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
      for (let round = 0; round < rounds; round += 1) {
        const at = Date.now();
        if (beside.length > 0 && round % everyRound === 0) await queue(beside.length, { endpoints: beside });
        for (const id of await queue(40, { endpoints: healthy })) queuedAt.set(id, at);
        await pause(at + 300 - Date.now());
      }
      await pause(2000);
      const sentAt = new Map(log.received.map(({ eventId, at }) => [eventId, at]));
      return [...queuedAt].map(([id, at]) => (sentAt.get(id) ?? Infinity) - at);
    };
    await waits([]);
    const without = await waits([]);
    // Each endpoint's first request occupies a pool slot for a second, and 256 of them fit.
    await queue(count, { endpoints: hanging });
    await pause(1000 * Math.ceil(count / 256) + 3000);
    const beside = await waits(hanging);
    const [wait, before] = [quantile(beside, compared), quantile(without, compared)];
    console.log(
      `${count} endpoints whose name server hangs: ${beside.filter(Number.isFinite).length} of ${beside.length} events of 40 others arrive, p${100 * compared} ${wait} ms, ${before} ms without`,
    );
    await stopWorkers(workers);
    expect(beside.every(Number.isFinite)).toBe(true);
    expect(wait).toBeLessThan(longest(before));
  },
);
