import { expect, it } from 'vitest';
import { consoleApi } from '../../src/contract/console-api.js';
import type { Route } from '../../src/contract/basics/route.js';

it('spells each error code the same way everywhere', () => {
  const codes = Object.values<Route>(consoleApi).flatMap(({ errors }) => errors);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
});
