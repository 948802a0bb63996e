import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformCommands } from '../support/command-lines.js';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';

const bin = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const page = readFileSync(new URL('../../skills/platform/SKILL.md', import.meta.url), 'utf8');
const loop = [...page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
  .flatMap(([, script = '']) =>
    platformCommands(script.replaceAll(/^ +/gm, '').replaceAll(/<(\w+)>/g, '[$1]')),
  )
  .filter(([name = '']) => !['dev', 'docs', '[command]'].includes(name));

let platform: DevPlatform;
let failed = '';
beforeAll(async () => {
  platform = await startDevPlatform('console', ['--state', 'memory']);
  await fetch(`${platform.endpoint}/fail`);
  [failed = ''] = (await platform.api<{ id: string }[]>('GET', '/calls?failed=true')).map(({ id }) => id);
});
afterAll(() => platform.close());

test("every step of the skill's workflow has a command", () => {
  expect(new Set(loop.map(([name]) => name))).toEqual(
    new Set(['trigger', 'render', 'logs', 'inspect', 'replay', 'validate', 'types', 'publish-check', 'add']),
  );
});

test.each(loop.map((words) => [words.join(' '), words] as const))('runs platform %s', (_, words) => {
  const argv = words.map((word) => ({ '[component]': 'poll', '[id]': failed })[word] ?? word);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    cwd: platform.folder,
    encoding: 'utf8',
  });
  // 1 is a problem that was found: the fixture has some.
  expect([0, 1], stderr).toContain(status);
  if (words.includes('--json')) expect(JSON.parse(stdout)).not.toHaveProperty('error');
});
