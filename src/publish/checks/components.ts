import { findMissingComponents, namedComponents } from '../../manifest/index.js';
import type { Definition } from '../probe/script-facts.js';
import { skipped, skippedWithoutRun, type Check, type CheckOutcome, type PublishFinding } from './check.js';

/** The error that the probe reports for a component without an id. */
const unnamed = 'undefined';

export const components: Check = {
  code: 'publish/missing-component',
  title: 'Components',
  severity: 'error',
  summary: 'A component or content source in the manifest is missing from the script.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const named = namedComponents(manifest.integration);
    const sources = manifest.integration.contentSources;
    const { definition } = facts;
    const odd = definition ? oddIds(definition) : [];
    if (named.length + sources.length + odd.length === 0)
      return skipped('The manifest declares no components.');
    if (!definition && manifest.profile) return skipped('A missing component fails under "Rendering".');
    if (!definition) {
      return {
        evidence: `The manifest declares ${[...named, ...sources].map(({ id }) => id).join(', ')}.`,
        review: 'The script does not use createIntegration(), so check that it has these components.',
      };
    }
    const has = [...definition.components, ...definition.contentSources];
    return {
      evidence: `The script has ${has.join(', ') || 'no components'}.`,
      findings: [...findMissingComponents(manifest.integration, definition), ...odd],
    };
  },
};

/** Returns problems with ids that make a component impossible to refer to. */
function oddIds({ components }: Definition): PublishFinding[] {
  const repeated = [...new Set(components.filter((id, index) => components.indexOf(id) < index))];
  return repeated
    .filter((id) => id !== unnamed)
    .map((id) =>
      warning(
        `Several components have the componentId ${id}, and only the first is rendered.`,
        'Give each component its own id, or remove the others.',
      ),
    )
    .concat(
      components.includes(unnamed)
        ? [
            warning(
              'A component has no componentId, so it can never be rendered.',
              'Create it with createComponent({ componentId: … }).',
            ),
          ]
        : [],
    );
}

const warning = (message: string, help: string): PublishFinding => ({
  message,
  help,
  severity: 'warning',
  path: ['script'],
});
