import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { pagesToInstallFrom, withInstallText } from '../../scripts/install-text.js';
import { packForRegistry, releaseProblems, stepFailure } from '../../scripts/release.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ready = {
  version: '1.2.0',
  changelog: '# Changelog\n\n## 1.2.0 (2026-11-22)\n',
  changes: '',
  tags: ['v1.1.0', ''],
  locked: '1.2.0',
  pages: new Map([['README.md', 'Install the package.']]),
};

test('accepts a release from a clean working tree with a dated changelog section', () => {
  expect(releaseProblems(ready)).toEqual([]);
});

test.each([
  ['uncommitted changes', { changes: ' M src/a.ts\n' }, 'src/a.ts'],
  ['a changelog without the version', { changelog: '# Changelog\n\n## Unreleased\n' }, '"Unreleased"'],
  ['a changelog section for another version', { changelog: '## 1x2x0 (2026-11-22)\n' }, '1x2x0'],
  ['a version that is already tagged', { tags: ['v1.2.0'] }, 'v1.2.0'],
  ['another version in the lock file', { locked: '1.1.0' }, '1.1.0'],
  ['a page for people without it', { pages: new Map([['a.md', "It isn't published yet."]]) }, 'a.md'],
])('rejects a release with %s', (_, change, named) => {
  const problems = releaseProblems({ ...ready, ...change });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(named);
});

test('only the URL of the repository is left to change by hand once the package is published', () => {
  const pages = new Map(
    pagesToInstallFrom().map((page) => [
      page.pathname.split('/').at(-1) ?? '',
      withInstallText(readFileSync(page, 'utf8'), true),
    ]),
  );
  expect(pages.get('README.md')).not.toMatch(/unpublished|npm run demo|npm pack/);
  const problems = releaseProblems({ ...ready, pages });
  // A release has already changed it.
  expect(problems.filter((problem) => !problem.includes('not public: ci.md.'))).toEqual([]);
});

test('prints the failed command and the next step instead of a stack', () => {
  const failureOf = (step: () => void): string => {
    try {
      step();
    } catch (error) {
      return stepFailure(error);
    }
    return '';
  };
  const failed = failureOf(() => execFileSync('node', ['-e', 'process.exit(3)']));
  expect(failed).toMatch(/^\nCommand failed: node -e .*\n.*run "npm run release" again\.$/);
  const missing = 'missing-command';
  expect(failureOf(() => execFileSync(missing))).toMatch(/missing-command ENOENT\n/);
  const bug = new TypeError('a bug');
  expect(() => stepFailure(bug)).toThrow(bug);
});

test('packs with the prepack script even if npm ignores scripts, and restores package.json if it fails', () => {
  vi.stubEnv('npm_config_ignore_scripts', 'true');
  const folder = temporaryFolder();
  const prepack = 'npm pkg set built=yes && test ! -f broken';
  const manifest = JSON.stringify({ name: 'a', version: '1.0.0', files: [], scripts: { prepack } });
  writeFileSync(join(folder, 'package.json'), manifest);
  writeFileSync(join(folder, 'README.md'), '# A');
  const file = packForRegistry(folder);
  const packed = execFileSync('tar', ['xzOf', join(folder, file), 'package/package.json'], {
    encoding: 'utf8',
  });
  expect(JSON.parse(packed)).toMatchObject({ built: 'yes' });

  writeFileSync(join(folder, 'broken'), '');
  expect(() => packForRegistry(folder)).toThrow('npm pack');
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(manifest);
});
