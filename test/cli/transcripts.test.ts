import { cpSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { platform } from '../../src/cli/commands/index.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import { runCli } from '../support/run-cli.js';
import { replay } from '../support/transcript.js';
import { sharedFolder } from '../support/temporary-folder.js';

const folder = new URL('../transcripts/', import.meta.url);
const projects = sharedFolder();
// Uses a copy outside this repository, because `init` writes fewer files inside one.
cpSync(fileURLToPath(new URL('../fixtures/transcripts/', import.meta.url)), projects, { recursive: true });

/** Runs a command in the copy of `test/fixtures/transcripts`. A nonzero exit code is on a separate line. */
async function run(command: string): Promise<string> {
  const [program, ...argv] = command.split(' ');
  const specs = [platform, platformWebhooks].find(({ name }) => name === program);
  const { code, stdout, stderr } = await runCli(argv, { cwd: projects, program: specs! });
  return `${stdout}${stderr}${code === 0 ? '' : `[exit ${code}]\n`}`;
}

test.each(readdirSync(folder).filter((name) => name.endsWith('.md')))('prints what %s says', async (name) => {
  const { expected, actual } = await replay(new URL(name, folder), run);
  expect(
    actual,
    'If the new output is right, run: UPDATE_TRANSCRIPTS=1 npx vitest run test/cli/transcripts.test.ts',
  ).toBe(expected);
});
