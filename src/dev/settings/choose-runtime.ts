import { dirname, join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import type { DevSettings, RuntimeName } from '../../manifest/index.js';
import { devSettingsFileName } from '../../manifest/read/dev-settings-file.js';
import type { ScriptRuntime } from '../../sandbox/index.js';
import { hasNodeModules } from '../../sandbox/node-modules.js';

/** Which runtime the script uses, and its details to show. */
export type RuntimeFacts =
  | { name: 'node' }
  | { name: 'workerd'; version: string; compatibilityDate: string; compatibilityFlags: readonly string[] };

/** Whether the script may import Node's modules. */
export const allowsNodeModules = (runtime: RuntimeFacts): boolean =>
  runtime.name === 'workerd' && hasNodeModules(runtime.compatibilityFlags);

/** Whether the script certainly runs in Node, so its process can start before the settings are read. */
export function isNodeCertain({
  runtime,
  manifestFile,
}: {
  runtime: RuntimeName | undefined;
  manifestFile: string;
}): boolean {
  if (runtime !== undefined) return runtime === 'node';
  try {
    return !readRegularFile(join(dirname(manifestFile), devSettingsFileName)).includes('runtime');
  } catch {
    return true;
  }
}

type Chosen = Pick<DevSettings, 'runtime' | 'compatibilityDate' | 'compatibilityFlags'>;

/** The runtime from the command line or the settings. Loads workerd only if it is used. */
export async function chooseRuntime(
  named: RuntimeName | undefined,
  settings: Chosen,
  { folder, packageFolder, version }: { folder: string; packageFolder: string; version: string },
): Promise<{ facts: RuntimeFacts; runtime?: ScriptRuntime }> {
  if ((named ?? settings.runtime ?? 'node') === 'node') return { facts: { name: 'node' } };
  const { requireWorkerd } = await import('../../sandbox/workerd/find-workerd.js');
  const { productionRuntime } = await import('../../sandbox/workerd/production-runtime.js');
  const installed = requireWorkerd([folder, packageFolder]);
  const { compatibilityDate = installed.compatibilityDate, compatibilityFlags = [] } = settings;
  const runtime = productionRuntime(installed, {
    packageFolder,
    version,
    compatibilityDate,
    compatibilityFlags,
  });
  return {
    facts: { name: 'workerd', version: installed.version, compatibilityDate, compatibilityFlags },
    runtime,
  };
}
