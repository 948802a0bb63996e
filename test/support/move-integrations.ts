import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const monorepo = fileURLToPath(new URL('../fixtures/monorepo', import.meta.url));

/** Integrations that were written for another platform, in one repository. */
export const integrations = readdirSync(join(monorepo, 'integrations')).sort();

/** Copies that repository and makes the copy look like the root of a Git repository. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'moved-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(monorepo, join(folder, 'acme'), { recursive: true });
  mkdirSync(join(folder, 'acme/.git'));
  return folder;
}
