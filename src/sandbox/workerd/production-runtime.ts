import { join } from 'node:path';
import type { FoundRuntime, WorkerdFacts } from '../process/script-process.js';
import { findWorkerd } from './find-workerd.js';
import { workerdRuntime } from './workerd-runtime.js';

/** The maximum heap of a script: more than in production, but small enough for a laptop. */
const MEMORY_MB = 512;

export interface WorkerdSearch {
  /** The project's folder. */
  folder: string;
  /** This package: its folder, which contains its build output, and its version. */
  package: { folder: string; version: string };
  /** Default: the newest that the installed version supports. */
  compatibilityDate?: string | undefined;
  compatibilityFlags?: readonly string[] | undefined;
  /** Replaces the `fetch` of this process, through which scripts send their requests. */
  fetch?: typeof globalThis.fetch;
}

/** The runtime of production, if the project or this package has it installed. */
export function findProductionRuntime(search: WorkerdSearch): FoundRuntime<WorkerdFacts> | undefined {
  const { folder, package: own, compatibilityFlags = [], fetch } = search;
  const installed = findWorkerd([folder, own.folder]);
  if (!installed) return undefined;
  const { compatibilityDate = installed.compatibilityDate } = search;
  const runtime = workerdRuntime({
    binary: installed.binary,
    workerFile: join(own.folder, 'dist/sandbox/workerd/worker.mjs'),
    version: own.version,
    memoryMb: MEMORY_MB,
    compatibilityDate,
    compatibilityFlags,
    ...(fetch && { fetch }),
  });
  return {
    ...runtime,
    facts: { name: 'workerd', version: installed.version, compatibilityDate, compatibilityFlags },
  };
}
