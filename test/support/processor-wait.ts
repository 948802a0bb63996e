import { readFileSync } from 'node:fs';

/** Milliseconds that the main threads of these processes were ready to run and had no processor (Linux). */
export const processorWait = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return sum + Number(waited) / 1e6;
  }, 0);
