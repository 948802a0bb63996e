import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { endpoint, fresh, silentOwner } from './owned-store.js';

it('makes all deliveries due within 5 s of a restart even if the clock was wrong', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const before = openStore({ file, clock: createVirtualClock(1_700_000_000_000) });
  await before.deliveries.putEndpoint(endpoint);
  await before.deliveries.insert([fresh(), fresh()]);
  await before.close();

  const clock = createVirtualClock(1_700_000_000_000 - 40 * 86_400_000);
  const after = openStore({ file, clock });
  const right = await after.deliveries.own(silentOwner);
  await clock.advance(5000);
  const [claimed] = await right.claim([{ endpointId: 'ep', limit: 10, suspects: false }]);
  expect(claimed?.deliveries.map(({ id }) => id)).toEqual(['dlv_1', 'dlv_2']);
  await after.close();
});
