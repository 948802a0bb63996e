import { expect, test } from 'vitest';
import { testedRooms, usageProblem } from '../../scripts/mutation/run.js';

const rooms = ['protocol', 'store'];

test.each([
  { args: [], problem: 'Missing argument: the room to test.' },
  { args: ['nowhere'], problem: 'There is no room "nowhere" with tests.' },
  { args: ['protocol', 'store'], problem: 'Got 2 rooms. Name one room: a run takes minutes.' },
])('rejects $args, and lists the folders that can be mutation-tested', ({ args, problem }) => {
  expect(usageProblem(args, rooms)).toBe(
    `${problem}\nUsage: npm run test:mutation <room>\nRooms: protocol, store`,
  );
});

test('accepts a single folder name for mutation testing', () => {
  expect(usageProblem(['store'], rooms)).toBeUndefined();
});

test('lists every folder in src that has its own tests as a mutation-testing unit', () => {
  expect(testedRooms()).toEqual(expect.arrayContaining(['protocol', 'webhooks', 'diagnostics']));
});
