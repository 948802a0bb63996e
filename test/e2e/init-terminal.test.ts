import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));
const platform = path('../../bin/platform.js');
const project = path('../fixtures/projects/author');

const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

/** The command in a terminal of its own: what stands there, and a keyboard. */
function inTerminal(cwd: string, argv: readonly string[]) {
  const command = [process.execPath, platform, ...argv].join(' ');
  const env = { ...process.env, CI: '', NO_COLOR: '1' };
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  return {
    text: () => text,
    type: (keys: string) => void child.stdin.write(keys),
    shows: (pattern: RegExp) => expect.poll(() => text).toMatch(pattern),
    ended: once(child, 'exit').then(([code]) => code as number),
  };
}

test.skipIf(!hasTerminal)('init shows the diff before it asks, and leaves no files on Ctrl-C', async () => {
  const cwd = temporaryFolder();
  const terminal = inTerminal(cwd, ['init', 'mine', '--from', project]);
  await terminal.shows(/Create it in mine\?/);
  await terminal.shows(/\+\+\+ b\//);
  expect(terminal.text().indexOf('Create it in')).toBeGreaterThan(terminal.text().lastIndexOf('+++ b/'));
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(130);
  expect(readdirSync(cwd)).toEqual([]);
});

test.skipIf(!hasTerminal).each([
  ['surrounding spaces', '  mine '],
  ['text cleared with Ctrl-U', 'wrong\u0015mine'],
  ['keys without a function', 'mi\u0017n\u000Be'],
])('removes %s from a typed answer', async (_, keys) => {
  const cwd = temporaryFolder();
  const terminal = inTerminal(cwd, ['init', '--template', 'blank', '--organization', 'acme']);
  await terminal.shows(/Which folder\?/);
  terminal.type(`${keys}\r`);
  await terminal.shows(/Title \(shown to users\)/);
  terminal.type('\r');
  await terminal.shows(/Who can install it/);
  terminal.type('\u001B[B\r');
  await terminal.shows(/Install the dependencies/);
  terminal.type('n');
  await terminal.shows(/Created mine from the blank template/);
  expect(await terminal.ended).toBe(0);
  expect(readdirSync(cwd)).toEqual(['mine']);
});
