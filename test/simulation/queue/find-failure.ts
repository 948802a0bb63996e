import type { OpenMedium } from './mediums.js';
import { shrink, type Plan } from './plan.js';
import { simulateQueue } from './simulate-queue.js';

/** How the simulated platform failed, with the shortest plan that fails in the same way. */
export interface Failure {
  plan: Plan;
  reason: string;
  log: string[];
}

export const renderFailure = ({ plan, reason, log }: Failure): string => `seed ${plan.seed}: ${reason}

The shortest history with ${plan.endpoints} endpoints and ${plan.concurrency} requests at a time:
${log.join('\n')}

Its steps: ${JSON.stringify(plan)}`;

/** Runs a plan, and if something is broken, finds a short plan that breaks the same promise. */
export async function findFailure(plan: Plan, open: OpenMedium): Promise<Failure | undefined> {
  const reason = await simulateQueue(plan, open());
  if (reason === undefined) return undefined;
  const promise = (text = ''): string => text.split(':')[0] ?? '';
  const shortest = await shrink(
    plan,
    async (shorter) => promise(await simulateQueue(shorter, open())) === promise(reason),
  );
  const log: string[] = [];
  return { plan: shortest, reason: (await simulateQueue(shortest, open(), log)) ?? reason, log };
}
