import type { ManifestRule } from '../rule-support/rule-context.js';
import { isRecord, textsAt } from '../../../base/value-at-path.js';
import { sectionsOf } from '../rule-support/configuration-properties.js';
import { suggestFree } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';

export const unknownRequired: ManifestRule = {
  code: 'manifest/unknown-required',
  severity: 'error',
  summary: 'required lists a property that the section does not define.',
  *check({ value }) {
    for (const { path, section } of sectionsOf(value)) {
      const properties = section['properties'] ?? {};
      if (!isRecord(properties)) continue;
      const names = new Set(Object.keys(properties));
      const required = textsAt(section, 'required');
      const named = new Set(required.map(({ text }) => text));
      for (const { text, index } of required) {
        if (names.has(text)) continue;
        yield {
          message: `required lists ${showValue(text)}, which is not a property.`,
          ...suggestFree(text, [...names], (one) => named.has(one), {
            kind: 'replace',
            otherwise:
              'Declare the property, or remove the name. Otherwise the installation can never become active.',
          }),
          path: [...path, 'required', index],
        };
      }
    }
  },
};
