import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked } from '../../support/packed.js';
import type { Figure, Row } from '../row.js';

/** Installs the packed package into an empty folder. */
async function installed(measure: (folder: string) => Figure): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-bench-package-'));
  try {
    await installPacked(folder);
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const size = (folder: string): Figure => {
  const kilobytes = execFileSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' });
  return { value: Number.parseInt(kilobytes, 10) / 1024, unit: 'MB' };
};

const packages = (folder: string): Figure => {
  const paths = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: folder, encoding: 'utf8' });
  // The first line is the folder itself.
  return { value: paths.trim().split('\n').length - 1, unit: '' };
};

export const packageRows: Row[] = [
  { what: 'installed size', reach: { atMost: 40 }, measure: () => installed(size) },
  { what: 'installed packages', reach: { atMost: 12 }, measure: () => installed(packages) },
];
