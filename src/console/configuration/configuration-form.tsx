import type { JSX } from 'preact';
import type { ConfigurationSection } from '../../protocol/integration.js';
import type { Placed } from '../live/where-installed.js';
import { PropertyField } from './property-field.js';

/** The form that the product draws from the manifest; each edit is stored by itself. */
export function ConfigurationForm(props: { section: ConfigurationSection; configured: Placed }): JSX.Element {
  const { section, configured } = props;
  return (
    <div class="stack configuration-form">
      {Object.entries(section.properties).map(([name, property]) => (
        <PropertyField
          key={name}
          name={name}
          property={property}
          required={section.required.includes(name)}
          configured={configured}
        />
      ))}
    </div>
  );
}
