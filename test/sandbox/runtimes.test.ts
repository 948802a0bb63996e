import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireRuntime } from '../../src/sandbox/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const refused = (name: 'node' | 'workerd'): unknown => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'bun.lock'), '');
  try {
    return requireRuntime(name, undefined, folder);
  } catch (error) {
    return error;
  }
};

test('reports which runtime is missing and how to install it with the package manager of the project', () => {
  expect(refused('workerd')).toMatchObject({
    code: 'no-workerd',
    message: expect.stringContaining('workerd'),
    hint: expect.stringContaining('bun add --dev workerd@'),
  });
  expect(refused('node')).toMatchObject({ code: 'no-node', message: expect.stringContaining('node') });
  expect(refused('node')).not.toHaveProperty('hint', expect.stringContaining('workerd'));
});

test('returns the runtime if it is installed', () => {
  expect(requireRuntime('workerd', 'found', '.')).toBe('found');
});
