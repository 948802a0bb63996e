import { expect, it } from 'vitest';
import { formatJson } from '../../../src/base/text/pretty-json.js';

it.each<[string, string | undefined]>([
  ['{"a":[1,"b  c\\" d"]}', '{\n  "a": [\n    1,\n    "b  c\\" d"\n  ]\n}'],
  ['{\n"a" : 1 }', '{\n  "a": 1\n}'],
  ['{"id":12345678901234567890}', undefined],
  ['{"price":1.0}', undefined],
  ['{"a":1,"a":2}', undefined],
  ['{"a":', undefined],
])('formats %s only if that changes no value', (text, formatted) => {
  expect(formatJson(text)).toBe(formatted);
});
