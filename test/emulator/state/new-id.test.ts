import { expect, test } from 'vitest';
import { newId } from '../../../src/emulator/state/new-id.js';

test('creates short, unique ids that are sorted by time', () => {
  const ids = Array.from({ length: 100_000 }, () => newId('call'));
  expect(ids[0]).toMatch(/^call_[0-9a-v]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});
