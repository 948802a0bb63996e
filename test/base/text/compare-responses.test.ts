import { expect, test } from 'vitest';
import {
  responseText,
  sameResponse,
  type ComparableResponse,
} from '../../../src/base/text/compare-responses.js';

const response = (
  headers: [string, string][] = [],
  content = '',
  encoding: 'utf-8' | 'base64' = 'utf-8',
): ComparableResponse => ({ status: 200, headers, body: { encoding, content } });

test.each<[what: string, a: ComparableResponse, b: ComparableResponse, same: boolean]>([
  ['identical content', response([['x', '1']], 'a'), response([['x', '1']], 'a'), true],
  ['different bodies', response([], 'a'), response([], 'b'), false],
  ['different statuses', response(), { ...response(), status: 500 }, false],
  ['different header values', response([['x', '1']]), response([['x', '2']]), false],
  [
    'headers in a different order',
    response([
      ['a', '1'],
      ['b', '2'],
    ]),
    response([
      ['b', '2'],
      ['a', '1'],
    ]),
    true,
  ],
  ...['date', 'Content-Length', 'connection', 'keep-alive', 'transfer-encoding'].map(
    (name): [string, ComparableResponse, ComparableResponse, boolean] => [
      `an additional ${name} header, which is ignored`,
      response([[name, '1']]),
      response(),
      true,
    ],
  ),
])('detects whether two responses are the same: %s', (_, a, b, same) => {
  expect(sameResponse(a, b)).toBe(same);
  expect(responseText(a) === responseText(b)).toBe(same);
});

test.each<[what: string, response: ComparableResponse, lines: string[]]>([
  ['a JSON body', response([['x', '1']], '{"a":1}'), ['status 200', 'x: 1', '', '{', '  "a": 1', '}']],
  ['a text body', response([], 'a\r\nb'), ['status 200', '', 'a', 'b']],
  ['a binary body', response([], 'A'.repeat(80), 'base64'), ['status 200', '', 'A'.repeat(76), 'AAAA']],
])('formats a response with %s line by line', (_, one, lines) => {
  expect(responseText(one).split('\n')).toEqual(lines);
});
