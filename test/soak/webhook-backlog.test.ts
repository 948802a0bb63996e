import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startKillable } from '../support/killable.js';
import type { WeigherTask } from '../support/queue-weigher.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Weight {
  pending: number;
  readyMs: number;
  perSecond: number;
  /** In MB. */
  peak: number;
  backlogMs: number;
}

async function weigh(task: WeigherTask): Promise<Weight | undefined> {
  const { child, ended } = await startKillable('queue-weigher.ts', JSON.stringify(task));
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  await Promise.all([ended, once(child, 'exit')]);
  return text === '' ? undefined : (JSON.parse(text) as Weight);
}

it('weighs no more with 1,000,000 deliveries queued than with 20,000', async () => {
  const weights: Weight[] = [];
  for (const queued of [20_000, 1_000_000]) {
    const file = join(temporaryFolder(), 'state.db');
    await weigh({ file, drain: 0 });
    await weigh({ file, fill: queued });
    const weight = await weigh({ file, drain: 10_000 });
    if (weight) weights.push(weight);
    console.log(`${queued} queued, 10,000 of them delivered: ${JSON.stringify(weight)}`);
  }
  const [small, large] = weights;
  expect(large?.pending).toBeGreaterThan(980_000);
  expect((large?.peak ?? Infinity) / (small?.peak ?? 1)).toBeLessThan(1.3);
});
