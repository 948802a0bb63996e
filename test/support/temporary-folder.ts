import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const create = (parent: string, end: (remove: () => void) => void): string => {
  const folder = mkdtempSync(join(parent, 'platform-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Creates a folder that is deleted when the test ends. */
export const temporaryFolder = (parent = tmpdir()): string => create(parent, onTestFinished);

/** Creates a folder for all tests of a file. */
export const sharedFolder = (): string => create(tmpdir(), (remove) => afterAll(remove, 120_000));
