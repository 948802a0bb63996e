import { join } from 'node:path';
import type { ScriptRuntime } from '../process/script-process.js';
import type { InstalledWorkerd } from './find-workerd.js';
import type { WorkerdProgram } from './start-workerd.js';
import { workerdRuntime } from './workerd-runtime.js';

/** The maximum heap of a script: more than in production, but small enough for a laptop. */
const MEMORY_MB = 512;

interface Choice extends Partial<Pick<WorkerdProgram, 'compatibilityDate' | 'compatibilityFlags' | 'fetch'>> {
  /** The folder of this package, which contains its build output. */
  packageFolder: string;
  /** The platform's version. */
  version: string;
}

/** The runtime of production. Uses its newest compatibility date, unless the project chooses another. */
export function productionRuntime(
  { binary, compatibilityDate }: InstalledWorkerd,
  { packageFolder, ...choice }: Choice,
): ScriptRuntime {
  return workerdRuntime({
    binary,
    workerFile: join(packageFolder, 'dist/sandbox/workerd/worker.mjs'),
    memoryMb: MEMORY_MB,
    compatibilityDate,
    compatibilityFlags: [],
    ...choice,
  });
}
