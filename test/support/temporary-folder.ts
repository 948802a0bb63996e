import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const create = (parent: string, end: (remove: () => void) => void): string => {
  const folder = mkdtempSync(join(realpathSync(parent), 'platform-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Creates a folder that is deleted when the test ends. */
export const temporaryFolder = (parent = tmpdir()): string => create(parent, onTestFinished);

/** Creates a folder for all tests of a file. */
export const sharedFolder = (): string => create(tmpdir(), (remove) => afterAll(remove, 120_000));

/** Writes files by their paths in the folder, and makes the folders that they need. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
