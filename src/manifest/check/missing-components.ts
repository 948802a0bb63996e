import { nearest } from '../../base/did-you-mean.js';
import type { Integration } from '../../protocol/integration.js';

export interface MissingComponent {
  message: string;
  help: string;
  /** Where the manifest names it. */
  path: (string | number)[];
}

/** Where a manifest names components: its blocks and its screens of settings. */
export function namedComponents({
  blocks,
  configurations,
}: Pick<Integration, 'blocks' | 'configurations'>): { id: string; path: (string | number)[] }[] {
  return [
    ...blocks.map(({ id }, index) => ({ id, path: ['blocks', index, 'id'] })),
    ...Object.entries(configurations).flatMap(([section, { componentId }]) =>
      componentId === undefined
        ? []
        : [{ id: componentId, path: ['configurations', section, 'componentId'] }],
    ),
  ];
}

/** What a manifest names and a script with these components can't draw. */
export function findMissingComponents(
  integration: Pick<Integration, 'blocks' | 'configurations'>,
  components: readonly string[],
): MissingComponent[] {
  return namedComponents(integration)
    .filter(({ id }) => !components.includes(id))
    .map(({ id, path }) => {
      const near = nearest(id, components);
      const hint = near === undefined ? '' : `Did you mean "${near}"? `;
      return {
        message: `The script has no component ${id}. It has ${components.join(', ') || 'none'}.`,
        help: `${hint}Add it to the components of createIntegration(), or correct the id.`,
        path,
      };
    });
}
