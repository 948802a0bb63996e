import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemporary } from '../../../src/base/node/remove-temporary.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('removes a folder with everything in it, and ignores a missing one', () => {
  const folder = join(temporaryFolder(), 'pages');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  writeFileSync(join(folder, 'inner/page.md'), '# Page\n');
  removeTemporary(folder);
  expect(existsSync(folder)).toBe(false);
  removeTemporary(folder);
});

test.each(['EBUSY', 'ENOTEMPTY', 'EPERM'])('leaves a folder that Windows keeps with %s', (code) => {
  const remove = (): never => {
    throw Object.assign(new Error(code), { code });
  };
  expect(() => removeTemporary('folder', remove)).not.toThrow();
});

test('reports any other error', () => {
  const remove = (): never => {
    throw Object.assign(new Error('The disk is broken.'), { code: 'EIO' });
  };
  expect(() => removeTemporary('folder', remove)).toThrow('The disk is broken.');
});
