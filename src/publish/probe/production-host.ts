import { loadDevSettings } from '../../manifest/index.js';
import { findWorkerd } from '../../sandbox/workerd/find-workerd.js';
import { hasNodeModules } from '../../sandbox/node-modules.js';
import { productionRuntime } from '../../sandbox/workerd/production-runtime.js';
import type { CreateProbeHost } from './probe-host.js';
import { sandboxedHost, type ScriptProcess } from './sandboxed-host.js';

export interface ProductionHost {
  /** The version of workerd. */
  version: string;
  create: CreateProbeHost;
}

/** The production runtime that a project's settings select. */
export interface Production {
  /** Node modules are allowed, so only this runtime can run the script. */
  nodeModules: boolean;
  /** Undefined if the runtime is not installed. */
  host?: ProductionHost;
}

export type FindProduction = (projectFolder: string) => Production;

export function findProductionHost(
  projectFolder: string,
  packageFolder: string,
  scriptProcess: ScriptProcess,
): Production {
  const settings = loadDevSettings(projectFolder);
  const { compatibilityDate, compatibilityFlags } = settings.ok ? settings.value : {};
  const nodeModules = hasNodeModules(compatibilityFlags);
  const installed = findWorkerd([projectFolder, packageFolder]);
  if (!installed) return { nodeModules };
  const runtime = productionRuntime(installed, {
    packageFolder,
    version: scriptProcess.version,
    ...(compatibilityDate !== undefined && { compatibilityDate }),
    ...(compatibilityFlags && { compatibilityFlags }),
  });
  const create = sandboxedHost({ ...scriptProcess, childFile: '', runtime });
  return { nodeModules, host: { version: installed.version, create } };
}
