import { findMissingComponents, namedComponents } from '../../manifest/index.js';
import { skipped, skippedWithoutRun, type Check, type CheckOutcome } from '../check.js';

export const components: Check = {
  code: 'publish/missing-component',
  title: 'Components',
  severity: 'error',
  summary: 'Every block and every configuration screen has a component.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const named = namedComponents(manifest.integration);
    if (named.length === 0) return skipped('The manifest names no component.');
    const { definition } = facts;
    if (!definition) {
      return {
        evidence: `The manifest names ${named.map(({ id }) => id).join(', ')}.`,
        review:
          'The script does not use createIntegration(), so check yourself that it has these components.',
      };
    }
    const findings = findMissingComponents(manifest.integration, definition.components);
    return { evidence: `The script has ${definition.components.join(', ') || 'no component'}.`, findings };
  },
};
