import { expect, test } from 'vitest';
import { resolveState } from '../../../src/protocol/markup/resolve-state.js';

test("resolves only the state's own properties, not inherited ones", () => {
  const markup = { x: [{ $state: 'a' }], y: { $state: 'toString' }, z: { $state: 'a', more: 1 } };
  expect(resolveState(markup, { a: 1 })).toEqual({ x: [1], y: undefined, z: { $state: 'a', more: 1 } });
});
