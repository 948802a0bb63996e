import { propertyOf, readValue, wrongValue } from '../emulator/index.js';
import type { ConfigurationValues } from '../protocol/environment.js';
import type { Integration } from '../protocol/integration.js';
import type { TestTarget } from './outside/outside-types.js';

/** Refuses values that a user could not enter in the form. A component of the script may store any values. */
export function checkEdit(
  { configurations }: Integration,
  values: ConfigurationValues,
  { site, space }: TestTarget = {},
): void {
  const section = configurations[site ? 'site' : space ? 'space' : 'account'];
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(section, name);
    if (property?.type === 'button' && section?.componentId === undefined) {
      throw new Error(
        `${name} is a button, so it has no value to enter. Call oauth(), or set it during installation: install({ configuration: { ${name}: … } }).`,
      );
    }
    const wrong = property && value !== undefined && wrongValue(property, readValue(property, value));
    if (wrong) throw new Error(`${JSON.stringify(value)} does not fit the property ${name}. ${wrong}`);
  }
}
