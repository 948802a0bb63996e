import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { replay } from '../support/transcript.js';

const folder = new URL('../transcripts/', import.meta.url);
const projects = fileURLToPath(new URL('../fixtures/transcripts/', import.meta.url));

/** `platform validate` is run in `test/fixtures/transcripts`; a code other than 0 stands on a last line. */
async function run(command: string): Promise<string> {
  const [program, ...argv] = command.split(' ');
  expect(program).toBe('platform');
  const { code, stdout, stderr } = await runCli(argv, { cwd: projects });
  return `${stdout}${stderr}${code === 0 ? '' : `[exit ${code}]\n`}`;
}

test.each(readdirSync(folder).filter((name) => name.endsWith('.md')))('%s', async (name) => {
  const { expected, actual } = await replay(new URL(name, folder), run);
  expect(actual).toBe(expected);
});
