import { loadDevSettings } from '../../manifest/index.js';
import { runtimes } from '../../sandbox/index.js';
import type { CreateProbeHost } from './probe-host.js';
import { sandboxedHost, type ScriptProcess } from './sandboxed-host.js';

export interface ProductionHost {
  /** The version of workerd. */
  version: string;
  create: CreateProbeHost;
}

/** The production runtime that the project's settings select. */
export interface Production {
  /** Whether Node modules are allowed. If they are, only this runtime can run the script. */
  nodeModules: boolean;
  /** Undefined if the runtime is not installed. */
  host?: ProductionHost;
}

export type FindProduction = (projectFolder: string) => Promise<Production>;

export async function findProductionHost(
  projectFolder: string,
  packageFolder: string,
  scriptProcess: ScriptProcess,
): Promise<Production> {
  const settings = loadDevSettings(projectFolder);
  const { compatibilityDate, compatibilityFlags } = settings.ok ? settings.value : {};
  const nodeModules = runtimes.workerd.allowsNodeModules(compatibilityFlags);
  const runtime = await runtimes.workerd.find({
    folder: projectFolder,
    package: { folder: packageFolder, version: scriptProcess.version },
    compatibilityDate,
    compatibilityFlags,
  });
  if (!runtime) return { nodeModules };
  const create = sandboxedHost({ ...scriptProcess, childFile: '', runtime });
  return { nodeModules, host: { version: runtime.facts.version, create } };
}
