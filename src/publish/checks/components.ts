import type { Check, PublishFinding } from '../check.js';
import { notRun } from './not-run.js';

export const components: Check = {
  code: 'publish/missing-component',
  title: 'Components',
  severity: 'error',
  summary: 'Every block and every screen of settings has a component.',
  look({ manifest, facts }) {
    if (!facts?.isIntegration) return notRun;
    const { blocks, configurations } = manifest.integration;
    const named = [
      ...blocks.map(({ id }, index) => ({ id, path: ['blocks', index, 'id'] })),
      ...Object.entries(configurations).flatMap(([section, { componentId }]) =>
        componentId === undefined
          ? []
          : [{ id: componentId, path: ['configurations', section, 'componentId'] }],
      ),
    ];
    if (named.length === 0) return { evidence: 'The manifest names none.' };
    const { definition } = facts;
    if (!definition) {
      return {
        evidence: `The manifest names ${named.map(({ id }) => id).join(', ')}.`,
        person: 'The script is not made by createIntegration(), so see for yourself that it has them.',
      };
    }
    const findings = named
      .filter(({ id }) => !definition.components.includes(id))
      .map(({ id, path }): PublishFinding => {
        const others = definition.components.join(', ') || 'none';
        return {
          message: `There is no component ${id} in the script; it has ${others}.`,
          help: 'Put it into the components of createIntegration(), or correct the id.',
          path,
        };
      });
    return { evidence: `The script has ${definition.components.join(', ') || 'none'}.`, findings };
  },
};
