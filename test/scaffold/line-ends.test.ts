import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editFence, editTag, insertBlock, parsePage, removeBlock } from '../../src/content/page/index.js';
import { writeTypesOnReload } from '../../src/dev/reload/reloader.js';
import { loadManifest } from '../../src/manifest/index.js';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { writeRecording } from '../../src/recordings/file/write-recording.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const read = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );

const command = async (cwd: string, text: string): Promise<void> => {
  const { code, stderr } = await runCli(text.split(' '), { cwd });
  expect([text, code, stderr]).toEqual([text, 0, expect.any(String)]);
};

const manifest = 'platform-manifest.yaml';

/** An edit, and what it needs to find in a file. */
const edits: [name: string, edit: (folder: string) => unknown, replace?: [string, string, string]][] = [
  ['add component status', (cwd) => command(cwd, 'add component status')],
  ['add event', (cwd) => command(cwd, 'add event space_content_updated')],
  ['add oauth', (cwd) => command(cwd, 'add oauth')],
  ['add scope', (cwd) => command(cwd, 'add scope space:content:write')],
  ['add secret', (cwd) => command(cwd, 'add secret API_KEY')],
  ['add configuration', (cwd) => command(cwd, 'add configuration channel --required')],
  ['validate --fix', (cwd) => command(cwd, 'validate --fix'), [manifest, 'visibility', 'visiblity']],
  [
    'types',
    (cwd) => command(cwd, 'types'),
    [manifest, 'visibility', 'secrets:\n  KEY: ${{ env.KEY }}\nvisibility'],
  ],
  [
    'upgrade --write',
    (cwd) => command(cwd, 'upgrade --write'),
    ['package.json', '"platform ', '"platform dev --no-install && platform '],
  ],
  [
    'a reload of the manifest',
    (cwd) => {
      const loaded = loadManifest({ file: join(cwd, manifest) });
      if (loaded.ok) writeTypesOnReload(loaded.value);
    },
    [manifest, 'visibility', 'secrets:\n  KEY: ${{ env.KEY }}\nvisibility'],
  ],
  [
    'replay --update',
    (cwd) => {
      const file = join(cwd, 'recordings/press.json');
      writeRecording(file, { ...readRecording(file), secrets: { A: 'b' } }, { within: cwd, replace: true });
    },
  ],
];

test.each(edits)('keeps the line endings of every file: %s', async (_, edit, replace) => {
  const cwd = temporaryFolder();
  await command(cwd, 'init . --name hello -t block -o acme');
  const before = read(cwd);
  const [path = '', from = '', to = ''] = replace ?? [];
  if (replace) before.set(path, (before.get(path) ?? '').replace(from, to));
  for (const [name, text] of before) writeFileSync(join(cwd, name), crlf(text));
  await edit(cwd);
  const changed = [...read(cwd)].filter(
    ([name, text]) => before.has(name) && text !== crlf(before.get(name) ?? ''),
  );
  expect(changed.length).toBeGreaterThan(0);
  for (const [name, text] of changed) expect([name, text.match(/(?<!\r)\n/g)]).toEqual([name, null]);
});

const page = '# A\n\n{% @hello/counter %}\n\n```mermaid\na\n```\n\nText.\n';
const startOf = (text: string, what: string): number => text.indexOf(what);

test.each<[name: string, edit: (text: string) => string | undefined]>([
  ['inserts', (text) => insertBlock(text, parsePage(text).ends[0] ?? 0, { name: 'a/b', props: {} })?.text],
  ['removes', (text) => removeBlock(text, startOf(text, '{%'), startOf(text, '%}') + 2)],
  ['edits a tag', (text) => editTag(text, startOf(text, '{%'), { start: 2 })],
  ['edits a fence', (text) => editFence(text, startOf(text, '```'), 'b\nc')],
])('keeps the line endings of a page: %s', (_, edit) => {
  const edited = edit(page) ?? '';
  expect(edited).not.toBe(page);
  expect(edit(crlf(page))).toBe(crlf(edited));
});
