import { Composer } from 'yaml';
import { expect, test } from 'vitest';
import { pinnedVersion } from '../../support/pinned-version.js';

test("requires a pinned yaml version, because one of the library's private methods is replaced", () => {
  expect(pinnedVersion('yaml')).toMatch(/^\d+[.]\d+[.]\d+$/);
  expect(new Composer()).toHaveProperty('onError');
});
