import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

let session: OpenSession;
beforeAll(async () => {
  session = await openSession(script, { integration: project });
});
afterAll(() => session.close());

test("prints a component's markup as the author would write it in JSX", async () => {
  const { code, stdout } = await session.cli(['render', 'counter', '--props', '{"start":4}']);
  expect([code, stdout]).toEqual([
    0,
    '<block>\n  <button label="Pressed 4 times" onPress={{"action":"add"}} />\n</block>\nstate {"count":4}  props {"start":4}\n',
  ]);
});

test('sends an action, given by name or as JSON, and prints the result', async () => {
  const named = await session.cli(['render', 'counter', '--props', '{"start":4}', '--action', 'add']);
  expect(named.stdout).toContain('Pressed 5 times');
  const action = ['--state', '{"count":7}', '--action', '{"action":"add"}'];
  const whole = await session.cli(['render', 'counter', ...action, '--json']);
  expect([whole.code, whole.json]).toMatchObject([
    0,
    { version: 1, type: 'element', state: { count: 8 }, element: { type: 'block' } },
  ]);
});

test('reports a failed action and the command that shows its details', async () => {
  const { code, stdout } = await session.cli(['render', 'counter', '--action', 'fail']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /failed to render: 500\n {2}Error: The component is broken\.\n(?: {4}.*\n)* {2}next: platform inspect call_\w+/,
  );
  const { code: again, json } = await session.cli(['render', 'counter', '--action', 'fail', '--json']);
  expect([again, json]).toMatchObject([1, { version: 1, type: 'error', status: 500 }]);
});

test.each<[argv: string[], code: number, text: string]>([
  [['countr'], 1, 'Component countr not found\n  Likely cause: Did you mean counter?'],
  [['counter', '--props', '{'], 2, 'Use an object such as {"name": "value"}.'],
  [['counter', '--props', '[1]'], 2, '--props is not a JSON object.'],
  [['counter', '--space', 'space_lokal'], 2, 'Did you mean space_local?'],
  [[], 2, "Missing required argument 'component'"],
])('render %j fails and suggests the next step', async (argv, code, text) => {
  const result = await session.cli(['render', ...argv]);
  expect(result.code).toBe(code);
  expect(result.stdout + result.stderr).toContain(text);
  expect((await session.cli(['render', ...argv, '--json'])).json).toMatchObject({ version: 1 });
});

test.each([
  ['ad', 'The component has no element with the action ad. Did you mean add?'],
  [
    '{"action":"@link.unfurl","url":"https://other.example.com/1"}',
    "None of the block's patterns (blocks[].urlUnfurl) matches https://other.example.com/1.",
  ],
])('warns about the action %s, which users cannot cause', async (action, warning) => {
  const { code, stderr } = await session.cli(['render', 'counter', '--action', action]);
  expect([code, stderr]).toEqual([0, `warning ${warning}\n`]);
});

test('does not warn about a link that a pattern matches', async () => {
  const action = '{"action":"@link.unfurl","url":"https://counters.example.com/1"}';
  expect((await session.cli(['render', 'counter', '--action', action])).stderr).toBe('');
});

const unknown = [
  '<block> has no property "lable". Its properties are controls, children.',
  '<txet> is not an element of the platform. Did you mean <text>?',
];

test('warns about unknown elements and properties on stderr, in JSON and in the call', async () => {
  const { code, stdout, stderr } = await session.cli(['render', 'misspelled']);
  expect([code, stderr]).toEqual([0, unknown.map((line) => `warning ${line}\n`).join('')]);
  expect(stdout).toContain('<txet>a</txet>');
  const { json } = await session.cli(['render', 'misspelled', '--json']);
  expect(json).toMatchObject({
    element: { type: 'block', lable: 'b' },
    warnings: [
      { element: 'block', property: 'lable', message: '<block> has no property "lable".' },
      { element: 'txet', help: 'Did you mean <text>?' },
    ],
  });
  const inspected = await session.cli(['inspect', (json as { call: string }).call]);
  expect(inspected.stdout).toContain(`Warnings\n${unknown.map((line) => `  ${line}\n`).join('')}`);
});
