import type { RuntimeName } from '../../protocol/runtime-names.js';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import type { DevSettings } from '../../manifest/index.js';
import { profileOf } from '../../profiles/profile.js';
import { devSettingsFileName } from '../../manifest/read/dev-settings-file.js';
import {
  requireRuntime,
  runtimes,
  ProcessPool,
  type RuntimeFacts,
  type ScriptRuntime,
} from '../../sandbox/index.js';

/** Whether the script is certain to run in Node, in which case its process can be started before the settings are read. */
export function isNodeCertain({
  runtime,
  manifestFile,
}: {
  runtime: RuntimeName | undefined;
  manifestFile: string;
}): boolean {
  if (runtime !== undefined) return runtime === 'node';
  if (profileOf(manifestFile)) return false;
  try {
    return !readRegularFile(join(dirname(manifestFile), devSettingsFileName)).includes('runtime');
  } catch {
    return true;
  }
}

interface Named {
  runtime: RuntimeName | undefined;
  manifestFile: string;
  inspect: number | undefined;
  process: { node: string };
  package: { folder: string; version: string };
  /** Whether to keep a process ready for the next build. Default: true. */
  standby?: boolean;
}

/** Starts a Node process before the settings are read. */
export async function startNode(options: Named): Promise<ProcessPool> {
  const search = searchOf(options);
  const node = requireRuntime('node', await runtimes.node.find(search), search.folder);
  const processes = processesIn(node, options);
  processes.prepare();
  return processes;
}

const searchOf = ({ manifestFile, process, package: own }: Named) => ({
  folder: dirname(manifestFile),
  node: process.node,
  package: own,
});

const processesIn = (runtime: ScriptRuntime, { inspect, standby = true }: Named): ProcessPool =>
  new ProcessPool({ folder: tmpdir(), runtime, standby, ...(inspect !== undefined && { inspect }) });

interface Chosen {
  runtime: RuntimeFacts;
  /** Whether the script may import Node's modules. */
  nodeModules: boolean;
  processes: ProcessPool;
}

/**
 * Returns the processes for the runtime chosen on the command line or in the settings. For Node, these are the
 * processes that were started early.
 */
export async function chooseProcesses(
  options: Named,
  { runtime, compatibilityDate, compatibilityFlags }: DevSettings,
  early: ProcessPool | undefined,
): Promise<Chosen> {
  const profile = profileOf(options.manifestFile);
  const search = {
    ...searchOf(options),
    compatibilityDate: compatibilityDate ?? profile?.compatibilityDate,
    compatibilityFlags: compatibilityFlags ?? profile?.compatibilityFlags,
  };
  // Without a usable workerd, the script runs in Node, and a note says what is missing there.
  const installed =
    profile && !options.runtime && !runtime
      ? await runtimes.workerd.find(search).catch(() => undefined)
      : undefined;
  const name = options.runtime ?? runtime ?? (installed ? 'workerd' : 'node');
  const nodeModules = profile !== undefined || runtimes[name].allowsNodeModules(compatibilityFlags);
  if (early && name === 'node') return { runtime: { name }, nodeModules, processes: early };
  // The settings changed after the process was started.
  await early?.close();
  const found = requireRuntime(name, installed ?? (await runtimes[name].find(search)), search.folder);
  return { runtime: found.facts, nodeModules, processes: processesIn(found, options) };
}
