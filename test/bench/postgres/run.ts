import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { quantile } from '../../simulation/quantile.js';
import { startPostgres } from '../../support/postgres-server.js';
import { queueNames, type QueueName } from './queue.js';
import type { Message, Task } from './queue-process.js';

/** `npm run bench:postgres -- 100000 pg-boss` makes the hot endpoint smaller and measures only one queue. */
const [hotText = '1000000', only] = process.argv.slice(2);
const hotCount = Number(hotText);
const names = queueNames.filter((name) => only === undefined || name === only);
const count = 100_000;
const endpoints = Array.from({ length: 1000 }, (_, n) => `whe_${n}`);
const [hot = '', ...others] = endpoints;

const packages = mkdtempSync(join(tmpdir(), 'platform-bench-'));
writeFileSync(join(packages, 'package.json'), '{}');
execFileSync('npm', ['install', '--silent', 'graphile-worker@0.17', 'pg-boss@10', 'pg@8'], { cwd: packages });
const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' });
const admin = new Client({ connectionString: server.url });
await admin.connect();
const databases = new Map<string, string>();

const program = fileURLToPath(new URL('queue-process.ts', import.meta.url));

/** Each row has its own database, so rows do not affect each other. */
async function databaseOf(name: QueueName, row: string): Promise<string> {
  const database = `${name}_${row}`.replaceAll(/\W/g, '_');
  const url = server.url.replace(/postgres$/, database);
  if (!databases.has(database)) await admin.query(`create database ${database}`);
  databases.set(database, url);
  return url;
}

async function start(name: QueueName, row: string, task: Task): Promise<ChildProcess> {
  const byEndpoint = row === 'hot' || row === 'hanging';
  const options = { url: await databaseOf(name, row), packages, byEndpoint };
  return fork(program, [name, JSON.stringify(options), JSON.stringify(task)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve();

/** The seconds that a producer took. */
async function produce(name: QueueName, row: string, task: Task): Promise<number> {
  const child = await start(name, row, task);
  let seconds = Number.NaN;
  child.on('message', (message: Message) => {
    if ('seconds' in message) seconds = message.seconds;
  });
  await ended(child);
  return seconds;
}

interface Worker {
  ready: Promise<void>;
  handled(): number;
  waits: number[];
  stop(): Promise<void>;
}

async function startWorker(
  name: QueueName,
  row: string,
  task: Omit<Task & { do: 'work' }, 'do' | 'endpoints'>,
): Promise<Worker> {
  const child = await start(name, row, { do: 'work', endpoints, ...task });
  let handled = 0;
  const waits: number[] = [];
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: Message) => {
      if ('ready' in message) resolve();
      if ('handled' in message) {
        handled = message.handled;
        waits.push(...message.waits);
      }
    });
  });
  return {
    ready,
    waits,
    handled: () => handled,
    async stop() {
      child.send('stop');
      await ended(child);
    },
  };
}

async function until(condition: () => boolean, longestMs: number): Promise<void> {
  const end = performance.now() + longestMs;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Items per second that this number of processes claim and complete. */
async function drain(name: QueueName, processes: number): Promise<number> {
  const row = `drain${processes}`;
  await produce(name, row, { do: 'fill', endpoints, count });
  const slots = name === 'pg-boss' ? 4000 : name === 'graphile-worker' ? 250 : 2000;
  const workers = await Promise.all(
    Array.from({ length: processes }, () =>
      startWorker(name, row, { slots, handleMs: 0, hanging: [], ignored: [] }),
    ),
  );
  const handled = (): number => workers.reduce((sum, worker) => sum + worker.handled(), 0);
  await until(() => handled() > 0, 60_000);
  const [began, before] = [performance.now(), handled()];
  await until(() => handled() >= count, 120_000);
  const perSecond = ((handled() - before) * 1000) / (performance.now() - began);
  await Promise.all(workers.map((worker) => worker.stop()));
  return perSecond;
}

/** How long items wait while a second process inserts them. */
async function waits(
  name: QueueName,
  row: string,
  {
    from,
    perSecond,
    seconds,
    hanging = [],
    ignored = [],
  }: { from: string[]; perSecond: number; seconds: number; hanging?: string[]; ignored?: string[] },
): Promise<string> {
  if (ignored.length === 0) await produce(name, row, { do: 'fill', endpoints, count: 0 });
  const worker = await startWorker(name, row, {
    slots: 256,
    handleMs: row === 'latency' ? 0 : 20,
    hanging,
    ignored: [...ignored, ...hanging],
  });
  await worker.ready;
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await produce(name, row, { do: 'produce', endpoints: from, perSecond, seconds });
  const wanted = Math.round(perSecond * seconds * (1 - hanging.length / from.length));
  await until(() => worker.handled() >= wanted, 1000);
  const sent = worker.handled();
  await worker.stop();
  const times = `${quantile(worker.waits, 0.5)} / ${quantile(worker.waits, 0.99)} ms`;
  return sent < 0.98 * wanted ? `${sent} of ${wanted} in time, ${times}` : times;
}

const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;

async function measure(name: QueueName): Promise<string[]> {
  const fill = await produce(name, 'insert', { do: 'fill', endpoints, count });
  const one = await drain(name, 1);
  const two = await drain(name, 2);
  const latency = await waits(name, 'latency', { from: endpoints, perSecond: 100, seconds: 15 });
  await produce(name, 'hot', { do: 'fill', endpoints, count: 0 });
  await produce(name, 'hot', { do: 'fill', endpoints: [hot], count: hotCount });
  const hotWaits = await waits(name, 'hot', { from: others, perSecond: 999, seconds: 15, ignored: [hot] });
  const hangWaits = await waits(name, 'hanging', {
    from: endpoints,
    perSecond: 1000,
    seconds: 12,
    hanging: endpoints.slice(0, 100),
  });
  return [rate(count / fill), `${rate(one)}, ${rate(two)}`, latency, hotWaits, hangWaits];
}

const rows = [
  'insert, batches of 1,000',
  'claim and complete, 1 and 2 processes',
  'from insert to send, p50 / p99',
  `one endpoint with ${hotCount.toLocaleString('en')} pending: p50 / p99 of 999 others`,
  '100 of 1,000 endpoints hang: p50 / p99 of the others',
];
try {
  const columns: string[][] = [];
  for (const name of names) {
    process.stderr.write(`measuring ${name}\n`);
    columns.push(await measure(name));
  }
  console.log(`| same work, same server | ${names.join(' | ')} |\n| ---${' | ---'.repeat(names.length)} |`);
  rows.forEach((what, at) =>
    console.log(`| ${[what, ...columns.map((column) => column[at])].join(' | ')} |`),
  );
} finally {
  await admin.end();
  await server.remove();
  rmSync(packages, { recursive: true, force: true });
}
