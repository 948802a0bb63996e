import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { replay } from '../support/transcript.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = new URL('../../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'platform-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Times, ports and ids are other ones in every run, and sizes in every version. */
const steady = (output: string): string =>
  output
    .replaceAll(/\d+ ms/g, '12 ms')
    .replaceAll(/[\d.]+\s+KB/g, '12.3 KB')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4100')
    .replaceAll(/(Console .*):4100/g, '$1:54321')
    .replaceAll(/\d\d:\d\d:\d\d/g, '10:15:00')
    .replaceAll(/ +$/gm, '');

test('its transcripts are what the commands print', async () => {
  let cwd = folder;
  const shell = async (command: string): Promise<string> => {
    const [, into] = /^cd (\S+)$/.exec(command) ?? [];
    if (into) {
      cwd = join(cwd, into);
      return '';
    }
    const script = `platform() { ${process.execPath} ${root}bin/platform.js "$@"; }\n${command} 2>&1`;
    const { status, stdout } = spawnSync('bash', ['-c', script], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return steady(`${stdout}${status === 0 ? '' : `[exit ${status}]\n`}`);
  };
  const { expected, actual } = await replay(readme, shell);
  expect(actual).toBe(expected);
});

test('the two setup commands exist, and the demo runs', async () => {
  const commands = [...text.matchAll(/```sh\n(.*)\n```/g)].map(([, command]) => command);
  expect(commands).toEqual([
    'npm ci && npm run demo',
    'npm ci && npm test',
    'npm install --save-dev integration-platform',
  ]);
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', 'scripts/demo.ts', '--port', '0', '--exec', 'echo demo ran'],
    { cwd: root },
  );
  expect(stdout).toContain('demo ran');
});

test('every command and flag that it names exists', async () => {
  const named = [...text.matchAll(/`platform ([a-z][a-z-]*)(?: ([a-z]+))?/g)];
  expect(named.length).toBeGreaterThan(8);
  for (const [, command = '', sub] of named) {
    const { code, stdout } = await runCli([command, '--help']);
    expect(code, command).toBe(0);
    expect(stdout, command).toContain(`Usage: platform ${command}`);
    if (command === 'webhook' && sub)
      expect((await runCli([command, sub, '--help'])).stdout).toContain(`Usage: platform webhook ${sub}`);
  }
});

test('the files that it links to exist', () => {
  const links = [...text.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(0);
  for (const path of links) expect(readFileSync(join(root, path), 'utf8').length, path).toBeGreaterThan(0);
});
