import { expect, test } from 'vitest';
import { jsonProblem } from '../../../src/base/text/json-problem.js';
import { seededRandom } from '../../support/random.js';

test.each([
  ['', 1, 1, 'Expected a value, but the text ends here.'],
  ['{', 1, 2, 'Expected a property name in double quotes or "}", but the text ends here.'],
  ['{"a":x}', 1, 6, 'Expected a value.'],
  ['{\n  "a": 1,\n}', 3, 1, 'Expected a property name in double quotes.'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'Expected "," or "}".'],
  ["{'a': 1}", 1, 2, 'Expected a property name in double quotes or "}".'],
  ['{"a" 1}', 1, 6, 'Expected ":".'],
  ['[1 2]', 1, 4, 'Expected "," or "]".'],
  ['{"a":"b\n"}', 1, 6, 'This string is not closed, or contains an escape that JSON does not allow.'],
  ['{} {}', 1, 4, 'Expected the end.'],
  ['01', 1, 2, 'Expected the end.'],
])('reports the position of the syntax error in %j', (text, line, column, message) => {
  expect(jsonProblem(text)).toMatchObject({ line, column, message });
});

test('accepts and rejects the same documents as JSON.parse', () => {
  const random = seededRandom(7);
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\u00e9',
    '1',
    '-',
    '0.5e3',
    'true',
    'nul',
    ' ',
    '\n',
  ];
  const disagreements: string[] = [];
  for (let round = 0; round < 20_000; round += 1) {
    let text = JSON.stringify({ a: [1, { b: 'c\n' }, null], d: -2.5 });
    const at = Math.floor(random() * text.length);
    const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
    text = text.slice(0, at) + piece + text.slice(at + Math.floor(random() * 3));
    if (isJson(text) !== (jsonProblem(text) === undefined)) disagreements.push(text);
  }
  expect(disagreements).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
