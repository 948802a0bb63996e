import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environmentVariables, execVariables } from '../../scripts/reference/exit-codes.js';
import { referencePages } from '../../scripts/reference/pages.js';
import { commands } from '../../src/cli/commands/index.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import type { CommandSpec } from '../../src/cli/context/command.js';
import { eventTypes } from '../../src/protocol/sample-events.js';
import { markupElements } from '../../src/protocol/generated/markup-elements.js';
import { sdkExports } from '../../src/scaffold/generated/sdk-exports.js';

const docs = new URL('../../docs/reference/', import.meta.url);
const pages = new Map(
  Object.keys(referencePages).map((file) => [file, readFileSync(new URL(file, docs), 'utf8')]),
);
const page = (file: string): string => pages.get(file) ?? '';

test.each(Object.entries(referencePages))('%s is up to date (or: npm run generate)', (file, render) => {
  expect(page(file)).toBe(`${render()}\n`);
});

const keysOf = (schema: string): string[] =>
  Object.keys(
    (
      JSON.parse(readFileSync(new URL(`../../schemas/${schema}.schema.json`, import.meta.url), 'utf8')) as {
        properties: object;
      }
    ).properties,
  );

const commandNames = (specs: readonly CommandSpec[], parent: string): string[] =>
  specs.flatMap(({ name, subcommands = [] }) => [
    `${parent} ${name}`,
    ...commandNames(subcommands, `${parent} ${name}`),
  ]);
const optionsOf = (specs: readonly CommandSpec[]): string[] =>
  specs.flatMap(({ options = {}, subcommands = [] }) => [...Object.keys(options), ...optionsOf(subcommands)]);

test.each<
  [what: string, file: string, entries: readonly string[], shown: (entry: string) => string | string[]]
>([
  ['commands', 'commands.md', commandNames(commands, 'platform'), (name) => `# ${name}\n`],
  ['options', 'commands.md', optionsOf(commands), (flags) => [`- \`${flags}\`:`, `- \`${flags}\` (`]],
  [
    'commands of platform-webhooks',
    'platform-webhooks.md',
    commandNames(platformWebhooks.commands, 'platform-webhooks'),
    (name) => [`# ${name}\n`, `\`${name}\``],
  ],
  [
    'options of platform-webhooks',
    'platform-webhooks.md',
    // The page refers to `platform webhook deliveries`, whose options commands.md lists.
    optionsOf(platformWebhooks.commands.filter(({ name }) => name !== 'deliveries')),
    (flags) => [`- \`${flags}\`:`, `- \`${flags}\` (`],
  ],
  ['keys of the manifest', 'manifest.md', keysOf('platform-manifest'), (key) => `## ${key}\n`],
  ['keys of platform.dev.yaml', 'dev-settings.md', keysOf('platform-dev'), (key) => `## ${key}\n`],
  ['events', 'events.md', eventTypes, (type) => `## ${type}\n`],
  ['elements', 'elements.md', Object.keys(markupElements), (name) => `## ${name}\n`],
  [
    'exports',
    'sdk.md',
    sdkExports,
    (name) => [`### ${name}\n`, `- \`${name}\`:`, ` \`${name}\`,`, ` \`${name}\`.`],
  ],
])('the reference lists all %s', (what, file, entries, shown) => {
  console.log(`reference: ${entries.length} ${what}`);
  expect(entries.length).toBeGreaterThan(5);
  const missing = entries.filter((entry) => ![shown(entry)].flat().some((text) => page(file).includes(text)));
  expect(missing).toEqual([]);
});

test('the reference lists every environment variable that the source code reads', () => {
  const folder = new URL('../../src/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const read = sources.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const reads = [...text.matchAll(/\b(?:env(?:\.|\[['"])|(?=PLATFORM_))([A-Z][A-Z_0-9]+)/g)];
    return reads.map(([, name = '']) => name);
  });
  const listed = [...environmentVariables, ...execVariables].flatMap(([name, meaning]) => [
    name,
    ...[...meaning.matchAll(/`([A-Z_]+)`/g)].map(([, other = '']) => other),
  ]);
  console.log(`reference: ${listed.length} environment variables`);
  // A name in an example, a name that the build replaces, and the marker for the script's processes.
  const notVariables = ['NAME', 'NODE_ENV', 'PLATFORM_SCRIPT'];
  const missing = [...new Set(read)].filter((name) => ![...listed, ...notVariables].includes(name));
  expect(missing).toEqual([]);
});

test.each(Object.keys(referencePages))('%s has no generated names, lost types or equal headings', (file) => {
  expect(page(file)).not.toMatch(/`__\d|\(undefined[;)]/);
  const headings: string[] = page(file).match(/^## .*$/gm) ?? [];
  expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([]);
});

test.each(['sdk.md', 'events.md', 'webhook-payloads.md'])('%s describes every field and export', (file) => {
  const undescribed = page(file).match(/^(?:- `[^`]*`(?: \([^)]*\))?:? *|### .*\n\n(?=#|$))$/gm) ?? [];
  expect(undescribed).toEqual([]);
});

test('the manifest reference lists only the supported keys for each property type', () => {
  const [, button = ''] = page('manifest.md').split('### Type `button`\n');
  const [, string = ''] = page('manifest.md').split('### Type `string`\n');
  const keys = (section: string): string[] =>
    [...(section.split('\n#')[0] ?? '').matchAll(/^- `(\w+)`/gm)].map(([, key = '']) => key);
  expect(keys(button)).toEqual(['type', 'title', 'description', 'button_text', 'callback_url']);
  expect(keys(string)).toEqual(['type', 'title', 'description', 'default', 'enum', 'completion_url']);
});
