import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replayRecording } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('an error about a difference points to the line of the test', async () => {
  const cwd = temporaryFolder();
  await runCli(['init', 'new', '--template', 'block', '--organization', 'acme'], { cwd });
  const folder = join(cwd, 'new');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'));
  const script = join(folder, 'src/counter.tsx');
  writeFileSync(script, readFileSync(script, 'utf8').replace('title="Counter"', 'title="Presses"'));

  const replay = () => replayRecording(join(folder, 'recordings/press.json'));
  const { message, stack = '' } = await replay().then(
    () => new Error('The recording is the same.'),
    (error: Error) => error,
  );
  expect(message).toContain('The response differs');
  expect(stack.startsWith(`Error: ${message}\n`)).toBe(true);
  expect(stack.slice(`Error: ${message}\n`.length).split('\n')[0]).toContain(
    'replay-recording-stack.test.ts',
  );
});
