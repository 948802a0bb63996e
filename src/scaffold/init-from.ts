import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../diagnostics/index.js';
import { asUserError } from './as-user-error.js';
import { importProject, type ImportedProject } from './import-project.js';
import { refuseOccupied } from './refuse-occupied.js';
import { findSdkSpec } from './sdk-spec.js';
import { writeFolder } from './write-folder.js';

export interface InitFromOptions {
  from: string;
  folder?: string;
  sdk?: string;
  dryRun?: boolean;
}

export interface InitFromResult extends ImportedProject {
  folder: string;
  written: boolean;
}

/** Brings an integration of this kind here; the one it comes from stays as it is. */
export function initFrom(
  { from, folder, sdk, dryRun = false }: InitFromOptions,
  { cwd, now }: { cwd: string; now: number },
): InitFromResult {
  if (folder === undefined) {
    throw new UserError('missing-input', 'platform init --from lacks <folder>, where the new copy goes.');
  }
  const target = resolve(cwd, folder);
  const shown = relative(cwd, target) || '.';
  const imported = importProject(resolve(cwd, from), sdk ?? findSdkSpec(packageFolder));
  refuseOccupied(target, shown, imported.files);
  try {
    if (!dryRun) writeFolder({ folder: target, cwd, now }, imported.files);
  } catch (error) {
    throw asUserError(error, shown);
  }
  return { ...imported, folder: target, written: !dryRun };
}

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
