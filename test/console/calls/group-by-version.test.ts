import { expect, it } from 'vitest';
import { groupByVersion } from '../../../src/console/calls/group-by-version.js';

const groups = (versions: number[], current: number, ok?: boolean, builtAt = 0) =>
  groupByVersion(
    versions.map((version) => ({ version, time: 5000 })),
    {
      version: current,
      ...(ok !== undefined && { lastBuild: { ok, what: 'script', time: builtAt, problems: [] } }),
    },
  ).map(({ start, title, note, key }) => [start, title, note, key]);

it('groups consecutive calls of the same version, and marks the current one', () => {
  expect(groups([7, 7, 6, 5, 5], 7)).toEqual([
    [0, 'Version 7', 'current', '7-0'],
    [2, 'Version 6', '', '6-0'],
    [3, 'Version 5', '', '5-0'],
  ]);
  expect(groups([], 7)).toEqual([]);
});

it('gives each group its own key, even if a call to an old version starts late', () => {
  const keys = groups([7, 6, 7], 7).map((group) => group[3]);
  expect(new Set(keys).size).toBe(3);
});

it('shows when the current version was saved, but only if the last build succeeded', () => {
  expect(groups([7], 7, true)[0]?.[2]).toMatch(/^current, saved at \d\d:\d\d:\d\d$/);
  expect(groups([7], 7, false)[0]?.[2]).toBe('current');
  // A save that restored the version came after its first call.
  expect(groups([7, 7], 7, true, 6000)[0]?.[2]).toBe('current');
});
