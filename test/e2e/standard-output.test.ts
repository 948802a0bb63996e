import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const command = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const author = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));

const full = '/dev/full';

test
  .skipIf(!existsSync(full))
  .each([[['rules']], [['rules', '--json']], [['--help']], [['explain', 'manifest/encoding']]])(
  '%j reports that standard output is full and exits with 2',
  async (argv) => {
    const stdout = openSync(full, 'w');
    const { code, stderr } = await runPlatform(argv, { stdout });
    closeSync(stdout);
    expect(code).toBe(2);
    expect(stderr).toContain('error Could not write to standard output: the disk is full.\n');
  },
);

test('dev stops, and explains why, if the program that reads its output exits', async () => {
  const folder = temporaryFolder();
  cpSync(author, folder, { recursive: true });
  const child = spawn(process.execPath, [command, 'dev', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  await once(child.stdout, 'data');
  const { origin } = JSON.parse(readFileSync(join(folder, '.platform/session.json'), 'utf8')) as {
    origin: string;
  };
  const ended = once(child, 'exit');
  child.stdout.destroy();
  // Each call prints a line.
  while (child.exitCode === null) await fetch(`${origin}/v1/integrations/author`).catch(() => ended);
  await ended;
  expect([child.exitCode, errors]).toEqual([0, 'Standard output was closed, so platform stopped.\n']);
  expect(existsSync(join(folder, '.platform/session.json'))).toBe(false);
});

test('succeeds if standard output is closed, without writing the output to a file instead', () => {
  const folder = temporaryFolder();
  cpSync(author, folder, { recursive: true });
  const before = readdirSync(folder);
  const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" validate >&-`, process.execPath, command], {
    cwd: folder,
    encoding: 'utf8',
  });
  // Node opens /dev/null in its place before any of our code runs, so there is nothing to notice.
  expect([status, stderr, readdirSync(folder)]).toEqual([0, '', before]);
});
