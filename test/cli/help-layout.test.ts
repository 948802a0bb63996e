import { expect, test } from 'vitest';
import type { CommandSpec } from '../../src/cli/context/command.js';
import { platform } from '../../src/cli/commands/index.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import { runCli } from '../support/run-cli.js';

const programs = [platform, platformWebhooks];

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
  for (const program of programs) {
    for (const { words, examples } of [{ words: [], examples: [] }, ...named(program.commands)]) {
      const { stdout } = await runCli([...words, '--help'], { columns, program });
      const tooWide = stdout.split('\n').filter((line) => line.length > columns);
      expect(tooWide.filter((line) => !examples.includes(line) && !line.startsWith('Usage:'))).toEqual([]);
    }
  }
});

test('shows the command name in each of its help examples', () => {
  const strange = programs.flatMap(({ name, commands }) =>
    named(commands).flatMap(({ words, examples }) =>
      examples.filter((line) => !line.includes(`${name} ${words.join(' ')}`)),
    ),
  );
  expect(strange).toEqual([]);
});

test('the help of `platform webhook` fits a screen of 24 lines', async () => {
  const { stdout } = await runCli(['webhook', '--help']);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
});

test('puts help descriptions next to their terms, or below them if they do not fit', async () => {
  const at = async (columns: number) => (await runCli(['types', '--help'], { columns })).stdout;
  expect(await at(80)).toContain(
    '\n  --check       fail if the file does not match the manifest (writes nothing)\n',
  );
  expect(await at(40)).toContain(
    '\n  --check\n      fail if the file does not match\n      the manifest (writes nothing)\n',
  );
});

test("shows an option's choices before its default", async () => {
  const { stdout } = await runCli(['init', '--help'], { columns: 120 });
  expect(stdout).toContain('language of the source files (choices: "ts", "js", default: ts)\n');
});
