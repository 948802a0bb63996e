import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.js';

async function complete(...words: string[]): Promise<string[]> {
  const { stdout } = await runCli(['completion', 'bash']);
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${stdout}\nCOMP_WORDS=(platform ${typed}); COMP_CWORD=${words.length}; _platform; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

test('completes command names in bash', async () => {
  expect(await complete('comp')).toEqual(['completion']);
});

test('completes flags in bash before and after a command', async () => {
  expect(await complete('--form')).toEqual(['--format']);
  expect(await complete('completion', '--no')).toEqual(['--no-color']);
});
