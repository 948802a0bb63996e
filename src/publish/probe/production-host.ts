import { loadDevSettings, type Manifest } from '../../manifest/index.js';
import { isUserError } from '../../base/user-error.js';
import { runtimes } from '../../sandbox/index.js';
import type { CreateProbeHost } from './probe-host.js';
import { sandboxedHost, type ScriptProcess } from './sandboxed-host.js';

export interface ProductionHost {
  version: string;
  create: CreateProbeHost;
}

/** The production runtime that the project's settings select. */
export interface Production {
  /** Whether Node modules are allowed. If they are, only this runtime can run the script. */
  nodeModules: boolean;
  /** Undefined if the runtime is not installed, or cannot be used. */
  host?: ProductionHost;
  /** Why the installed runtime cannot be used. */
  unusable?: string;
}

export type FindProduction = (manifest: Manifest) => Promise<Production>;

export async function findProductionHost(
  { folder, profile }: Pick<Manifest, 'folder' | 'profile'>,
  packageFolder: string,
  scriptProcess: ScriptProcess,
): Promise<Production> {
  const settings = loadDevSettings(folder);
  const { compatibilityDate = profile?.compatibilityDate, compatibilityFlags = profile?.compatibilityFlags } =
    settings.ok ? settings.value : {};
  const needsWorkerd = runtimes.workerd.allowsNodeModules(compatibilityFlags);
  let unusable: string | undefined;
  const runtime = await runtimes.workerd
    .find({
      folder,
      package: { folder: packageFolder, version: scriptProcess.version },
      compatibilityDate,
      compatibilityFlags,
    })
    .catch((error: unknown) => {
      // The project's own tool may have brought it along.
      if (!profile || !isUserError(error)) throw error;
      unusable = [error.message, error.hint].join(' ');
      return undefined;
    });
  // In place, Node runs the script too, and says what is missing there.
  if (!runtime) return { nodeModules: needsWorkerd && !profile, ...(unusable && { unusable }) };
  const create = sandboxedHost({ ...scriptProcess, childFile: '', runtime });
  return { nodeModules: needsWorkerd, host: { version: runtime.facts.version, create } };
}
