import { it } from 'vitest';
import { expectHarmless } from './run-bombs.js';

it('reads input designed to crash or stall a parser, three times in one process', async () => {
  await expectHarmless('some');
});
