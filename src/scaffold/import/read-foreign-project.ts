import { opendirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../../base/node/is-inside.js';
import { readStats } from '../../base/node/read-stats.js';
import { UserError } from '../../base/user-error.js';
import { isRefusedFile, readRegularFile } from '../../base/node/regular-file.js';
import type { ProjectFiles } from '../files/files-in-memory.js';
import { asRead } from './auto-run/find-auto-run.js';
import type { Step } from '../../terminal/progress-line.js';

/** Files that will be regenerated, so they are neither copied nor mentioned. */
const unmentioned = /^(node_modules|\.git|git~\d|\.ds_store)$/;
/**
 * Secrets and session state. If the session state was copied, its webhook endpoints would receive the new owner's events.
 */
const ofOneComputer = /^(\.platform|\.env|\.env\.(?!example$|sample$|template$).*)$/;
const built = /^(dist|build|coverage)$/;

/** Far more than an integration needs. These limits protect memory if the folder is the wrong one or malicious. */
const limits = { entries: 10_000, fileBytes: 16 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

export interface ReadProject {
  files: ProjectFiles;
  modes: ReadonlyMap<string, number>;
  /** Links that point to nothing, or to a folder that contains them. */
  broken: string[];
  /** Links that point outside the folder. They are not followed. */
  outside: string[];
  /** Local values and build output, which are not copied. */
  left: string[];
}

export async function readProject(folder: string, step: Step): Promise<ReadProject> {
  if (!readStats(folder)?.isDirectory()) {
    throw new UserError('no-such-folder', `Folder not found: ${folder}.`);
  }
  const root = realpathSync(folder);
  const files = new Map<string, Uint8Array>();
  const modes = new Map<string, number>();
  const broken: string[] = [];
  const outside: string[] = [];
  const left: string[] = [];
  const budget = createBudget(folder);
  const read = async (below: string, above: readonly string[]): Promise<void> => {
    const here = realpathSync(join(root, below));
    if (above.includes(here)) return void broken.push(below);
    for (const name of budget.list(here)) {
      const path = below === '' ? name : `${below}/${name}`;
      await step(`Reading ${path}`);
      if (unmentioned.test(asRead(name))) continue;
      if (ofOneComputer.test(asRead(name)) || (below === '' && built.test(name))) {
        left.push(path);
        continue;
      }
      const stat = readStats(join(root, path));
      if (!stat) broken.push(path);
      else if (!isInside(join(root, path), root)) outside.push(path);
      else if (stat.isDirectory()) await read(path, [...above, here]);
      else if (stat.isFile()) {
        files.set(path, budget.read(path, realpathSync(join(root, path))));
        modes.set(path, stat.mode & 0o777);
      }
    }
  };
  await read('', []);
  return { files, modes, broken, outside, left };
}

function createBudget(folder: string) {
  let entries = 0;
  let total = 0;
  const refuse = (reason: string): UserError =>
    new UserError(
      'folder-too-large',
      `Did not read ${folder}: ${reason}.`,
      'Use the folder of a single integration, and remove everything that is not source code.',
    );
  return {
    /** Returns the sorted entries of a folder. Stops at the limit, no matter how large the folder is. */
    list(path: string): string[] {
      const names: string[] = [];
      const opened = opendirSync(path, { bufferSize: 1024 });
      try {
        for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
          if (++entries > limits.entries)
            throw refuse(`it has more than ${limits.entries} files and folders`);
          names.push(entry.name);
        }
      } finally {
        opened.closeSync();
      }
      return names.sort();
    },
    read(path: string, real: string): Uint8Array {
      let bytes: Uint8Array;
      try {
        bytes = readRegularFile(real, limits.fileBytes);
      } catch (error) {
        if (isRefusedFile(error)) throw refuse(`${path}: it ${error.reason}`);
        throw error;
      }
      total += bytes.length;
      if (total > limits.totalBytes)
        throw refuse(`its files are larger than ${limits.totalBytes} bytes (${path})`);
      return bytes;
    },
  };
}
