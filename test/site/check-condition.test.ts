import { expect, it } from 'vitest';
import { checkCondition } from '../../src/site/server/check-condition.js';

const claims = { plan: 'pro', seats: 12, beta: true, unsigned: { 'a b': 'x' }, groups: ['eu'] };

it.each([
  ['visitor.claims.beta', true],
  ['!visitor.claims.beta || visitor.claims.plan == "pro"', true],
  ["visitor.claims.plan === 'pro' && !(visitor.claims.seats < 12)", true],
  ['visitor.claims.plan !== "pro"', false],
  ['visitor.claims.unsigned["a b"] === "x"', true],
  ['visitor.claims.groups[0] == "eu"', true],
  ['"plan" in visitor.claims', true],
  ['visitor.claims.missing.further === undefined', true],
  ['visitor.claims.constructor', false],
  ['visitor.claims.plan.length', false],
])('evaluates %s for a signed-in visitor as %s', (condition, holds) => {
  expect(checkCondition(condition, claims)).toBe(holds);
});

it.each([
  '',
  'visitor.claims.groups.includes("eu")',
  'visitor.claims.beta &&',
  '(visitor.claims.beta',
  'site.title',
  'process.exit()',
  '1 + 1',
  `${'('.repeat(60)}true${')'.repeat(60)}`,
  `${'!'.repeat(3000)}true`,
])('does not guess what %j means', (condition) => {
  expect(checkCondition(condition, claims)).toBeUndefined();
});

it('evaluates conditions without claims if nobody is signed in', () => {
  expect(checkCondition('visitor.claims.beta', {})).toBe(false);
  expect(checkCondition('!visitor.claims.beta', {})).toBe(true);
});
