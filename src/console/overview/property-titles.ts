import type { ConfigurationSection } from '../../protocol/integration.js';

export const propertyTitles = (
  problems: readonly { property: string }[],
  section: ConfigurationSection | undefined,
): string => problems.map(({ property }) => section?.properties[property]?.title ?? property).join(', ');
