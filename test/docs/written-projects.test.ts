import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderSamplePages } from '../../src/content/sample-pages.js';
import { platformCommands, wrongCommand } from '../support/command-lines.js';

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
  ...renderSamplePages({ name: 'hello', title: 'Hello', blocks: [] }),
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
