import { findWorkerd, type InstalledWorkerd } from '../../src/sandbox/workerd/find-workerd.js';
import { workerdRuntime } from '../../src/sandbox/workerd/workerd-runtime.js';
import type { ScriptRuntime } from '../../src/sandbox/index.js';
import { workerProgram } from '../support/child-program.js';

/** The package that `test/workerd/install.ts` has installed for this run. */
export function installedWorkerd(): InstalledWorkerd & { folder: string } {
  const folder = process.env['WORKERD_FOLDER'];
  const found = folder === undefined ? undefined : findWorkerd([folder]);
  if (folder === undefined || !found) throw new Error('Run these tests with: npm run test:workerd');
  return { ...found, folder };
}

export async function testRuntime({ memoryMb = 512, flags = [] as string[] } = {}): Promise<ScriptRuntime> {
  const { binary, compatibilityDate, logging } = installedWorkerd();
  return workerdRuntime({
    binary,
    workerFile: await workerProgram(),
    version: '1.2.3',
    compatibilityDate,
    logging,
    compatibilityFlags: flags,
    memoryMb,
  });
}
