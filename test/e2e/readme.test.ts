import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
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
  const commands = [...text.matchAll(/```sh\n([^`]*)\n```/g)].map(([, command = '']) => command);
  expect(commands).toContain('npm install --save-dev integration-platform');
  const names = commands.flatMap((command) =>
    [...command.matchAll(/npm (?:run )?(\w+)/g)].map(([, name = '']) => name),
  );
  const known = new Set(['ci', 'install', 'pack', ...Object.keys(manifest.scripts)]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', 'scripts/demo.ts', '--port', '0', '--exec', 'echo demo ran'],
    { cwd: root },
  );
  expect(stdout).toContain('demo ran');
});
