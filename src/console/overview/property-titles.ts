import type { ConfigurationSection } from '../../protocol/integration.js';

/** Lists the properties by the titles under which the configuration shows them. */
export const propertyTitles = (
  problems: readonly { property: string }[],
  section: ConfigurationSection | undefined,
): string => problems.map(({ property }) => section?.properties[property]?.title ?? property).join(', ');
