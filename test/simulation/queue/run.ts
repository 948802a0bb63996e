import { parseArgs } from 'node:util';
import { inMemory, onDisk } from './mediums.js';
import { planOf } from './plan.js';
import { findFailure, renderFailure } from './find-failure.js';
import { simulateQueue } from './simulate-queue.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
  },
});
const medium = values.store === 'sqlite' ? onDisk : inMemory;
const first = Number(values.seed);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);

const failing: number[] = [];
for (const seed of seeds) if ((await simulateQueue(planOf(seed), medium())) !== undefined) failing.push(seed);

if (seeds.length > 1)
  console.log(`${failing.length} of ${seeds.length} seeds fail. ${failing.slice(0, 10).join(' ')}`);
const [shown] = failing;
if (shown !== undefined) {
  const failure = await findFailure(planOf(shown), medium);
  if (failure) console.log(renderFailure(failure));
  process.exitCode = 1;
} else if (seeds.length === 1) {
  const log: string[] = [];
  await simulateQueue(planOf(first), medium(), log);
  console.log(log.join('\n'));
}
