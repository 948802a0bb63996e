import { expect, test } from 'vitest';
import { replaceValue } from '../../../src/manifest/fix/replace-value.js';

test.each([
  ['name: a # why\ntitle: b\n', 'name: new # why\ntitle: b\n'],
  ["name: ''\n", 'name: new\n'],
  ['name:\ntitle: b\n', 'name: new\ntitle: b\n'],
  ['name: # why\ntitle: b\n', 'name: new # why\ntitle: b\n'],
  ['name:', 'name: new'],
])('replaces the value in %j', (before, after) => {
  expect(replaceValue(before, ['name'], 'new').trimEnd()).toBe(after.trimEnd());
});
