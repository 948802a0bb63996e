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

/**
 * `npm run bench:postgres -- 100000 pg-boss insert hang` makes the hot endpoint smaller, and measures only one queue and
 * the rows with one of these words. `all` measures all queues.
 */
const [hotText = '1000000', only = 'all', ...words] = process.argv.slice(2);
const hotCount = Number(hotText);
const names = queueNames.filter((name) => only === 'all' || name === only);
const count = 100_000;
const idleSeconds = 30;
const endpoints = endpointIds(1000);
const [hot = '', ...others] = endpoints;

const packages = mkdtempSync(join(tmpdir(), 'platform-bench-'));
writeFileSync(join(packages, 'package.json'), '{}');
// Both job queues need Node 22. All three run on it.
const installed = [
  'graphile-worker@0.18',
  'pg-boss@12',
  'pg@8',
  `node-${process.platform}-${process.arch}@22`,
];
execFileSync('npm', ['install', '--silent', ...installed], { cwd: packages });
const node = join(packages, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' });
const admin = new Client({ connectionString: server.url });
await admin.connect();
const databases = new Map<string, string>();

const program = fileURLToPath(new URL('queue-process.ts', import.meta.url));

function nameOf(name: QueueName, row: string): string {
  return `${name}_${row}`.replaceAll(/\W/g, '_');
}

function endpointIds(number: number): string[] {
  return Array.from({ length: number }, (_, n) => `whe_${n}`);
}

/** Each row has its own database, so rows do not affect each other. */
async function databaseOf(name: QueueName, row: string): Promise<string> {
  const database = nameOf(name, row);
  const url = server.url.replace(/postgres$/, database);
  if (!databases.has(database)) await admin.query(`create database ${database}`);
  databases.set(database, url);
  return url;
}

async function start(name: QueueName, row: string, task: Task): Promise<ChildProcess> {
  const byEndpoint = ['hot', 'hanging', 'many'].includes(row);
  const options = { url: await databaseOf(name, row), packages, byEndpoint, quickTakeover: row === 'kill' };
  const child = fork(program, [name, JSON.stringify(options)], {
    execPath: node,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(task);
  return child;
}

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve();

/** What a producer sends when it is done. */
async function produce(
  name: QueueName,
  row: string,
  task: Task,
): Promise<{ seconds: number; times: number[] }> {
  const child = await start(name, row, task);
  const result = { seconds: Number.NaN, times: [] as number[] };
  child.on('message', (message: Message) => void Object.assign(result, message));
  await ended(child);
  return result;
}

interface Worker {
  ready: Promise<void>;
  handled(): number;
  waits: number[];
  /** When each item was completed first, if the task lists them. */
  completed: Map<string, number>;
  kill(): void;
  stop(): Promise<void>;
}

async function startWorker(
  name: QueueName,
  row: string,
  task: Omit<Task & { do: 'work' }, 'do' | 'endpoints'> & { endpoints?: string[] },
): Promise<Worker> {
  const child = await start(name, row, { do: 'work', endpoints, ...task });
  let handled = 0;
  const waits: number[] = [];
  const completed = new Map<string, number>();
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: Message) => {
      if ('ready' in message) resolve();
      if ('handled' in message) {
        handled = message.handled;
        waits.push(...message.waits);
        for (const item of message.completed) completed.set(item, completed.get(item) ?? Date.now());
      }
    });
  });
  return {
    ready,
    waits,
    completed,
    handled: () => handled,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      child.send('stop');
      await ended(child);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until(condition: () => boolean, longestMs: number): Promise<void> {
  const end = performance.now() + longestMs;
  while (!condition() && performance.now() < end) await pause(20);
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
  if (ignored.length === 0) await produce(name, row, { do: 'fill', endpoints: from, count: 0 });
  const worker = await startWorker(name, row, {
    endpoints: ignored.length === 0 ? from : endpoints,
    slots: 256,
    handleMs: row === 'latency' ? 0 : 20,
    hanging,
    ignored: [...ignored, ...hanging],
  });
  await worker.ready;
  await pause(2000);
  await produce(name, row, { do: 'produce', endpoints: from, perSecond, seconds });
  const wanted = Math.round(perSecond * seconds * (1 - hanging.length / from.length));
  await until(() => worker.handled() >= wanted, 1000);
  const sent = worker.handled();
  await worker.stop();
  const times = `${quantile(worker.waits, 0.5)} / ${quantile(worker.waits, 0.99)} ms`;
  return sent < 0.98 * wanted ? `${sent} of ${wanted} in time, ${times}` : times;
}

/** How many milliseconds per second the server works for a worker that has nothing to do. */
async function idle(name: QueueName): Promise<string> {
  await produce(name, 'idle', { do: 'fill', endpoints, count: 0 });
  const worker = await startWorker(name, 'idle', { slots: 256, handleMs: 0, hanging: [], ignored: [] });
  await worker.ready;
  const activeMs = async (): Promise<number> => {
    const { rows } = await admin.query('select active_time from pg_stat_database where datname = $1', [
      nameOf(name, 'idle'),
    ]);
    return Number(rows[0].active_time);
  };
  await pause(5000);
  const before = await activeMs();
  await pause(idleSeconds * 1000);
  const spent = (await activeMs()) - before;
  await worker.stop();
  return `${(spent / idleSeconds).toFixed(1)} ms/s`;
}

/** How long 400 items per second take if one of two workers is killed after half of them. */
async function killed(name: QueueName): Promise<string> {
  const from = endpoints.slice(0, 200);
  await produce(name, 'kill', { do: 'fill', endpoints: from, count: 0 });
  const task = { slots: 64, handleMs: 100, hanging: [], ignored: [], listCompleted: true };
  const workers = [await startWorker(name, 'kill', task), await startWorker(name, 'kill', task)] as const;
  await Promise.all(workers.map(({ ready }) => ready));
  await pause(3000);
  const produced = produce(name, 'kill', { do: 'produce', endpoints: from, perSecond: 400, seconds: 10 });
  // Items that the killed worker completed without storing it are handled again. Only the first time counts.
  const completed = (): Map<string, number> => new Map([...workers[1].completed, ...workers[0].completed]);
  await until(() => completed().size >= 2000, 60_000);
  workers[0].kill();
  await produced;
  await until(() => completed().size >= 4000, 40_000);
  await workers[1].stop();
  const all = [...completed()].map(([item, at]) => at - Number.parseInt(item));
  const times = `${quantile(all, 0.5)} / ${quantile(all, 0.99)} / ${Math.max(...all)} ms`;
  return all.length < 4000 ? `${times}, ${4000 - all.length} not in 40 s` : times;
}

const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;

const rows: { what: string; measure(name: QueueName): Promise<string> }[] = [
  {
    what: 'insert one event, with 1,000 endpoints: p50 / p99',
    async measure(name) {
      const { times } = await produce(name, 'one', { do: 'enqueue', endpoints, count: 1000 });
      return `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)} ms`;
    },
  },
  {
    what: 'insert, batches of 1,000',
    async measure(name) {
      return rate(count / (await produce(name, 'insert', { do: 'fill', endpoints, count })).seconds);
    },
  },
  {
    what: 'claim and complete, 1 and 2 processes',
    measure: async (name) => `${rate(await drain(name, 1))}, ${rate(await drain(name, 2))}`,
  },
  { what: 'database time of an idle worker', measure: idle },
  {
    what: 'from insert to send: p50 / p99',
    measure: (name) => waits(name, 'latency', { from: endpoints, perSecond: 100, seconds: 15 }),
  },
  {
    what: '20,000 endpoints, 1,000 events per second: p50 / p99',
    async measure(name) {
      return waits(name, 'many', { from: endpointIds(20_000), perSecond: 1000, seconds: 30 });
    },
  },
  {
    what: `one endpoint with ${hotCount.toLocaleString('en')} pending: p50 / p99 of 999 others`,
    async measure(name) {
      await produce(name, 'hot', { do: 'fill', endpoints, count: 0 });
      await produce(name, 'hot', { do: 'fill', endpoints: [hot], count: hotCount });
      return waits(name, 'hot', { from: others, perSecond: 999, seconds: 15, ignored: [hot] });
    },
  },
  {
    what: '100 of 1,000 endpoints hang: p50 / p99 of the others',
    measure: (name) =>
      waits(name, 'hanging', {
        from: endpoints,
        perSecond: 1000,
        seconds: 12,
        hanging: endpoints.slice(0, 100),
      }),
  },
  {
    what: 'one of two workers killed, 400 events per second, each takes 100 ms: p50 / p99 / longest until done',
    measure: killed,
  },
];
const chosen = rows.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));
try {
  console.log(`| same work, same server | ${names.join(' | ')} |\n| ---${' | ---'.repeat(names.length)} |`);
  for (const { what, measure } of chosen) {
    const cells: string[] = [];
    for (const name of names) {
      process.stderr.write(`${what}: ${name}\n`);
      cells.push(await measure(name));
    }
    console.log(`| ${[what, ...cells].join(' | ')} |`);
  }
} finally {
  await admin.end();
  await server.remove();
  rmSync(packages, { recursive: true, force: true });
}
