import { expect, it } from 'vitest';
import { amount } from '../../support/proved.js';
import { inMemory, onDisk, type OpenMedium } from './mediums.js';
import { planOf, type Plan, type Step } from './plan.js';
import { findFailure, renderFailure } from './find-failure.js';
import { simulateQueue } from './simulate-queue.js';

it.each<[store: string, seeds: number, open: OpenMedium]>([
  ['memory', amount(1000, 100_000), inMemory],
  ['sqlite', amount(50, 1000), onDisk],
])(
  'keeps the promises of the queue, with deliveries in %s and %d seeds',
  { timeout: 3_600_000 },
  async (_, seeds, open) => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const failure = await findFailure(planOf(seed), open);
      expect(failure && renderFailure(failure)).toBeUndefined();
    }
  },
);

it('repeats a run exactly, whatever keeps the deliveries', async () => {
  const [memory, again, sqlite] = [[], [], []] as string[][];
  // Nothing crashes or sets the clock in this one, which stores follow differently.
  const plan = planOf(1);
  const steps = plan.steps.filter(({ act }) => !/crash|clock|deadly/.test(act));
  await simulateQueue({ ...plan, steps, entries: undefined }, inMemory(), memory);
  await simulateQueue({ ...plan, steps, entries: undefined }, inMemory(), again);
  await simulateQueue({ ...plan, steps, entries: undefined }, onDisk(), sqlite);
  expect(memory?.length).toBeGreaterThan(50);
  expect(again).toEqual(memory);
  expect(sqlite).toEqual(memory);
});

const step = (at: number, act: Step['act'], ms = 0, n = 0, answer: Step['answer'] = '200'): Step => ({
  at,
  act,
  n,
  ms,
  answer,
});

/** Shortest histories of failures that the simulation has found. */
const found: [what: string, plan: Omit<Plan, 'concurrency'> & Partial<Plan>][] = [
  [
    'a request started after closing had aborted the others',
    { seed: 13, endpoints: 5, steps: [step(1000, 'event', 0, 9), step(1007, 'close', 1000, 7)] },
  ],
  [
    'a claim that was repeated after an outage sent deliveries of an installation that had been paused',
    {
      seed: 851,
      endpoints: 2,
      steps: [
        step(6511, 'event', 40, 25),
        step(9161, 'event', 1, 57),
        step(9161, 'answer', 40, 8, 'slow'),
        step(11_812, 'answer', 40, 28, 'reset'),
        step(14_312, 'lose', 900, 50),
        step(19_334, 'disable', 0, 10),
        step(19_335, 'store is slow', 40, 58),
        step(20_349, 'store fails', 12_000, 48),
        step(21_349, 'event', 1, 43),
      ],
    },
  ],
  [
    'a delivery was held after it could not be signed again',
    {
      seed: 297,
      endpoints: 5,
      steps: [step(3514, 'burst', 0, 10), step(3514, 'store is slow', 900), step(4672, 'signing fails', 900)],
    },
  ],
  [
    'an endpoint got requests because its installation was resumed while it was being removed',
    {
      seed: 12_675,
      endpoints: 4,
      steps: [
        step(5114, 'event', 1, 21),
        step(7785, 'burst', 1000, 55),
        step(10_285, 'event', 3000, 7),
        step(13_936, 'pause', 1, 41),
        step(13_937, 'store is slow', 12_000, 57),
        step(14_087, 'disable', 40, 32),
        step(14_238, 'resume', 1, 33),
        step(14_252, 'remove', 12_000, 17),
        step(14_402, 'event', 12_000, 22),
        step(14_410, 'event', 40, 13),
        step(14_569, 'event', 40, 22),
      ],
    },
  ],
  [
    'a retry was held because its endpoint had been removed while the outcome was written',
    {
      seed: 2,
      endpoints: 1,
      steps: [
        step(0, 'answer', 0, 0, '500'),
        step(1000, 'event'),
        step(1025, 'store fails', 40),
        step(1500, 'remove'),
      ],
    },
  ],
  [
    'an event was held because the store failed while its endpoint was removed',
    {
      seed: 50_494,
      endpoints: 4,
      concurrency: 1,
      steps: [
        step(171, 'event', 900, 29, 'slow'),
        step(1172, 'event', 1000, 39, 'slow'),
        step(3672, 'event', 0, 41, 'slow'),
        step(3672, 'remove', 0, 54, '200'),
        step(3679, 'store fails', 3000, 5, 'hang'),
      ],
    },
  ],
  [
    'an endpoint got requests although an event that arrived during its failed removal had removed it from the store',
    {
      seed: 79_664,
      endpoints: 3,
      concurrency: 8,
      steps: [
        step(1301, 'pause', 3000, 50, 'reset'),
        step(17_812, 'store fails', 1000, 41, '404'),
        step(17_819, 'store is slow', 900, 51, '500'),
        step(17_819, 'burst', 1, 31, 'hang'),
        step(17_976, 'remove', 900, 2, 'reset'),
      ],
    },
  ],
  [
    'an endpoint waited for the next call to a store that worked again',
    {
      seed: 111,
      endpoints: 5,
      concurrency: 2,
      steps: [
        step(6954, 'event', 3000, 16, 'slow'),
        step(6954, 'store fails', 12_000, 58, '500'),
        step(21_133, 'event', 1, 58, '404'),
      ],
    },
  ],
  [
    'an endpoint waited for its rate after a claim that found nothing',
    {
      seed: 42838,
      endpoints: 3,
      concurrency: 1,
      perSecond: 4,
      entries: 6,
      steps: [
        step(2000, 'crash while preparing', 0, 8, '200'),
        step(2001, 'disable', 40, 59, '500'),
        step(2002, 'event', 3000, 19, 'hang'),
        step(2009, 'event', 12000, 41, 'slow'),
        step(2159, 'burst', 12000, 11, '404'),
        step(2310, 'burst', 1, 31, '200'),
        step(3461, 'burst', 1, 26, 'slow'),
      ],
    },
  ],
];

it.each(found)('keeps its promises in a history in which %s', async (_, plan) => {
  expect(await simulateQueue({ concurrency: 3, ...plan }, inMemory())).toBeUndefined();
});
