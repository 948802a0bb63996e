import { loadDevSettings } from '../../manifest/index.js';
import { findWorkerd } from '../../sandbox/workerd/find-workerd.js';
import { productionRuntime } from '../../sandbox/workerd/production-runtime.js';
import type { CreateProbeHost } from './probe-host.js';
import { sandboxedHost, type ScriptProcess } from './sandboxed-host.js';

export interface ProductionHost {
  /** Of workerd. */
  version: string;
  create: CreateProbeHost;
}

/** The runtime of production for a project, if it is installed. */
export type FindProduction = (projectFolder: string) => ProductionHost | undefined;

export function findProductionHost(
  projectFolder: string,
  packageFolder: string,
  scriptProcess: ScriptProcess,
): ProductionHost | undefined {
  const installed = findWorkerd([projectFolder, packageFolder]);
  if (!installed) return undefined;
  const settings = loadDevSettings(projectFolder);
  const { compatibilityDate, compatibilityFlags } = settings.ok ? settings.value : {};
  const runtime = productionRuntime(installed, {
    packageFolder,
    version: scriptProcess.version,
    ...(compatibilityDate !== undefined && { compatibilityDate }),
    ...(compatibilityFlags && { compatibilityFlags }),
  });
  return {
    version: installed.version,
    create: sandboxedHost({ ...scriptProcess, childFile: '', runtime }),
  };
}
