import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startKillable } from '../support/killable.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { SenderTask } from '../support/webhook-sender.js';

const events = 50;

const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

it.skipIf(!hasStrace)('syncs an event to the disk before acknowledging the event', async () => {
  const folder = temporaryFolder();
  const trace = join(folder, 'trace');
  const task: SenderTask = {
    file: join(folder, 'state.db'),
    url: 'http://127.0.0.1:1/',
    concurrency: 1,
    hold: true,
    enqueue: { from: 0, to: events },
  };
  const strace = ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync,write', '-o', trace];
  const { ended, acked } = await startKillable('webhook-sender.ts', JSON.stringify(task), strace);
  expect([await ended, acked.length]).toEqual([true, events]);

  const calls = readFileSync(trace, 'utf8').split('\n');
  let syncs = 0;
  let atLastAck = 0;
  const without: string[] = [];
  for (const call of calls) {
    if (/f(?:data)?sync\(\d+\)? .*= 0$/.test(call) || /f(?:data)?sync resumed>.*= 0$/.test(call)) syncs += 1;
    const ack = /write\(1, "ack (\d+)/.exec(call)?.[1];
    if (ack === undefined) continue;
    if (syncs === atLastAck) without.push(ack);
    atLastAck = syncs;
  }
  console.log(`${events} events acknowledged singly, ${syncs} syncs, ${without.length} without one before`);
  expect(without).toEqual([]);
});
