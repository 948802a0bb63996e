import { loadDevSettings } from '../../manifest/index.js';
import { findWorkerd } from '../../sandbox/workerd/find-workerd.js';
import { hasNodeModules } from '../../sandbox/node-modules.js';
import { productionRuntime } from '../../sandbox/workerd/production-runtime.js';
import type { CreateProbeHost } from './probe-host.js';
import { sandboxedHost, type ScriptProcess } from './sandboxed-host.js';

export interface ProductionHost {
  /** Of workerd. */
  version: string;
  create: CreateProbeHost;
}

/** The runtime of production, as a project's settings choose it. */
export interface Production {
  /** Nothing refuses Node's modules. Only this runtime can run the script then. */
  nodeModules: boolean;
  /** If it is installed. */
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
