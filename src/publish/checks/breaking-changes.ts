import { count } from '../../diagnostics/index.js';
import { skipped, type Check, type CheckOutcome, type PublishFinding } from './check.js';
import type { Path } from '../../diagnostics/model/rule.js';
import type { Manifest } from '../../manifest/index.js';
import type { ConfigurationProperty, Integration } from '../../protocol/integration.js';
import type { Baseline } from '../baseline/baseline.js';

export const breakingChanges: Check = {
  code: 'publish/breaking-change',
  title: 'Breaking changes',
  severity: 'error',
  summary: 'A change breaks existing installations, but the major version is the same.',
  run({ manifest, former, version }): CheckOutcome {
    if (!former)
      return skipped('Nothing to compare with. To compare with a folder or commit, use --against.');
    const changes = compareIntegrations(former, manifest);
    if (changes.length === 0) return { evidence: `No breaking change since ${former.name}.` };
    const step = versionStep(former.version, version);
    const list = changes.map(({ message }) => message).join(' ');
    const versions =
      former.version === version ? `still ${version}` : `${former.version ?? 'no version'} to ${version}`;
    if (step === 'major') return { evidence: `${list} The major version was raised (${versions}).` };
    if (former.version === undefined && version !== undefined) {
      return {
        evidence: list,
        review: `Breaking changes need a new major version. ${former.name} has no version, so check that ${version} is one.`,
      };
    }
    const [seen, help] =
      version === undefined
        ? ['package.json has no version', 'Add a version to package.json, or undo the change.']
        : [
            `package.json: ${versions}`,
            'Raise the major version (below 1.0.0 the minor version), or undo the change.',
          ];
    return {
      evidence: `${count(changes.length, 'breaking change')} since ${former.name}.`,
      findings: changes.map(({ message, path }): PublishFinding => ({
        message: `${message} This needs a new major version (${seen}).`,
        help,
        path,
      })),
    };
  },
};

interface BreakingChange {
  message: string;
  path: Path;
}

const reach = ['private', 'unlisted', 'public'];

/** Changes that break existing installations, or require users to consent again. */
function compareIntegrations(former: Baseline, { integration: now }: Manifest): BreakingChange[] {
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
  for (const { id, urlUnfurl } of before.blocks) {
    const index = now.blocks.findIndex((block) => block.id === id);
    const block = now.blocks[index];
    if (!block) {
      changes.push({ message: `The block ${id} was removed.`, path: ['blocks'] });
      continue;
    }
    const lost = urlUnfurl.filter((pattern) => !block.urlUnfurl.includes(pattern));
    if (lost.length > 0) {
      const path = ['blocks', index, ...(block.urlUnfurl.length > 0 ? ['urlUnfurl'] : [])];
      changes.push({ message: `The block ${id} no longer unfurls ${lost.join(', ')}.`, path });
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
      .map((name) => ({ message: `The property ${name} of configurations.${section} was removed.`, path }));
    const other = Object.entries(former.properties)
      .filter(([name, { type }]) => (present.properties[name]?.type ?? type) !== type)
      .map(([name, { type }]) => ({
        message: `The property ${name} of configurations.${section} was a ${type}.`,
        path: [...path, 'properties', name, 'type'],
      }));
    const narrowed = Object.entries(former.properties).flatMap(([name, property]): BreakingChange[] => {
      const lost = lostChoices(property, present.properties[name]);
      if (lost === undefined) return [];
      const message = `The property ${name} of configurations.${section} ${lost}.`;
      return [{ message, path: [...path, 'properties', name, 'enum'] }];
    });
    const needed = present.required
      .filter((name) => !former.required.includes(name))
      .map((name) => ({
        message: `The property ${name} of configurations.${section} is now required.`,
        path: [...path, 'required'],
      }));
    return [...gone, ...other, ...narrowed, ...needed];
  });
}

/** What happened to the values that were allowed, if the new manifest rejects any of them. */
function lostChoices(
  former: ConfigurationProperty,
  present: ConfigurationProperty | undefined,
): string | undefined {
  if (former.type !== 'string' || present?.type !== 'string' || !present.enum) return undefined;
  if (!former.enum) return 'allowed any string';
  const lost = former.enum.filter((value) => !present.enum?.includes(value));
  if (lost.length === 0) return undefined;
  return `no longer allows ${lost.map((value) => JSON.stringify(value)).join(', ')}`;
}

/** How far the version was raised. Below 1.0.0, the minor version counts as the major one. */
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
