import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textsAt, valueAt } from '../../../base/value-at-path.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';
import { suggest } from '../rule-support/suggest-fix.js';
import { alternatives, showValue } from '../rule-support/list-in-words.js';
import { describeType } from './wrong-type.js';

export const invalidDefault: ManifestRule = {
  code: 'manifest/invalid-default',
  severity: 'error',
  summary: "A property's default does not match its type or choices.",
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/invalid-default'))
      yield describeType(path, [expected].flat().map(String), valueAt(value, path));
    for (const { path, property } of propertiesOf(value)) {
      const choices = textsAt(property, 'enum').map(({ text }) => text);
      if (choices.length !== listAt(property, 'enum').length) continue;
      const chosen = property['default'];
      if (typeof chosen !== 'string' || choices.length === 0 || choices.includes(chosen)) continue;
      yield {
        message: `The default ${showValue(chosen)} is not one of the choices in enum.`,
        ...suggest(chosen, choices, {
          kind: 'replace',
          otherwise: `The choices are ${alternatives(choices.slice(0, 20))}.`,
        }),
        path: [...path, 'default'],
      };
    }
  },
};
