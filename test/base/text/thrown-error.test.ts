import { expect, test } from 'vitest';
import { errorLineOf, foldStack, readThrownError } from '../../../src/base/text/thrown-error.js';
import { processorMs } from '../../support/processor-time.js';

const sdk = 'node_modules/integration-platform/dist/sdk/index.mjs';
const stack = [
  '[integrations] TypeError: fetch failed',
  `    at node:internal/deps/undici/undici:14902:13`,
  '    at async load (src/api.ts:3:13)',
  `    at async serveEnvelope (${sdk}:440:22)`,
  '    at Array.map (<anonymous>)',
  `    at async Object.fetch (${sdk}:386:29) {`,
  '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5999',
  '      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
  '}',
].join('\n');

test('finds the error message, the cause and the first position in the author’s sources', () => {
  expect(readThrownError(stack)).toEqual({
    message: 'TypeError: fetch failed (connect ECONNREFUSED 127.0.0.1:5999)',
    position: { path: 'src/api.ts', line: 3, column: 13 },
  });
});

test.each([
  [
    '[Error: 80AC6BADF87F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl/record/ssl3_record.c:350:\n  ] {',
    'The port does not use TLS (wrong version number). Is it an http:// URL?',
  ],
  ['SocketError: other side closed', 'other side closed'],
  ['[Error: bad port]', 'bad port'],
])('shows the cause %s without internal details', (printed, cause) => {
  const text = `TypeError: fetch failed\n    at fetch (src/api.ts:3:13) {\n  [cause]: ${printed}\n}`;
  expect(readThrownError(text).message).toBe(`TypeError: fetch failed (${cause})`);
});

test.each([
  ["a file in the project's root", 'Error: x\n    at index.ts:1:2', 'index.ts'],
  ['a file outside the project', 'Error: x\n    at run (../shared/run.ts:1:2)', '../shared/run.ts'],
  ['properties after the last frame', 'Error: x\n    at run (a.ts:1:2) {\n  code: 1\n}', 'a.ts'],
  ['spaces in a path', 'Error: x\n    at async Object.fetch (src/my page.ts:1:2)', 'src/my page.ts'],
  ['brackets in a path', 'Error: x\n    at run (src/(auth)/page (1).ts:1:2) {\n}', 'src/(auth)/page (1).ts'],
  ['no function name', 'Error: x\n    at async src/(auth)/my page.ts:1:2', 'src/(auth)/my page.ts'],
  ['brackets in a function name', 'Error: x\n    at Object.a (b) [as c] (d.ts:1:2)', 'd.ts'],
  ['evaluated code', 'Error: x\n    at eval (eval at run (a.ts:1:2), <anonymous>:1:1)', undefined],
  ['an absolute path', 'Error: x\n    at run (/my project/a.ts:1:2)', undefined],
  ['only package frames', 'Error: x\n    at run (node_modules/a/index.js:1:2)', undefined],
  ['no frames', 'Error: x', undefined],
])("finds the author's file in a stack with %s", (_, text, path) => {
  expect(readThrownError(text).position?.path).toBe(path);
});

test("collapses consecutive frames outside the author's code into one line", () => {
  expect(foldStack(stack).map(({ text }) => text)).toEqual([
    '[integrations] TypeError: fetch failed',
    '    … 1 frame outside of your code',
    '    at async load (src/api.ts:3:13)',
    '    … 3 frames outside of your code {',
    '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5999',
    '      … 1 frame outside of your code',
    '}',
  ]);
});

test("collapses a frame of Promise.allSettled together with the platform's frames", () => {
  const frames = [
    '    at async Promise.allSettled (index 0)',
    '    at async dispatchEvent (node_modules/integration-platform/dist/sdk/index.mjs:1:2)',
  ];
  const lines = foldStack(['Error: x', '    at run (src/a.ts:1:2)', ...frames].join('\n'));
  expect(lines.map(({ text }) => text)).toEqual([
    'Error: x',
    '    at run (src/a.ts:1:2)',
    '    … 2 frames outside of your code',
  ]);
});

test.each([
  ['a blank line', '\n'],
  ['a carriage return', '\r'],
  ['an unfinished frame', '\n at x'],
  ['a parent folder', '../'],
  ['a letter', 'a'],
  ['a bracket', '('],
  ['a position', ':1'],
])('parses an error with 50,000 repetitions of %s within a second', (_, text) => {
  const error = `Error: a\n    at ${text.repeat(50_000)}`;
  const read = (): unknown => [readThrownError(error), foldStack(error)];
  expect(processorMs(read)).toBeLessThan(1000);
});

const error = (text: string) => ({ level: 'error', text });

test('returns the error that the handler threw, regardless of what else was logged', () => {
  const logs = [error('first'), error('[integrations] Error: thrown'), error('late work failed')];
  expect(errorLineOf(logs)?.text).toBe('[integrations] Error: thrown');
});

test('returns the last logged error if the handler threw nothing', () => {
  expect(errorLineOf([error('first'), error('second'), { level: 'info', text: 'x' }])?.text).toBe('second');
});

test('returns no error if the call logged none', () => {
  expect(errorLineOf([{ level: 'info', text: 'x' }])).toBeUndefined();
});
