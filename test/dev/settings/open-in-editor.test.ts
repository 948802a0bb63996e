import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { chooseEditor, editorWarning } from '../../../src/dev/settings/open-in-editor.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test.each([
  ['vscode', 'vscode://file/home/ana/my%20project/{file}:{line}:{column}'],
  ['cursor', 'cursor://file/home/ana/my%20project/{file}:{line}:{column}'],
  ['idea', 'idea://open?file=/home/ana/my%20project/{file}&line={line}&column={column}'],
])('creates the link for the editor %s', (name, link) => {
  expect(chooseEditor(name, { env: {}, folder: '/home/ana/my project' })).toEqual({ link });
});

test('prefers the editor from the environment to the one in the settings, and uses none by default', () => {
  const folder = '/project';
  const found = chooseEditor('vscode', { env: { PLATFORM_EDITOR: 'cursor' }, folder });
  expect(found?.link).toContain('cursor:');
  expect(chooseEditor(undefined, { env: { PLATFORM_EDITOR: ' ' }, folder })).toBeUndefined();
});

test('runs a custom editor command only for files in the project', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a b.ts'), '');
  writeFileSync(join(outside, 'secret.ts'), '');
  symlinkSync(join(outside, 'secret.ts'), join(folder, 'src/link.ts'));
  const record = join(folder, 'record.cjs');
  writeFileSync(
    record,
    "require('node:fs').writeFileSync(__dirname + '/opened', JSON.stringify([...process.argv.slice(2), process.cwd()]))",
  );
  const command = `"${process.execPath}" "${record}" --goto {path}:{line}:{column} $(HOME);`;
  const open = chooseEditor(undefined, { env: { PLATFORM_EDITOR: command }, folder })?.open;
  const at = { line: 3, column: 7 };
  for (const file of ['../secret.ts', 'src/link.ts', 'src', 'src/none.ts', join(outside, 'secret.ts')])
    expect(await open?.({ file, ...at }), file).toEqual({ outcome: 'not-found' });
  expect(existsSync(join(folder, 'opened'))).toBe(false);
  expect(await open?.({ file: 'src/a b.ts', ...at })).toEqual({ outcome: 'opened' });
  await expect
    .poll(() => existsSync(join(folder, 'opened')) && readFileSync(join(folder, 'opened'), 'utf8'), {
      timeout: 10_000,
    })
    .toMatch(/src\/a b\.ts:3:7","\$\(HOME\);","(?!.*platform-)/);
});

test.each(['constructor', '__proto__', 'touch /tmp/x {path}', 'code'])(
  'ignores the editor %s in the settings, with a warning',
  (setting) => {
    expect(chooseEditor(setting, { env: {}, folder: '/project' })).toBeUndefined();
    expect(editorWarning(setting)).toContain('PLATFORM_EDITOR');
  },
);

test('reports an editor command that cannot be started', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.ts'), '');
  const editor = chooseEditor(undefined, { env: { PLATFORM_EDITOR: 'no-such-editor-anywhere' }, folder });
  expect(await editor?.open?.({ file: 'a.ts', line: 1, column: 1 })).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('ENOENT'),
  });
});
