import { expect, test } from 'vitest';
import type { CommandSpec } from '../../src/cli/context/command.js';
import { commands } from '../../src/cli/commands/index.js';
import { runCli } from '../support/run-cli.js';

interface Named {
  words: string[];
  examples: string[];
}

const named = (specs: readonly CommandSpec[], parent: string[] = []): Named[] =>
  specs.flatMap(({ name, examples, subcommands = [] }) => {
    const words = [...parent, name];
    return [{ words, examples: examples.map(({ command }) => `  ${command}`) }, ...named(subcommands, words)];
  });

test.each([80, 60, 40])('wraps help text, but not command lines, at %i columns', async (columns) => {
  for (const { words, examples } of [{ words: [], examples: [] }, ...named(commands)]) {
    const { stdout } = await runCli([...words, '--help'], { columns });
    const tooWide = stdout.split('\n').filter((line) => line.length > columns);
    expect(tooWide.filter((line) => !examples.includes(line) && !line.startsWith('Usage:'))).toEqual([]);
  }
});

test('shows the command name in each of its help examples', () => {
  for (const { words, examples } of named(commands)) {
    const strange = examples.filter((line) => !line.includes(`platform ${words.join(' ')}`));
    expect(strange).toEqual([]);
  }
});

test('puts help descriptions next to their terms, or below them if they do not fit', async () => {
  const at = async (columns: number) => (await runCli(['types', '--help'], { columns })).stdout;
  expect(await at(80)).toContain(
    '\n  --check  fail if the file does not match the manifest (writes nothing)\n',
  );
  expect(await at(40)).toContain(
    '\n  --check\n      fail if the file does not match\n      the manifest (writes nothing)\n',
  );
});

test("shows an option's choices before its default", async () => {
  const { stdout } = await runCli(['init', '--help'], { columns: 120 });
  expect(stdout).toContain('language of the source files (choices: "ts", "js", default: ts)\n');
});
