import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

/** A project whose pages have a problem of each kind. */
function createProject(): string {
  const folder = temporaryFolder();
  // Outside a repository, pages cannot link to HTML files.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeFiles(folder, {
    'platform-manifest.yaml': `name: hello
title: Hello
description: Blocks for a test.
organization: acme
visibility: private
script: src/index.js
scopes: []
blocks:
${['fine', 'fails', 'calls', 'frame'].map((id) => `  - { id: ${id}, title: ${id} }`).join('\n')}
`,
    'src/index.js': `export default { fetch: undefined };`,
    'docs/README.md':
      '# Home\n\n![](a%20b.png) [guide](guide/start.md#first-step) [text](notes.pdf) [old](index.html)\n\n{% @hello/fine %}\n\n' +
      '{% if visitor.claims.beta %}\n\nFor testers\n\n{% else %}\n\nFor everyone\n\n{% endif %}\n',
    'docs/guide/start.md': [
      '# Start',
      '## First: step',
      '[home](../README.md) [same](#first-step) [GitHub](#first-step) [fold](#more)',
      '[no](#nowhere) [no](../README.md#nowhere) [gone](gone.md)',
      '<details>\n<summary>More</summary>\n\nx\n\n</details>',
      '{% @hello/fails %}',
      '{% @hello/calls %}',
      '{% @hello/frame %}',
      '{% include "../parts/note.md" %}',
      '[included](#in-a-part) [root](/guide/start#more) [gone](/guide/strat)',
    ].join('\n\n'),
    'docs/parts/note.md': '# Note\n\n## In a part\n\n{% @hello/fails %}\n',
    'docs/a b.png': new Uint8Array([0x89, 0x50]),
    'docs/notes.pdf': 'notes',
    'docs/index.html': 'an old home page',
    'docs/unused.png': 'x',
  });
  writeFileSync(
    join(folder, 'src/index.js'),
    `import { createComponent, createIntegration } from 'integration-platform';
const one = (componentId, render) => createComponent({ componentId, initialState: {}, async render(element, context) { return render(context); } });
const box = (...children) => ({ type: 'block', children });
export default createIntegration({ components: [
  one('fine', () => box({ type: 'text', children: 'Shown' }, { type: 'button', label: 'Go', onPress: { action: 'go' } })),
  one('fails', () => { throw new Error('No sun today'); }),
  one('calls', async () => { await fetch('https://example.com/'); return box(); }),
  one('frame', ({ environment }) => box({ type: 'webframe', source: { url: environment.integration.urls.publicEndpoint } })),
] });
`,
  );
  return folder;
}

test('checks links, headings and blocks, and builds a copy that does not need the platform', async () => {
  const folder = createProject();
  const { code, stdout } = await runPlatform(['site', 'check', '--json'], { cwd: folder });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: {
      code: string;
      file: string;
      severity: string;
      message: string;
      range: { start: { line: number } };
    }[];
  };
  const found = (all: typeof diagnostics): string[] =>
    all.map((one) => `${one.code} ${one.file}:${one.range.start.line}`);
  const expected = [
    'content/broken-anchor docs/guide/start.md:7',
    'content/broken-anchor docs/guide/start.md:7',
    'content/broken-link docs/guide/start.md:7',
    'content/failed-block docs/guide/start.md:16',
    'content/failed-block docs/guide/start.md:18',
    'content/broken-link docs/guide/start.md:24',
    'content/failed-block docs/parts/note.md:5',
  ];
  expect(found(diagnostics)).toEqual(expected);
  expect(diagnostics[3]?.message).toBe(
    'The block fails fails to render at src/index.js:6: Error: No sun today',
  );
  expect(diagnostics[4]?.message).toContain('outbound requests are refused: example.com');
  expect(code).toBe(1);
  expect(existsSync(join(folder, '.platform'))).toBe(false);

  const built = await runPlatform(['site', 'build', 'out', '--json'], { cwd: folder });
  const report = JSON.parse(built.stdout) as { diagnostics: typeof diagnostics };
  const added = 'content/platform-address docs/guide/start.md:20';
  expect(found(report.diagnostics)).toEqual([...expected.slice(0, 5), added, ...expected.slice(5)]);
  const read = (path: string): string => readFileSync(join(folder, 'out', path), 'utf8');
  const home = read('index.html');
  const start = read('guide/start/index.html');
  expect(home).toContain('href="guide/start/index.html#h-first-step"');
  expect(home).toContain('src="a%20b.png"');
  expect(home).toMatch(/<button disabled[^>]*>.*Go/s);
  expect(home).toContain('the controls of this block don’t work');
  expect(home).toContain('For everyone');
  expect(home).not.toContain('For testers');
  expect(start).toContain('href="../../index.html"');
  expect(start.match(/can’t be shown right now/g)).toHaveLength(4);
  expect(start).toContain('href="../../platform-site.css"');
  for (const page of [home, start])
    expect(page).not.toMatch(
      /127\.\d|localhost|No sun today|search-button|Visitor|page-data|<script type="app/,
    );
  expect(read('notes.pdf')).toBe('notes');
  expect(home).toContain('href="file-index.html"');
  expect(read('file-index.html')).toBe('an old home page');
  expect(existsSync(join(folder, 'out/unused.png'))).toBe(false);

  // A later build removes what it no longer writes, and nothing else.
  writeFileSync(join(folder, 'out/mine.txt'), 'mine');
  rmSync(join(folder, 'docs/guide'), { recursive: true });
  await runPlatform(['site', 'build', 'out', '--base-url', 'https://docs.example.com/pr/7'], { cwd: folder });
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    '.platform-site.json',
    '404.html',
    'a b.png',
    'file-index.html',
    'index.html',
    'mine.txt',
    'notes.pdf',
    'parts',
    'platform-site.css',
    'platform-site.js',
  ]);
  expect(read('404.html')).toContain('href="/pr/7/platform-site.css"');
  expect(read('index.html')).toContain('src="/pr/7/a%20b.png"');
}, 60_000);

test.each([
  ['a folder with other files', { 'out/mine.txt': 'mine' }, 'not-empty'],
  [
    'a file that an earlier build did not write',
    { 'out/.platform-site.json': '{"files":[]}', 'out/index.html': 'mine' },
    'foreign-file',
  ],
])('does not build into %s', async (_, files, code) => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'docs/README.md': '# Pages', ...files });
  const built = await runPlatform(['site', 'build', 'out', 'docs', '--json'], { cwd: folder });
  expect([built.code, built.stdout + built.stderr]).toEqual([2, expect.stringContaining(code)]);
  for (const [path, content] of Object.entries(files))
    if (!path.endsWith('.json')) expect(readFileSync(join(folder, path), 'utf8')).toBe(content);
});

test('does not follow a list of files or a link out of the output folder', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, {
    'docs/README.md': '# Pages',
    'mine.txt': 'mine',
    'out/.platform-site.json': '{"files":["../mine.txt","/mine.txt"]}',
  });
  expect((await runPlatform(['site', 'build', 'out', 'docs'], { cwd: folder })).code).toBe(0);
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test("builds this project's own documentation, whose links and headings exist", async () => {
  const folder = temporaryFolder();
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const { code, stdout } = await runPlatform(['site', 'build', 'out', docs, '--json'], {
    cwd: folder,
    limitMs: 60_000,
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string }[] };
  // Links to files of the repository next to the folder.
  expect(
    diagnostics.map(({ message }) => message).filter((message) => !/points to \.\.\//.test(message)),
  ).toEqual([]);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'out/guides/site/index.html'), 'utf8')).toContain(
    '<h1>Your block on a page</h1>',
  );
}, 90_000);
