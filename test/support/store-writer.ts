import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { callEntry } from './call-entry.js';

/** A separate process that writes state and calls as fast as possible, and that tests can kill. */
async function main(): Promise<void> {
  const { state, callLog } = openStore({ file: process.argv[2] ?? '', clock: systemClock });
  for (let n = 0; ; n += 1) {
    state.transaction(() => {
      state.put('things', `a${n}`, { n });
      state.put('things', `b${n}`, { n });
    });
    callLog.record(callEntry(`call_${n}`, { time: Date.now() }));
    process.stdout.write(`ack ${n}\n`);
    if (n % 20 === 0) await systemClock.sleep(1);
  }
}

void main();
