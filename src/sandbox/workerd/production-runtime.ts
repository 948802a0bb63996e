import { join } from 'node:path';
import type { ScriptRuntime } from '../process/script-process.js';
import type { InstalledWorkerd } from './find-workerd.js';
import type { WorkerdProgram } from './start-workerd.js';
import { workerdRuntime } from './workerd-runtime.js';

/** The largest heap of a script: more than production gives, and less than harms a laptop. */
const MEMORY_MB = 512;

interface Choice extends Partial<Pick<WorkerdProgram, 'compatibilityDate' | 'compatibilityFlags' | 'fetch'>> {
  /** Of this package, with what its build has made. */
  packageFolder: string;
  /** Of the platform. */
  version: string;
}

/** The runtime of production, with the newest behaviour that it knows unless the project chooses another. */
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
