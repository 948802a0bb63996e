import { expect, test } from 'vitest';
import { requireRuntime } from '../../src/sandbox/index.js';

const refused = (name: 'node' | 'workerd'): unknown => {
  try {
    return requireRuntime(name, undefined);
  } catch (error) {
    return error;
  }
};

test('reports which runtime is missing and how to install it', () => {
  expect(refused('workerd')).toMatchObject({
    code: 'no-workerd',
    message: expect.stringContaining('workerd') as string,
    hint: expect.stringContaining('npm install') as string,
  });
  expect(refused('node')).toMatchObject({
    code: 'no-node',
    message: expect.stringContaining('node') as string,
  });
  expect(refused('node')).not.toHaveProperty('hint', expect.stringContaining('workerd'));
});

test('returns the runtime if it is installed', () => {
  expect(requireRuntime('workerd', 'found')).toBe('found');
});
