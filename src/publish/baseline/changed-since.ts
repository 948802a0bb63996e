import type { Path } from '../../diagnostics/rule.js';
import type { Manifest } from '../../manifest/index.js';
import type { Integration } from '../../protocol/integration.js';
import type { Baseline } from './baseline.js';

export interface BreakingChange {
  message: string;
  path: Path;
}

const reach = ['private', 'unlisted', 'public'];

/** What people who have installed the former one lose, or are asked anew. */
export function compareIntegrations(former: Baseline, { integration: now }: Manifest): BreakingChange[] {
  const before = former.integration;
  const changes: BreakingChange[] = [];
  if (before.name !== now.name) {
    changes.push({ message: `The name was ${before.name}.`, path: ['name'] });
  }
  if (reach.indexOf(now.visibility) < reach.indexOf(before.visibility)) {
    changes.push({ message: `The visibility was ${before.visibility}.`, path: ['visibility'] });
  }
  now.scopes.forEach((scope, index) => {
    if (!before.scopes.includes(scope)) {
      changes.push({ message: `The scope ${scope} is new.`, path: ['scopes', index] });
    }
  });
  for (const { id } of before.blocks) {
    if (!now.blocks.some((block) => block.id === id)) {
      changes.push({ message: `The block ${id} is gone.`, path: ['blocks'] });
    }
  }
  return [...changes, ...compareSettings(before, now)];
}

function compareSettings(before: Integration, now: Integration): BreakingChange[] {
  return (['account', 'site', 'space'] as const).flatMap((section) => {
    const former = before.configurations[section] ?? { properties: {}, required: [] };
    const present = now.configurations[section] ?? { properties: {}, required: [] };
    const path = ['configurations', section];
    const gone = Object.keys(former.properties)
      .filter((name) => !present.properties[name])
      .map((name) => ({ message: `The setting ${name} of configurations.${section} is gone.`, path }));
    const other = Object.entries(former.properties)
      .filter(([name, { type }]) => (present.properties[name]?.type ?? type) !== type)
      .map(([name, { type }]) => ({
        message: `The setting ${name} of configurations.${section} was a ${type}.`,
        path: [...path, 'properties', name, 'type'],
      }));
    const needed = present.required
      .filter((name) => !former.required.includes(name))
      .map((name) => ({
        message: `The setting ${name} of configurations.${section} is now required.`,
        path: [...path, 'required'],
      }));
    return [...gone, ...other, ...needed];
  });
}

/** How far a version went. Below 1.0.0 the second number stands for the first. */
export function versionStep(
  before: string | undefined,
  after: string | undefined,
): 'major' | 'lesser' | 'unknown' {
  const [from, to] = [numbersOf(before), numbersOf(after)];
  if (!from || !to) return 'unknown';
  const [major = 0, minor = 0] = from;
  const [newMajor = 0, newMinor = 0] = to;
  if (newMajor > major) return 'major';
  return major === 0 && newMajor === 0 && newMinor > minor ? 'major' : 'lesser';
}

const numbersOf = (version: string | undefined): number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
