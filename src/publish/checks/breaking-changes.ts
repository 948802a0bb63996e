import { count } from '../../diagnostics/index.js';
import { skipped, type Check, type CheckOutcome, type PublishFinding } from './check.js';
import { compareIntegrations } from '../baseline/compare-integrations.js';

export const breakingChanges: Check = {
  code: 'publish/breaking-change',
  title: 'Breaking changes',
  severity: 'error',
  summary: 'A change breaks existing installations, but the major version has not been raised.',
  run({ manifest, former, version }): CheckOutcome {
    if (!former)
      return skipped('Nothing to compare with. To compare with a folder or commit, use --against.');
    const changes = compareIntegrations(former, manifest);
    if (changes.length === 0) return { evidence: `No breaking changes since ${former.name}.` };
    const step = versionStep(former.version, version);
    const list = changes.map(({ message }) => message).join(' ');
    const versions =
      former.version === version ? `still ${version}` : `${former.version ?? 'no version'} to ${version}`;
    if (step === 'major') return { evidence: `${list} ${describeRaise(former.version, version)}` };
    if (former.version === undefined && version !== undefined) {
      return {
        evidence: list,
        review: `Breaking changes need a new major version. ${former.name} has no version, so check that ${version} is a new major version.`,
      };
    }
    const part = isBelowOne(former.version) ? 'minor' : 'major';
    const [seen, help] =
      version === undefined
        ? ['package.json has no version', 'Add a version to package.json, or undo the change.']
        : [`package.json: ${versions}`, `Raise the ${part} version, or undo the change.`];
    return {
      evidence: `${count(changes.length, 'breaking change')} since ${former.name}.`,
      findings: changes.map(({ message, path }): PublishFinding => ({
        message: `${message} This needs a new ${part} version (${seen}).`,
        help,
        path,
      })),
    };
  },
};

/** Returns whether the major version was raised. Below 1.0.0, the minor version counts as the major version. */
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

const isBelowOne = (version: string | undefined): boolean => numbersOf(version)?.[0] === 0;

const describeRaise = (before: string | undefined, after: string | undefined): string =>
  isBelowOne(after)
    ? `The minor version was raised (${before} to ${after}), which is enough below 1.0.0.`
    : `The major version was raised (${before} to ${after}).`;

const numbersOf = (version: string | undefined): number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
