import { expect, it } from 'vitest';
import { createAbortableTurns } from '../../src/base/abortable-turns.js';

it('drops what waits for its turn when its signal aborts, and limits how many wait', async () => {
  const turns = createAbortableTurns(2, 2);
  const { signal } = new AbortController();
  const leaving = new AbortController();
  expect(await Promise.all([turns.take(signal), turns.take(signal)])).toEqual([true, true]);
  const dropped = turns.take(leaving.signal);
  const next = turns.take(signal);
  expect(await turns.take(signal)).toBe(false);
  leaving.abort();
  expect([await dropped, await turns.take(leaving.signal)]).toEqual([false, false]);
  turns.leave();
  expect(await next).toBe(true);
  turns.leave();
  turns.leave();
  expect(await turns.take(signal)).toBe(true);
});
