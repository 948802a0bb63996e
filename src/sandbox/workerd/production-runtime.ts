import { join } from 'node:path';
import type { FoundRuntime, WorkerdFacts } from '../process/script-process.js';
import { findWorkerd } from './find-workerd.js';
import type { WorkerdProgram } from './start-workerd.js';
import { workerdRuntime } from './workerd-runtime.js';

/** The maximum heap size of a script. Larger than in production, but small enough for a laptop. */
const MEMORY_MB = 512;

export interface WorkerdSearch {
  folder: string;
  /** This package's build output folder and version. */
  package: { folder: string; version: string };
  /** Defaults to the newest date that the installed version supports. */
  compatibilityDate?: string | undefined;
  compatibilityFlags?: readonly string[] | undefined;
  /** Replaces the `fetch` of this process, which sends the script's requests. */
  fetch?: typeof globalThis.fetch;
}

/** Returns the production runtime if it is installed in the project or in this package. */
export function findProductionRuntime(search: WorkerdSearch): FoundRuntime<WorkerdFacts> | undefined {
  const found = findWorkerdProgram(search, 'worker.mjs');
  return found && { ...workerdRuntime(found.program), facts: found.facts };
}

/** Returns the program together with one of this package's modules, which runs in front of scripts. */
export function findWorkerdProgram(
  search: WorkerdSearch,
  worker: string,
): { program: WorkerdProgram; facts: WorkerdFacts } | undefined {
  const { folder, package: own, compatibilityFlags = [], fetch } = search;
  const installed = findWorkerd([folder, own.folder]);
  if (!installed) return undefined;
  const { binary, version, logging } = installed;
  const { compatibilityDate = installed.compatibilityDate } = search;
  return {
    program: {
      binary,
      logging,
      workerFile: join(own.folder, 'dist/sandbox/workerd', worker),
      version: own.version,
      memoryMb: MEMORY_MB,
      compatibilityDate,
      compatibilityFlags,
      ...(fetch && { fetch }),
    },
    facts: { name: 'workerd', version, compatibilityDate, compatibilityFlags },
  };
}
