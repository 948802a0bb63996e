import type { ConfigurationValues } from '../../protocol/environment.js';
import type { ConfigurationProperty, ConfigurationSection } from '../../protocol/integration.js';

/** Returns a plausible value for each property, like one that a person might enter. */
export function sampleConfiguration(section: ConfigurationSection | undefined): ConfigurationValues {
  const values = Object.entries(section?.properties ?? {}).map(([name, property]) => [
    name,
    valueOf(property, name),
  ]);
  return Object.fromEntries(values) as ConfigurationValues;
}

function valueOf(property: ConfigurationProperty, name: string): unknown {
  switch (property.type) {
    case 'string':
      return property.default ?? property.enum?.[0] ?? sampleText(`${name} ${property.title ?? ''}`);
    case 'number':
      return property.default ?? 1;
    case 'boolean':
      return property.default ?? true;
    case 'button':
      return { access_token: 'sample' };
  }
}

/** Returns a valid URL, because scripts parse URLs. */
function sampleText(words: string): string {
  if (/e-?mail/i.test(words)) return 'someone@sample.example';
  if (/ur[il]\b|_ur[il]|address|endpoint|link|website|webhook/i.test(words)) return 'https://sample.example/';
  return /domain|host/i.test(words) ? 'sample.example' : 'value';
}

/** Returns a link that matches a `urlUnfurl` pattern, like one that a user might paste. */
export function sampleLink(pattern: string): string {
  const address = /^https?:/i.test(pattern) ? pattern : `https://${pattern}`;
  return address.replaceAll(/[*]+|[/]$/g, (end) => (end === '/' ? '/1' : '1'));
}
