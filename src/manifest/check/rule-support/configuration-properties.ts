import { isRecord, recordAt } from '../../../base/value-at-path.js';

export interface Section {
  path: readonly string[];
  section: Record<string, unknown>;
}

export interface Property {
  path: readonly string[];
  property: Record<string, unknown>;
}

export const sectionsOf = (value: unknown): Section[] =>
  ['account', 'site', 'space'].flatMap((name) => {
    const section = recordAt(value, 'configurations')[name];
    return isRecord(section) ? [{ path: ['configurations', name], section }] : [];
  });

export const propertiesOf = (value: unknown): Property[] =>
  sectionsOf(value).flatMap(({ path, section }) =>
    Object.entries(recordAt(section, 'properties')).flatMap(([name, property]) =>
      isRecord(property) ? [{ path: [...path, 'properties', name], property }] : [],
    ),
  );
