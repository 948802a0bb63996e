import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const monorepo = fileURLToPath(new URL('../fixtures/monorepo', import.meta.url));

/** Integrations written for another platform, as parts of one repository. */
export const integrations = readdirSync(join(monorepo, 'integrations')).sort();

/** A copy of that repository, with a root that git would know. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'moved-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(monorepo, join(folder, 'acme'), { recursive: true });
  mkdirSync(join(folder, 'acme/.git'));
  return folder;
}
