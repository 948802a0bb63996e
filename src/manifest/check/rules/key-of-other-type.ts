import type { ManifestFinding, ManifestRule } from '../rule-support/rule-context.js';
import type { SchemaErrorAt } from '../rule-support/schema-errors.js';
import { valueAt } from '../../../base/value-at-path.js';
import { enumeration } from '../rule-support/list-in-words.js';

/** Keys that belong to just one property type, each with that type. */
export const keyOwners: Readonly<Record<string, string>> = {
  default: 'string, number or boolean',
  enum: 'string',
  completion_url: 'string',
  button_text: 'button',
  callback_url: 'button',
};

export const keyOfOtherType: ManifestRule = {
  code: 'manifest/key-of-other-type',
  severity: 'error',
  summary: 'A property has a key that is only valid for a different type.',
  *check({ value, mistakes }) {
    const byProperty = new Map<string, SchemaErrorAt[]>();
    for (const mistake of mistakes('manifest/key-of-other-type')) {
      const property = JSON.stringify(mistake.path);
      byProperty.set(property, [...(byProperty.get(property) ?? []), mistake]);
    }
    for (const group of byProperty.values()) yield describe(group, value);
  },
};

/** If several keys belong to another type, reports the property's type instead of each key. */
function describe(group: readonly SchemaErrorAt[], value: unknown): ManifestFinding {
  const path = group[0]?.path ?? [];
  const keys = group.map(({ key = '' }) => key);
  const owner = keyOwners[keys.at(-1) ?? ''] ?? 'another';
  const type = String(valueAt(value, [...path, 'type']));
  const belongs = `${enumeration(keys)} ${keys.length > 1 ? 'belong' : 'belongs'}`;
  return {
    message: `${belongs} to properties of type ${owner}, but this is a ${type} property.`,
    help: `Remove ${keys.length > 1 ? 'them' : 'it'}, or change the type.`,
    path: keys.length > 1 ? [...path, 'type'] : [...path, keys[0] ?? ''],
    at: keys.length > 1 ? 'value' : 'key',
  };
}
