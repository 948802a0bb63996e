import { expect, test } from 'vitest';
import { runLeakMatrix } from '../support/leak-matrix.js';

test('releases every call, stream and socket when the client disconnects or the platform stops', async () => {
  const cells = await runLeakMatrix();
  const leaks = cells.filter(({ held }) => held.length > 0);
  console.log(`leaks: ${leaks.length} of ${cells.length} leak`);
  expect(leaks).toEqual([]);
}, 180_000);
