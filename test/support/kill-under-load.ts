import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

interface Toll {
  kills: number;
  answers: Record<number, number>;
  /** The longest time from a kill until a pending request received its 502. */
  slowestFailureMs: number;
  /** The longest time from a kill to the next response. */
  slowestRecoveryMs: number;
}

/** Returns the id of the process that runs the script, which is the oldest one that the platform keeps ready. */
function scriptOf(platform: number | undefined): number {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(platform)], { encoding: 'utf8' });
  const scripts = children.split('\n').filter((line) => line.includes('sandbox/child/main.js'));
  return Math.min(...scripts.map((line) => Number.parseInt(line, 10)));
}

/** Kills the script's process repeatedly while four clients send requests without a pause. */
export async function killUnderLoad(
  { platform, endpoint }: { platform: number | undefined; endpoint: string },
  kills: number,
): Promise<Toll> {
  const toll: Toll = { kills, answers: {}, slowestFailureMs: 0, slowestRecoveryMs: 0 };
  const stop = new AbortController();
  const ask = async (path: string): Promise<number> => {
    const response = await fetch(`${endpoint}${path}`);
    await response.text();
    return response.status;
  };
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      const status = await ask('/slow');
      toll.answers[status] = (toll.answers[status] ?? 0) + 1;
      if (status === 502) toll.slowestFailureMs = Math.max(toll.slowestFailureMs, performance.now() - began);
    }
  });
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      if ((await ask('/')) !== 200) {
        kill -= 1;
        continue;
      }
      await sleep(30);
      const began = performance.now();
      process.kill(scriptOf(platform), 'SIGKILL');
      while ((await ask('/')) !== 200);
      toll.slowestRecoveryMs = Math.max(toll.slowestRecoveryMs, performance.now() - began);
    }
  } finally {
    stop.abort();
    await Promise.all(clients);
  }
  return toll;
}
