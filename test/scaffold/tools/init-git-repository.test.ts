import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRepository } from '../../../src/scaffold/tools/init-git-repository.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test("creates the repository on the workflow's branch, regardless of Git's default branch", async () => {
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'init.defaultBranch',
    GIT_CONFIG_VALUE_0: 'trunk',
  };
  await startRepository(folder, {
    run: async (command, { cwd }) => void execSync(command, { cwd, env }),
    note: (text) => expect.unreachable(text),
  });
  expect(readFileSync(join(folder, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  const workflow = readFileSync(
    new URL('../../../templates/shared/_github/workflows/check.yml', import.meta.url),
    'utf8',
  );
  expect(workflow).toContain('branches: [main]');
});
