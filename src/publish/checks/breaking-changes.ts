import { count } from '../../diagnostics/index.js';
import { skipped, type Check, type CheckOutcome, type PublishFinding } from '../check.js';
import { compareIntegrations, versionStep } from '../baseline/changed-since.js';

export const breakingChanges: Check = {
  code: 'publish/breaking-change',
  title: 'Breaking changes',
  severity: 'error',
  summary: 'A change that breaks installations comes with a new major version.',
  run({ manifest, former, version }): CheckOutcome {
    if (!former)
      return skipped('There was nothing to compare with. Name a folder or a commit with --against.');
    const changes = compareIntegrations(former, manifest);
    if (changes.length === 0) return { evidence: `No breaking change since ${former.name}.` };
    const step = versionStep(former.version, version);
    const list = changes.map(({ message }) => message).join(' ');
    const versions = `${former.version ?? 'no version'} to ${version ?? 'no version'}`;
    if (step === 'major') return { evidence: `${list} The major version was raised (${versions}).` };
    if (former.version === undefined && version !== undefined) {
      return {
        evidence: list,
        review: `Breaking changes need a new major version. ${former.name} has no version: is ${version} a new major version?`,
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
        message: `${message} That needs a new major version (${seen}).`,
        help,
        path,
      })),
    };
  },
};
