import { readFileSync } from 'node:fs';

/** Returns how many milliseconds the main threads of these processes waited for a processor (Linux). */
export const processorWait = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return sum + Number(waited) / 1e6;
  }, 0);
