import { it } from 'vitest';
import { amount } from '../../support/proved.js';
import { expectHarmless } from './run-bombs.js';

it('reads input designed to crash or stall a parser, three times in one process', async () => {
  await expectHarmless(amount(0, 1) === 1 ? 'all' : 'some');
});
