import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Creates a folder in which programs find the built package and the Postgres driver as if they were installed. */
export function linkPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platform-linked-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, join(modules, 'integration-platform'));
  symlinkSync(join(root, 'node_modules/pg'), join(modules, 'pg'));
  return folder;
}
