import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runGuide } from '../support/guide.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = new URL('../../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');

test('the output in the README matches the actual output', async () => {
  const { steps } = await runGuide('README.md');
  expect(steps).toBeGreaterThan(5);
}, 120_000);

test("the README's setup commands exist, and its demo runs", async () => {
  const commands = [...text.matchAll(/```sh\n(.*)\n```/g)].map(([, command]) => command);
  expect(commands).toEqual([
    'npm ci && npm run demo',
    'npm install --save-dev integration-platform',
    'npm ci && npm pack',
    expect.stringMatching(/^npm install --save-dev .*integration-platform-.*\.tgz$/),
    'npm ci && npm test',
  ]);
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', 'scripts/demo.ts', '--port', '0', '--exec', 'echo demo ran'],
    { cwd: root },
  );
  expect(stdout).toContain('demo ran');
});
