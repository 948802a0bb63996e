import { expect, it } from 'vitest';
import { createPreferences } from '../../../src/emulator/console/preferences.js';
import { createMemoryState } from '../../../src/store/state/memory-state.js';

const keysOf = (preferences: ReturnType<typeof createPreferences>): string[] =>
  preferences.all().map(({ key }) => key);

it('marks preferences that were written since startup', () => {
  const state = createMemoryState();
  createPreferences(state).put('theme', 'dark');
  const preferences = createPreferences(state);
  preferences.put('draft event', { url: 'https://' });
  expect(preferences.all()).toEqual([
    { key: 'theme', value: 'dark', current: false },
    { key: 'draft event', value: { url: 'https://' }, current: true },
  ]);
  preferences.put('theme', 'dark');
  preferences.put('draft event', undefined);
  expect(preferences.all()).toEqual([{ key: 'theme', value: 'dark', current: true }]);
});

it('keeps the 200 most recently written preferences', () => {
  const preferences = createPreferences(createMemoryState());
  for (let i = 0; i < 200; i += 1) preferences.put(`draft ${i}`, i);
  preferences.put('draft 0', 'again');
  preferences.put('one more', 1);
  const keys = keysOf(preferences);
  expect(keys).toHaveLength(200);
  expect(keys).not.toContain('draft 1');
  expect(keys.slice(-2)).toEqual(['draft 0', 'one more']);
});

it.each([
  ['a key of 201 characters', 'k'.repeat(201), 1],
  ['a value of more than 64 KiB', 'draft', 'x'.repeat(64 * 1024)],
])('rejects the preferences %s and keeps the stored values', (_, key, value) => {
  const preferences = createPreferences(createMemoryState());
  preferences.put('draft', 'first');
  expect(() => preferences.put(key, value)).toThrow(/at most/);
  expect(preferences.all()).toEqual([{ key: 'draft', value: 'first', current: true }]);
});
