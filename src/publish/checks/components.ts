import { skipped, skippedWithoutRun, type Check, type CheckOutcome, type PublishFinding } from '../check.js';

export const components: Check = {
  code: 'publish/missing-component',
  title: 'Components',
  severity: 'error',
  summary: 'Every block and every configuration screen has a component.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const { blocks, configurations } = manifest.integration;
    const named = [
      ...blocks.map(({ id }, index) => ({ id, path: ['blocks', index, 'id'] })),
      ...Object.entries(configurations).flatMap(([section, { componentId }]) =>
        componentId === undefined
          ? []
          : [{ id: componentId, path: ['configurations', section, 'componentId'] }],
      ),
    ];
    if (named.length === 0) return skipped('The manifest names no component.');
    const { definition } = facts;
    if (!definition) {
      return {
        evidence: `The manifest names ${named.map(({ id }) => id).join(', ')}.`,
        review:
          'The script does not use createIntegration(), so check yourself that it has these components.',
      };
    }
    const findings = named
      .filter(({ id }) => !definition.components.includes(id))
      .map(({ id, path }): PublishFinding => {
        const others = definition.components.join(', ') || 'none';
        return {
          message: `The script has no component ${id}. It has ${others}.`,
          help: 'Add it to the components of createIntegration(), or correct the id.',
          path,
        };
      });
    return { evidence: `The script has ${definition.components.join(', ') || 'no component'}.`, findings };
  },
};
