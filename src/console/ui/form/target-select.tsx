import type { JSX } from 'preact';
import type { InstalledTarget } from '../../../contract/resources.js';
import { placeKey, type Placed } from '../../live/where-installed.js';
import { Field } from './field.js';

interface PlaceSelectProps {
  places: readonly Placed[];
  value: InstalledTarget | undefined;
  onChange: (place: InstalledTarget) => void;
  label: string;
  hideLabel?: boolean;
}

const kinds = { organization: '', site: 'Site: ', space: 'Space: ' };

export function PlaceSelect({ places, value, onChange, label, hideLabel }: PlaceSelectProps): JSX.Element {
  return (
    <Field label={label} hideLabel={hideLabel ?? false}>
      {(ids) => (
        <select
          {...ids}
          class="control"
          value={value && placeKey(value)}
          disabled={places.length === 0}
          onChange={(event) => {
            const chosen = places.find(({ place }) => placeKey(place) === event.currentTarget.value);
            if (chosen) onChange(chosen.place);
          }}
        >
          {places.length === 0 && <option value="">not installed</option>}
          {places.map(({ place, kind, title }) => (
            <option key={placeKey(place)} value={placeKey(place)}>
              {kinds[kind] + title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
