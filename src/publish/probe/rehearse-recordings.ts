import type { Bundle } from '../../bundle/index.js';
import { relativePath } from '../../base/node/relative-path.js';
import { loadDevSettings, type Manifest } from '../../manifest/index.js';
import {
  findRecordings,
  readRecording,
  rehearse,
  requireSameIntegration,
  type RehearsedCall,
} from '../../recordings/index.js';
import type { Integration } from '../../protocol/integration.js';
import { requireRuntime, runtimes } from '../../sandbox/index.js';
import { sampleConfiguration } from './sample-configuration.js';

/** The results of running one recording's calls with the version being checked. */
export interface RehearsedRecording {
  /** A path that the user can pass to `platform replay`. */
  name: string;
  calls: RehearsedCall[];
}

interface Rehearsal {
  /** The folder as the user specified it. */
  recordings: string;
  cwd: string;
  /** The integration of the earlier version, if one was specified. */
  former?: Integration;
  node: string;
  package: { folder: string; version: string };
  signal?: AbortSignal;
}

export async function rehearseRecordings(
  { folder, integration, secrets, profile }: Manifest,
  { code, map }: Bundle,
  { recordings, cwd, former, signal, ...search }: Rehearsal,
): Promise<RehearsedRecording[]> {
  const settings = loadDevSettings(folder);
  const {
    compatibilityDate = profile?.compatibilityDate,
    compatibilityFlags = profile?.compatibilityFlags,
    runtime = 'node',
  } = settings.ok ? settings.value : {};
  const name = !profile && runtimes.workerd.allowsNodeModules(compatibilityFlags) ? 'workerd' : runtime;
  const run = requireRuntime(
    name,
    await runtimes[name].replay({ folder, ...search, compatibilityDate, compatibilityFlags }),
    folder,
  );
  const rehearsed: RehearsedRecording[] = [];
  for (const file of findRecordings(recordings, cwd)) {
    const shown = relativePath(cwd, file);
    const recording = readRecording(file);
    requireSameIntegration(recording, integration, shown);
    const calls = await rehearse({
      recording,
      integration,
      ...(former && { former }),
      secrets: secrets.map((secret) => secret.name),
      script: { code, map },
      run,
      sampleValues: sampleConfiguration,
      ...(signal && { signal }),
    });
    rehearsed.push({ name: shown, calls });
  }
  return rehearsed;
}
