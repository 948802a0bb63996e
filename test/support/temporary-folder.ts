import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test has ended. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
