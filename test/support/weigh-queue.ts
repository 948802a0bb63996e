import { once } from 'node:events';
import { join } from 'node:path';
import { startKillable } from './killable.js';
import type { WeigherTask } from './queue-weigher.js';
import { temporaryFolder } from './temporary-folder.js';

export interface Weight {
  pending: number;
  readyMs: number;
  perSecond: number;
  /** The peak memory in MB. */
  peak: number;
  backlogMs: number;
}

async function run(task: WeigherTask): Promise<string> {
  const { child, ended } = await startKillable('queue-weigher.ts', JSON.stringify(task));
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  await Promise.all([ended, once(child, 'exit')]);
  return text;
}

/** Measures the memory of a process that works through the beginning of a queue of this length. */
export async function weighQueue(queued: number, delivered: number): Promise<Weight> {
  const file = join(temporaryFolder(), 'state.db');
  await run({ file, drain: 0 });
  await run({ file, fill: queued });
  const weight = await run({ file, drain: delivered });
  console.log(`${queued} queued, ${delivered} of them delivered: ${weight.trim()}`);
  return JSON.parse(weight) as Weight;
}
