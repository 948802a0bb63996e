import { nearest } from '../../base/did-you-mean.js';
import type { Integration } from '../../protocol/integration.js';

export interface MissingComponent {
  message: string;
  help: string;
  /** The path in the manifest that names it. */
  path: (string | number)[];
}

type NamingComponents = Pick<Integration, 'blocks' | 'configurations' | 'contentSources'>;

/**
 * Where a manifest names components: in its blocks, its configuration screens and those of its content
 * sources.
 */
export function namedComponents({
  blocks,
  configurations,
  contentSources,
}: NamingComponents): { id: string; path: (string | number)[] }[] {
  return [
    ...blocks.map(({ id }, index) => ({ id, path: ['blocks', index, 'id'] })),
    ...Object.entries(configurations).flatMap(([section, { componentId }]) =>
      componentId === undefined
        ? []
        : [{ id: componentId, path: ['configurations', section, 'componentId'] }],
    ),
    ...contentSources.flatMap(({ configuration }, index) => {
      const { componentId: id } = { componentId: undefined, ...(configuration as object | undefined) };
      const path = ['contentSources', index, 'configuration', 'componentId'];
      return typeof id === 'string' ? [{ id, path }] : [];
    }),
  ];
}

/** Components that the manifest names but the script lacks. */
export function findMissingComponents(
  integration: NamingComponents,
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
