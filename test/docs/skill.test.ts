import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platformCommands, wrongCommand } from '../support/command-lines.js';
import { jsonDocuments } from '../../scripts/reference/json-documents.js';
import { commands } from '../../src/cli/commands/index.js';
import { runCli } from '../support/run-cli.js';
import { renderSamplePages } from '../../src/content/sample-pages.js';

const page = readFileSync(new URL('../../skills/platform/SKILL.md', import.meta.url), 'utf8');
const inBlocks = [...page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, script = '']) =>
  platformCommands(script.replaceAll(/^ +/gm, '').replaceAll(/<(\w+)>/g, '[$1]')),
);
const inSentences = [...page.matchAll(/`(platform [^`\n]+)`/g)].flatMap(([, code = '']) =>
  platformCommands(code.replaceAll(/<(\w+)>/g, '[$1]')),
);

test('the skill has a name, a description and at most 150 lines', () => {
  expect(page).toMatch(/^---\nname: platform\ndescription: \S.+\n---\n/);
  expect(page.split('\n').length).toBeLessThanOrEqual(150);
});

test('every command in the skill exists and accepts its options', () => {
  expect(inBlocks.length).toBeGreaterThan(15);
  expect([...inBlocks, ...inSentences].flatMap((words) => wrongCommand(words) ?? [])).toEqual([]);
});

test('the skill describes ten commands, each with --json', () => {
  const rows = [...page.matchAll(/^\| `platform (\S+) .*--json` \|/gm)].map(([, name = '']) => name);
  expect(new Set(rows).size).toBe(10);
  expect(inSentences.filter((words) => words.includes('--json'))).toHaveLength(10);
});

const rowsWithJson = [...page.matchAll(/^\| `platform (\S+) ?(.*) --json` \| (.*) \|$/gm)].map(
  ([, name = '', rest = '', result = '']): [string, string, string] => [name, rest, result],
);

test.each(rowsWithJson)('platform %s %s prints the fields that the skill lists', (name, rest, result) => {
  const spec = commands.find((command) => command.name === name);
  const child = spec?.subcommands?.find((command) => command.name === rest);
  expect((child ?? spec)?.run).toBeDefined();
  const fields = jsonDocuments
    .filter(({ command }) => command.split(' ')[0] === name)
    .flatMap((document) => Object.keys(document.fields));
  const listed = [...result.matchAll(/`(\w+)`/g)].map(([, field]) => field);
  expect(fields).toEqual(expect.arrayContaining(listed));
});

test.each(inBlocks.filter(([name, ...words]) => name === 'docs' || words.includes('--help')))(
  'runs the command platform %s %s %s from the skill',
  async (...words) => {
    const { code, stdout } = await runCli(words.map((word) => (word === '[command]' ? 'logs' : word)));
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
  },
);

const templates = new URL('../../templates/', import.meta.url);

/** The pages that `platform init` and `platform dev` write for an author, by name. */
const pages: Record<string, string> = {
  ...Object.fromEntries(
    readdirSync(templates, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => [
        `templates/${file}`,
        readFileSync(new URL(file, templates), 'utf8').replaceAll('{{exec}} ', ''),
      ]),
  ),
  ...renderSamplePages([{ name: 'hello', title: 'Hello', blocks: [] }]),
};

const codeIn = (page: string): string[] =>
  [...page.matchAll(/^```\w*\n([^]*?)^```$|`([^`\n]+)`|^ {4}(.*)$/gm)].map(
    ([, fenced, inline, indented]) => fenced ?? inline ?? indented ?? '',
  );

test('every platform command in the pages of a new project exists and accepts its options', () => {
  const all = Object.values(pages).flatMap(codeIn).flatMap(platformCommands);
  console.log(`pages of new projects: ${all.length} platform commands`);
  expect(all.length).toBeGreaterThan(10);
  expect(all.flatMap((words) => wrongCommand(words) ?? [])).toEqual([]);
});
