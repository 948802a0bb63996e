import type { ManifestRule } from '../rule-support/rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { suggest } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';
import { propertyTypes } from '../../../protocol/integration.js';
import { ownProperty } from '../../../base/own-property.js';

/** Names that other schema languages use for the same types. */
const synonyms: Record<string, string> = {
  text: 'string',
  integer: 'number',
  int: 'number',
  bool: 'boolean',
  checkbox: 'boolean',
  select: 'string',
  url: 'string',
};

export const unknownPropertyType: ManifestRule = {
  code: 'manifest/unknown-property-type',
  severity: 'error',
  summary: "A property's type is not string, number, boolean or button.",
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/unknown-property-type')) {
      const found = valueAt(value, path);
      const word = String(found);
      const same = ownProperty(synonyms, word);
      const options = { kind: 'replace', otherwise: 'Use string, number, boolean or button.' } as const;
      yield {
        message: `A property cannot have the type ${showValue(found)}.`,
        ...(same ? suggest(same, [same], options) : suggest(word, propertyTypes, options)),
        path,
      };
    }
  },
};
