import { createHash } from 'node:crypto';
import type { Integration } from '../../protocol/integration.js';
import type { Registry } from './registry.js';

/** Each good build is a new version (§9); the same one again, as after a restart, is not. */
export function adoptBuild(registry: Registry, integration: Integration, build: string | undefined): number {
  const { version, build: known } = registry.record();
  const name = createHash('sha256')
    .update(JSON.stringify([build, integration]))
    .digest('hex');
  if (build !== undefined && name === known) return version;
  const next = build !== undefined && known === undefined ? version : version + 1;
  registry.update({ version: next, build: name });
  return next;
}
