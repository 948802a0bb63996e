import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { importProject } from '../../../src/scaffold/import/import-project.js';
import { runCli } from '../../support/run-cli.js';

const project = {
  'from/acme-manifest.yaml':
    'name: weather\ntitle: Weather\ndescription: Shows the weather of a place.\norganization: acme\nvisibility: private\nscopes: []\nscript: ./index.js\n',
  'from/index.js':
    "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n",
};

async function importWith(files: Record<string, string>) {
  const inFolder = Object.entries(files).map(([path, text]) => [`from/${path}`, text] as const);
  await using fixture = await createFixture({ ...project, ...Object.fromEntries(inFolder) });
  return importProject(fixture.getPath('from'), { sdkSpec: '^1.0.0' });
}

const json = (value: object): string => JSON.stringify(value, null, 2);

test.each<[path: string, text: string, line: number | undefined, shown: string, unsafe?: string]>([
  ['package.json', json({ scripts: { postinstall: 'node x' } }), 3, '"node x"', 'scripts'],
  ['package.json', json({ scripts: { prepare: 'husky' } }), 3, '"husky"', 'scripts'],
  ['package.json', json({ scripts: { PreInstall: 'node x' } }), 3, '"node x"', 'scripts'],
  ['package.json', json({ packageManager: 'yarn@https://x.example/y.js' }), 2, 'yarn@https', 'install'],
  ['package.json', json({ pnpm: { patchedDependencies: {} } }), 2, 'patchedDependencies', 'scripts'],
  ['package.json', json({ dependencies: { a: 'git+ssh://x/y' } }), 3, 'git+ssh://x/y', 'scripts'],
  ['package.json', json({ overrides: { a: { b: 'user/repository' } } }), 4, 'user/repository', 'scripts'],
  ['package.json', json({ dependencies: { a: './b/../../a' } }), 3, './b/../../a', 'scripts'],
  ['package.json', json({ dependencies: { a: 'file:/a' } }), 3, 'file:/a', 'scripts'],
  ['package.json', json({ dependencies: { a: 'file:~/a' } }), 3, 'file:~/a', 'scripts'],
  ['package.json', json({ dependencies: { a: 'file:%2E%2E/a' } }), 3, 'file:%2E', 'scripts'],
  ['package.json', json({ dependencies: { a: 'file:b/..\\..\\a' } }), 3, 'file:b', 'scripts'],
  ['packed/a.TGZ', '', undefined, 'archive', 'scripts'],
  ['packed/a.tar.gz', '', undefined, 'archive', 'scripts'],
  ['package.json', json({ 'simple-git-hooks': { 'pre-commit': 'x' } }), 2, 'pre-commit'],
  ['package.json', '{ // a comment\n}', undefined, 'unknown', 'install'],
  ['a/b/Package.json', '{"scripts":{"preinst\\u0061ll":"x"}}', undefined, '"preinstall"', 'scripts'],
  ['.npmrc', 'save-exact=true\nregistry=https://x.example/', 2, 'registry=https://x.example/', 'scripts'],
  ['.npmrc', '//x.example/:_authToken=canary-1', 1, '_authToken=…', 'scripts'],
  ['.npmrc', 'registry=https://x.example/${HOME}', 1, '${HOME}', 'install'],
  ['.npmrc', '; a comment\n git=./git.sh', 2, 'git=./git.sh', 'install'],
  ['.NpmRc', 'git=./git.sh', 1, 'git=./git.sh', 'install'],
  ['.yarnrc.yml', 'nodeLinker: node-modules\nyarnPath: ./y.cjs', 2, 'yarnPath: ./y.cjs', 'install'],
  ['.yarnrc.yml', '"yarn\\x50ath": ./y.cjs', 1, 'x50ath', 'install'],
  ['.yarnrc', 'yarn-path "./y.cjs"', 1, 'yarn-path', 'install'],
  ['.yarn/releases/y.cjs', '', undefined, 'Yarn', 'install'],
  ['pnpm-workspace.yaml', 'packages:\n  - a\npnpmfile: x.cjs', 3, 'pnpmfile: x.cjs', 'install'],
  ['.pnpmfile.cjs', '// x\nmodule.exports = 1;', 2, 'module.exports = 1;', 'install'],
  ['package.yaml', 'scripts: {}', undefined, 'pnpm', 'install'],
  ['bunfig.toml', 'preload = ["./x.ts"]', 1, 'preload', 'install'],
  ['binding.gyp', '{}', undefined, 'node-gyp', 'scripts'],
  [
    'package-lock.json',
    json({ packages: { 'node_modules/a': { resolved: 'http://x.example/a.tgz' } } }),
    4,
    'x.example',
    'scripts',
  ],
  [
    'package-lock.json',
    json({ packages: { 'node_modules/a': { resolved: '../../a', link: true } } }),
    4,
    '../../a',
    'scripts',
  ],
  ['package-lock.json', '{\n"resolved":"file:../a.tgz" }', 2, 'file:../a.tgz', 'scripts'],
  ['pnpm-lock.yaml', 'x:\n  resolution: {directory: ../a, type: directory}', 2, '../a', 'scripts'],
  ['yarn.lock', 'a@1:\n  resolved "https://x.example/a.tgz"', 2, 'x.example', 'scripts'],
  ['.husky/pre-commit', '#!/bin/sh\nnode x', 2, '"node x"'],
  ['lefthook.yml', 'pre-commit:\n  commands:\n    a:\n      run: node x', 4, 'run: node x'],
  ['.vscode/tasks.json', json({ tasks: [{ command: 'node x' }] }), 4, 'node x'],
  ['.vscode/settings.json', '{}', undefined, 'Editors can run'],
  ['sub/.idea/workspace.xml', '', undefined, 'Editors can run'],
  ['.devcontainer/devcontainer.json', '{\n"postCreateCommand": "node x"}', 2, 'node x'],
  ['.envrc', '# x\nnode x', 2, '"node x"'],
  ['.mise.toml', '[hooks]\nenter = "node x"', 2, 'node x'],
  ['.github/workflows/a.yml', 'jobs:\n  a:\n    - run: node x', 3, 'run: node x'],
  ['bare/config', '', undefined, 'Git repository'],
])('asks about code that runs automatically in %s with %j', async (path, text, line, shown, unsafe) => {
  const bare = path === 'bare/config' ? { 'bare/HEAD': 'ref: x' } : {};
  const imported = await importWith({ [path]: text, ...bare });
  const of = imported.decisions.filter(({ file, message }) => file === path && message.includes(shown));
  expect(of).toEqual([{ file: path, ...(line !== undefined && { line }), message: of[0]?.message }]);
  expect(imported.unsafe).toBe(unsafe);
  expect(imported.files.has(path)).toBe(true);
  expect(JSON.stringify(imported.decisions)).not.toContain('canary');
});

test('lists files of assistants, and every dot folder and dot file that is not known to be harmless', async () => {
  const unknown = [
    '.aider.conf.yml',
    '.clinerules',
    '.cursorrules',
    '.github/copilot-instructions.md',
    '.kiro/hooks/a',
    '.roo/mcp.json',
    '.lintstagedrc',
    'sub/.buildkite/pipeline.yml',
    'sub/.github/workflows/a.yml',
    '.\u200Bhelix/config',
    '.claude/skills/a.md',
    '.yarn/cache/a.zip',
    'opencode.json',
    'opencode.jsonc',
    'crush.json',
    'mcp.json',
    '.mcp.json',
    'QWEN.md',
    'WARP.md',
    'CRUSH.md',
    'AGENT.md',
    'AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
  ];
  const plain = [
    '.gitignore',
    'sub/.gitkeep',
    '.editorconfig',
    '.prettierrc.json',
    '.env.example',
    '.github/ISSUE_TEMPLATE/a.md',
    '.husky/README.md',
  ];
  const { decisions } = await importWith(
    Object.fromEntries([...unknown, ...plain].map((path) => [path, 'x'])),
  );
  const listed = decisions.map(({ file }) => file);
  const covers = (path: string) =>
    listed.some((file) => path === file || (file.endsWith('/') && path.startsWith(file)));
  expect(unknown.filter((path) => !covers(path))).toEqual([]);
  expect(plain.filter((path) => listed.includes(path))).toEqual([]);
});

test.each<[text: string, lines: (number | undefined)[]]>([
  ['', [1, 3, 9]],
  ['port: none\nunknown: 1\n', [1, 3, 9]],
  ['port: [', [undefined]],
])('lists what platform.dev.yaml chooses outside the project, also if it ends in %j', async (end, lines) => {
  const { decisions } = await importWith({
    'platform.dev.yaml': `editor: code\noutbound:\n  api.example.com:\n    to: http://127.0.0.1:9\n    credentials: real\nspaces:\n  - id: space_a\n    title: A\n    content: ../../.ssh\n${end}`,
  });
  const of = decisions.filter(({ file }) => file === 'platform.dev.yaml');
  expect(of.map(({ line }) => line)).toEqual(lines);
});

test('does not ask about common settings or a lock file that uses only the public registry', async () => {
  const { decisions, unsafe } = await importWith({
    '.npmrc': '# ours\nengine-strict=true\nsave-exact = true\n\n',
    '.yarnrc.yml': 'nodeLinker: node-modules\n',
    'pnpm-workspace.yaml': 'packages:\n  - a/*\n',
    '.vscode/extensions.json': '{ "recommendations": [] }',
    'package-lock.json': json({
      packages: {
        'node_modules/a': {
          resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz',
          funding: { url: 'https://x.example' },
        },
      },
    }),
    'package.json': json({
      packageManager: 'pnpm@10.1.0+sha512.ab12',
      scripts: { test: 'node --test', prefix: 'node x' },
      dependencies: { a: '^1.0.0', b: 'npm:c@^2', d: 'latest', e: 'file:e', f: './f', g: 'workspace:*' },
    }),
    'e/package.json': json({ dependencies: { f: 'file:../f' } }),
    'f/package.json': '{}',
  });
  expect(decisions.filter(({ file }) => file !== 'package.json' || unsafe !== undefined)).toEqual([]);
});

test.each([
  '.platform/state.json',
  '.Platform/state.json',
  'a/.platform/state.json',
  '.platform\u200D/state.json',
])('never copies %j when importing a project', async (path) => {
  const { files, decisions } = await importWith({ [path]: 'planted' });
  expect([...files.keys()].filter((file) => file.includes('state.json'))).toEqual([]);
  expect(decisions).toContainEqual({
    file: path.replace('/state.json', ''),
    message: 'This folder contains the state of a session, so it was not copied.',
  });
});

test('--install reports that the package manager is missing', async () => {
  await using fixture = await createFixture(project);
  const argv = ['init', 'here', '--from', 'from', '--yes', '--install', '--package-manager', 'bun'];
  const before = process.env['PATH'];
  process.env['PATH'] = fixture.path;
  const { code, stderr } = await runCli(argv, { cwd: fixture.path }).finally(() => {
    process.env['PATH'] = before;
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining('error bun is not installed.\n')]);
});
