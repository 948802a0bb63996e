import { nearest } from '../../base/did-you-mean.js';
import type { Integration } from '../../protocol/integration.js';

export interface MissingComponent {
  message: string;
  help: string;
  /** The manifest path of the reference to the component. */
  path: (string | number)[];
}

interface Named {
  id: string;
  path: (string | number)[];
}

type NamingComponents = Pick<Integration, 'blocks' | 'configurations' | 'contentSources'>;

/**
 * Returns a manifest's references to components: in its blocks, its configuration screens and those of its content sources.
 */
export function namedComponents({ blocks, configurations, contentSources }: NamingComponents): Named[] {
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

/** Finds components and content sources that the manifest refers to but the script does not define. */
export function findMissingComponents(
  integration: NamingComponents,
  defined: Record<'components' | 'contentSources', readonly string[]>,
): MissingComponent[] {
  const sources = integration.contentSources.map(({ id }, index) => ({
    id,
    path: ['contentSources', index, 'id'],
  }));
  const missing = (named: Named[], key: keyof typeof defined, word: string): MissingComponent[] =>
    named
      .filter(({ id }) => !defined[key].includes(id))
      .map(({ id, path }) => {
        const near = nearest(id, defined[key]);
        const hint = near === undefined ? '' : `Did you mean "${near}"? `;
        return {
          message: `The script has no ${word} ${id}. It has ${defined[key].join(', ') || 'none'}.`,
          help: `${hint}Add it to ${key} in createIntegration(), or correct the id.`,
          path,
        };
      });
  return [
    ...missing(namedComponents(integration), 'components', 'component'),
    ...missing(sources, 'contentSources', 'content source'),
  ];
}
