import { setTimeout as sleep } from 'node:timers/promises';

interface Toll {
  kills: number;
  answers: Record<number, number>;
  /** Of a request that was pending at a kill, until its 502. */
  slowestFailureMs: number;
  /** From a kill to the next answer. */
  slowestRecoveryMs: number;
}

/** Kills the script's process again and again while four clients ask without a pause. */
export async function killUnderLoad(endpoint: string, kills: number): Promise<Toll> {
  const toll: Toll = { kills, answers: {}, slowestFailureMs: 0, slowestRecoveryMs: 0 };
  const stop = new AbortController();
  const ask = async (path: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${endpoint}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      const { status } = await ask('/slow');
      toll.answers[status] = (toll.answers[status] ?? 0) + 1;
      if (status === 502) toll.slowestFailureMs = Math.max(toll.slowestFailureMs, performance.now() - began);
    }
  });
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const { status, text } = await ask('/');
      if (status !== 200) {
        kill -= 1;
        continue;
      }
      await sleep(30);
      const began = performance.now();
      process.kill(Number(text), 'SIGKILL');
      while ((await ask('/')).status !== 200);
      toll.slowestRecoveryMs = Math.max(toll.slowestRecoveryMs, performance.now() - began);
    }
  } finally {
    stop.abort();
    await Promise.all(clients);
  }
  return toll;
}
