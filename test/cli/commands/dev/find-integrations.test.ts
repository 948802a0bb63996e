import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { findIntegrations } from '../../../../src/cli/commands/dev/find-integrations.js';
import { manifestText } from '../../../support/manifest-text.js';
import { temporaryFolder, writeFiles } from '../../../support/temporary-folder.js';

const workspace = { 'platform.dev.yaml': 'workspace: [apps/*, other]\n' };

test.each<[what: string, named: string[], more: Record<string, string>, found: string[] | undefined]>([
  ['the folders that match a pattern', ['apps/*'], {}, ['apps/a', 'apps/b']],
  ['the workspace of the dev settings', [], workspace, ['apps/a', 'apps/b', 'other']],
  ['the given folders instead of the workspace', ['apps/a', 'other'], workspace, ['apps/a', 'other']],
  ["only the folder's own integration", [], { ...workspace, 'platform-manifest.yaml': '' }, undefined],
  ['nothing without dev settings', [], {}, undefined],
])('finds %s', (_, named, more, found) => {
  const cwd = temporaryFolder();
  const names = ['apps/a', 'apps/b', 'other'];
  writeFiles(cwd, {
    ...Object.fromEntries(names.map((at) => [`${at}/platform-manifest.yaml`, manifestText({})])),
    'apps/README.md': '',
    ...more,
  });
  expect(findIntegrations(named, cwd)?.map((file) => relative(cwd, file))).toEqual(
    found?.map((folder) => `${folder}/platform-manifest.yaml`),
  );
});

test('rejects a workspace in broken dev settings', () => {
  const cwd = temporaryFolder();
  writeFiles(cwd, { 'platform.dev.yaml': 'workspace: 5\n' });
  expect(() => findIntegrations([], cwd)).toThrow('platform.dev.yaml has errors.');
});
