import { createHash } from 'node:crypto';
import type { Integration } from '../../protocol/integration.js';
import type { PlatformBase } from './platform-base.js';

/** Assigns the next version number to each new build. An unchanged build keeps its number after a restart. */
export function adoptBuild(
  { registry, clock, callLog }: Pick<PlatformBase, 'registry' | 'clock' | 'callLog'>,
  integration: Integration,
  build: string | undefined,
): number {
  const { version, build: known } = registry.record();
  const name = createHash('sha256')
    .update(JSON.stringify([build, integration]))
    .digest('hex');
  if (build !== undefined && name === known) return version;
  callLog.flush();
  // Calls that were made before the first build worked belong to an earlier version.
  const next = build !== undefined && known === undefined && callLog.count() === 0 ? version : version + 1;
  registry.update({ version: next, build: name, versionSince: clock.now() });
  return next;
}
