import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScriptFolder } from '../../../src/sandbox/process/script-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('writes scripts to their real path, which stack traces contain', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'private'));
  symlinkSync(join(folder, 'private'), join(folder, 'var'));
  const { file } = createScriptFolder(join(folder, 'var'), { maps: false }).write({ code: '' });
  expect(file).toBe(realpathSync(file));
});
