import type { InstallationResource } from '../../contract/routes/installations.js';
import type { ConfigurationValues } from '../../protocol/environment.js';
import type { ConfigurationProperty, ConfigurationSection } from '../../protocol/integration.js';
import { ownProperty } from '../../base/own-property.js';

/** A property that prevents an installation from becoming active. */
export type ConfigurationProblem = InstallationResource['problems'][number];

export const propertyOf = (
  section: ConfigurationSection | undefined,
  name: string,
): ConfigurationProperty | undefined => section && ownProperty(section.properties, name);

/** Returns the configuration that scripts see and that is validated. Defaults are not stored. */
export const withDefaults = (
  section: ConfigurationSection | undefined,
  values: ConfigurationValues,
): ConfigurationValues => ({ ...values, ...Object.fromEntries(defaultsFor(section, values)) });

/** Returns the names of unset properties that have a default. */
export const defaultedIn = (
  section: ConfigurationSection | undefined,
  values: ConfigurationValues,
): string[] => defaultsFor(section, values).map(([name]) => name);

const defaultsFor = (
  section: ConfigurationSection | undefined,
  values: ConfigurationValues,
): [name: string, value: unknown][] =>
  Object.entries(section?.properties ?? {}).flatMap(([name, property]): [string, unknown][] =>
    property.type !== 'button' && property.default !== undefined && !isSet(ownProperty(values, name))
      ? [[name, property.default]]
      : [],
  );

export function checkConfiguration(
  section: ConfigurationSection | undefined,
  values: ConfigurationValues,
): ConfigurationProblem[] {
  if (!section) return [];
  const effective = withDefaults(section, values);
  return Object.entries(section.properties).flatMap(([name, property]) => {
    const value = ownProperty(effective, name);
    const message = isSet(value)
      ? wrongValue(property, value)
      : section.required.includes(name) && 'It is required, but not set.';
    return message ? [{ property: name, message }] : [];
  });
}

export const statusFor = (
  section: ConfigurationSection | undefined,
  values: ConfigurationValues,
): 'active' | 'pending' => (checkConfiguration(section, values).length === 0 ? 'active' : 'pending');

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Returns why a value is not valid for its property, or undefined if it is valid. */
export function wrongValue(property: ConfigurationProperty, value: unknown): string | undefined {
  // A button's callback can store any value.
  if (property.type === 'button') return undefined;
  if (typeof value !== property.type || Number.isNaN(value)) return `It must be a ${property.type}.`;
  if (property.type === 'string' && property.enum && !property.enum.includes(value as string)) {
    return `It must be one of ${property.enum.join(', ')}.`;
  }
  return undefined;
}

/** Converts a typed value to the type of its property, if possible. */
export function readValue(property: ConfigurationProperty, value: unknown): unknown {
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  if (property.type === 'string' && isPlain) return String(value);
  if (typeof value !== 'string') return value;
  if (property.type === 'number' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  if (property.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
