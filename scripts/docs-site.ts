import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages of the documentation's site, and the files that they link to. */
const parts = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'action.yml',
  'docs',
];

/** Builds the site of the documentation in a folder. The README is its first page. */
const [output = 'site', ...options] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'platform-documentation-'));
try {
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  const platform = join(root, 'bin/platform.js');
  execFileSync(process.execPath, [platform, 'site', 'build', resolve(output), folder, ...options], {
    stdio: 'inherit',
  });
} finally {
  rmSync(folder, { recursive: true });
}
