import { count } from '../../diagnostics/index.js';
import type { Check, PublishFinding } from '../check.js';
import { compareIntegrations } from '../compare-integrations.js';
import { versionStep } from '../version-step.js';

export const breakingChanges: Check = {
  code: 'publish/breaking-change',
  title: 'Changes',
  severity: 'error',
  summary: 'What breaks installations comes with a new major version.',
  look({ manifest, former, version }) {
    if (!former) return { evidence: 'It was compared with nothing (--against).' };
    const changes = compareIntegrations(former, manifest);
    if (changes.length === 0) return { evidence: `Nothing breaks what ${former.name} promised.` };
    const step = versionStep(former.version, version);
    const list = changes.map(({ message }) => message).join(' ');
    const versions = `${former.version ?? 'no version'} to ${version ?? 'no version'}`;
    if (step === 'major') return { evidence: `${list} The version goes from ${versions}, which says so.` };
    if (former.version === undefined && version !== undefined) {
      return {
        evidence: list,
        person: `That needs a new major version, and what was had none: is ${version} one?`,
      };
    }
    const [seen, help] =
      version === undefined
        ? ['package.json has none', 'Give package.json a version, or take the change back.']
        : [
            `package.json: ${versions}`,
            'Raise the first number of the version (below 1.0.0 the second), or take the change back.',
          ];
    return {
      evidence: `It breaks what ${former.name} promised, in ${count(changes.length, 'place')}.`,
      findings: changes.map(({ message, path }): PublishFinding => ({
        message: `${message} That needs a new major version (${seen}).`,
        help,
        path,
      })),
    };
  },
};
