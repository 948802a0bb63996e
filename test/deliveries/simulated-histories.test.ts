import { Socket } from 'node:net';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresDeliveryStore, type PostgresDeliveryStore } from '../../src/deliveries/index.js';
import type { LocalDeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { findFailure, renderFailure } from '../simulation/queue/find-failure.js';
import type { OpenMedium } from '../simulation/queue/mediums.js';
import { planOf, type Plan } from '../simulation/queue/plan.js';
import { amount } from '../support/proved.js';

/** Counts the connections that wait for the server. */
function createTrackedSockets() {
  const waiting = new Set<Socket>();
  const ready = Buffer.from('5a00000005', 'hex');
  return {
    isQuiet: () => waiting.size === 0,
    open(): Socket {
      const socket = new Socket();
      let tail = Buffer.alloc(0);
      // Connecting a socket resets its methods.
      socket.on('connect', () => {
        const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
        socket.write = (...args: unknown[]) => {
          waiting.add(socket);
          return write(...args);
        };
      });
      // Before the driver's own listener, which may write the next query.
      socket.on('data', (data: Buffer) => {
        tail = Buffer.concat([tail, data]).subarray(-6);
        if (tail.subarray(0, 5).equals(ready)) waiting.delete(socket);
      });
      socket.on('close', () => waiting.delete(socket));
      return socket;
    },
  };
}

/** In these histories, `now()` of the database is the time of the simulation. */
const createClock = `
  create schema if not exists simulated;
  create unlogged table if not exists simulated.clock (at timestamptz not null);
  create or replace function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock';
  truncate simulated.clock;
  insert into simulated.clock values (to_timestamp(0))`;

let histories = 0;

/** Postgres, with one worker at a time, whose process dies with its session. */
const onPostgres =
  (url: string, admin: Client): OpenMedium =>
  () => {
    const schema = `simulated_${(histories += 1)}`;
    const sockets = createTrackedSockets();
    let store: PostgresDeliveryStore;
    const end = async (): Promise<void> => {
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
        [schema],
      );
      await store.close();
    };
    let reopen: () => Promise<void>;
    return {
      exact: false,
      isQuiet: sockets.isQuiet,
      pass: (ms) => admin.query('update simulated.clock set at = to_timestamp($1)', [ms / 1000]).then(),
      async open(clock) {
        await admin.query(`set synchronous_commit = off; ${createClock}`);
        const connection = { options: '-c search_path=simulated,pg_catalog', stream: sockets.open };
        reopen = async () => {
          store = await createPostgresDeliveryStore({
            url,
            connection,
            schema,
            clock,
            name: schema,
            migrate: true,
            pollMs: 3000,
          });
        };
        await reopen();
        const attemptsOf: LocalDeliveryStore['attemptsOf'] = async (ids) =>
          new Map(await Promise.all(ids.map(async (id) => [id, await store.attempts(id)] as const)));
        return new Proxy({} as LocalDeliveryStore, {
          ownKeys: () => Reflect.ownKeys(store),
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
          get: (_, key) => (key === 'attemptsOf' ? attemptsOf : store[key as keyof PostgresDeliveryStore]),
        });
      },
      async crash(of) {
        await end();
        await reopen();
        return of;
      },
      async close() {
        await end();
        await admin.query(`drop schema ${schema} cascade`);
      },
    };
  };

/** A crash sets nothing aside before the database has named a suspect, which the tests of kills count. */
const withoutDeadly = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => (step.act === 'deadly event' ? { ...step, act: 'event' } : step)),
});

const seeds = amount(5, 500);

test(
  `keeps the promises of the queue in Postgres, in ${seeds} simulated histories`,
  { timeout: 3_600_000 },
  async () => {
    const url = inject('postgres');
    const admin = new Client(url);
    await admin.connect();
    onTestFinished(() => admin.end());
    for (let seed = 1; seed <= seeds; seed += 1) {
      const failure = await findFailure(withoutDeadly(planOf(seed)), onPostgres(url, admin));
      expect(failure && renderFailure(failure)).toBeUndefined();
    }
  },
);
