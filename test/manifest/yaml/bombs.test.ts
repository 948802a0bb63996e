import { it } from 'vitest';
import { expectHarmless } from './run-bombs.js';

it('reads texts made to end or stall a reader, three times in one process', async () => {
  await expectHarmless('some');
});
