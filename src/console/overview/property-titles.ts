import type { ConfigurationSection } from '../../protocol/integration.js';

/** Lists the properties by their titles in the configuration. */
export const propertyTitles = (
  problems: readonly { property: string }[],
  section: ConfigurationSection | undefined,
): string => problems.map(({ property }) => section?.properties[property]?.title ?? property).join(', ');
