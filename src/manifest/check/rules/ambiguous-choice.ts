import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { textAt, textsAt } from '../../../base/value-at-path.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';
import { showValue } from '../rule-support/list-in-words.js';

const words = /^(?:y|n|yes|no|on|off)$/i;

export const ambiguousChoice: ManifestRule = {
  code: 'manifest/ambiguous-choice',
  severity: 'warning',
  summary: 'A choice such as yes or off has no quotes, so some YAML parsers read it as a boolean.',
  *check({ value, isPlain }) {
    for (const path of choicesOf(value)) {
      const text = textAt(value, ...path) ?? '';
      if (!words.test(text) || !isPlain(path)) continue;
      yield {
        message: `Without quotes, older YAML readers read ${showValue(text)} as true or false.`,
        help: 'Put it in quotes.',
        path,
        fix: { kind: 'quote' },
      };
    }
  },
};

const choicesOf = (value: unknown): Path[] =>
  propertiesOf(value)
    .filter(({ property }) => property['type'] === 'string')
    .flatMap(({ path, property }) => [
      ...textsAt(property, 'enum').map(({ index }) => [...path, 'enum', index]),
      [...path, 'default'],
    ]);
