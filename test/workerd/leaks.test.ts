import { expect, test } from 'vitest';
import { runLeakMatrix } from '../support/leak-matrix.js';
import { testRuntime } from './installed-workerd.js';

test('releases every call, stream and socket of a script in workerd', async () => {
  const cells = await runLeakMatrix(await testRuntime());
  const leaks = cells.filter(({ held }) => held.length > 0);
  console.log(`leaks with workerd: ${leaks.length} of ${cells.length} leak`);
  expect(leaks).toEqual([]);
}, 180_000);
