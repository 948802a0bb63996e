import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { startKillable } from '../support/killable.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('keeps all state and all but the latest calls when the platform is killed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const file = join(temporaryFolder(), 'state.db');
    const writer = await startKillable('store-writer.ts', file);
    while (writer.acked.length < 500 + round * 37) await systemClock.sleep(1);
    writer.child.kill('SIGKILL');
    await writer.ended;
    const count = writer.acked.length;

    const store = openStore({ file, clock: systemClock });
    const things = new Set(store.state.list('things').map(({ id }) => id));
    const lost = writer.acked.filter((n) => !things.has(`a${n}`) || !things.has(`b${n}`));
    expect(lost).toEqual([]);
    const calls = store.callLog.list({ after: 0, limit: 100_000 }).map(({ call }) => call);
    const span = (calls.at(-1)?.time ?? 0) - (calls[0]?.time ?? 0);
    expect(calls.map(({ id }) => id)).toEqual(calls.map((_, n) => `call_${n}`));
    console.log(`killed after ${count} writes over ${span} ms: ${count - calls.length} calls lost`);
    expect(calls.length).toBeGreaterThan(0);
    await store.close();
  }
});
