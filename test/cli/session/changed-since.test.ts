import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestText } from '../../support/manifest-text.js';
import { runCli } from '../../support/run-cli.js';
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.js';

const script = 'import { greet } from "../../../packages/greet";\nexport default { fetch: greet };\n';

function createRepository(): string {
  const folder = temporaryFolder();
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], { cwd: folder });
  writeFiles(folder, {
    '.gitignore': '*.log',
    'package-lock.json': '{}',
    'packages/greet.ts': 'export const greet = () => new Response();',
    'packages/other.ts': '',
    'guide/README.md': '# Guide',
    'apps/one/platform-manifest.yaml': manifestText({ name: 'one', more: 'script: index.ts\n' }),
    'apps/one/index.ts': script.replace('../../../', '../../'),
    'apps/one/notes.txt': '',
    'apps/two/platform-manifest.yaml': manifestText({ name: 'two' }),
    'apps/two/platform.dev.yaml':
      'spaces:\n  - id: guide\n    title: Guide\n    content: ../../guide\nsites:\n  - id: site\n    title: Site\n    spaces: [guide]\n',
  });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'First version');
  return folder;
}

const validate = (cwd: string, commit = 'HEAD') =>
  runCli(['validate', 'apps/*', '--since', commit, '--format', 'json'], { cwd });

test.each<[what: string, changes: Record<string, string | undefined>, files: string[]]>([
  ['nothing', { 'packages/other.ts': '//', 'apps/one/x.log': '' }, []],
  ['a file that its script imports', { 'packages/greet.ts': 'export const greet = 1;' }, ['one']],
  ['a new file in its folder', { 'apps/one/new.ts': '' }, ['one']],
  ['a removed file', { 'apps/one/notes.txt': undefined }, ['one']],
  ['a file of its pages', { 'guide/README.md': '# Manual' }, ['two']],
  ['a lock file', { 'package-lock.json': '{ }' }, ['one', 'two']],
  [
    'its name, which is then that of another',
    { 'apps/one/platform-manifest.yaml': manifestText({ name: 'two' }) },
    ['one'],
  ],
])('selects the integrations with changes if a commit changes %s', async (what, changes, names) => {
  const folder = createRepository();
  for (const [path, text] of Object.entries(changes))
    if (text === undefined) rmSync(join(folder, path));
    else writeFiles(folder, { [path]: text });
  const { stdout, stderr } = await validate(folder);
  const { files, diagnostics } = JSON.parse(stdout) as { files: string[]; diagnostics: { code: string }[] };
  expect([...new Set(files.map((file) => file.split('/')[1]))]).toEqual(names);
  expect(diagnostics.map(({ code }) => code)).toEqual(
    what.startsWith('its name') ? ['manifest/duplicate-name'] : [],
  );
  expect(stderr).toContain(`${names.length} of 2 integrations`);
});

test('rejects an unknown commit', async () => {
  const folder = createRepository();
  for (const commit of ['nosuch', '--output=x'])
    expect(await validate(folder, commit)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('no-commit'),
    });
});
