import type { ConfigurationValues } from '../../protocol/environment.js';
import type { ConfigurationProperty, ConfigurationSection } from '../../protocol/integration.js';

/** A value for every setting, as a person might fill them in. */
export function sampleConfiguration(section: ConfigurationSection | undefined): ConfigurationValues {
  const values = Object.entries(section?.properties ?? {}).map(([name, property]) => [
    name,
    valueOf(property),
  ]);
  return Object.fromEntries(values) as ConfigurationValues;
}

function valueOf(property: ConfigurationProperty): unknown {
  switch (property.type) {
    case 'string':
      return property.default ?? property.enum?.[0] ?? 'value';
    case 'number':
      return property.default ?? 1;
    case 'boolean':
      return property.default ?? true;
    case 'button':
      return { access_token: 'sample' };
  }
}
