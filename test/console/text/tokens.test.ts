import { expect, it } from 'vitest';
import { tokensOf } from '../../../src/console/text/code/tokens.js';

it.each([
  ['url: https://api.example.com/v1', '<key>url</key>: https://api.example.com/v1'],
  ['  - url: https://a.test # the first', '  - <key>url</key>: https://a.test <note># the first</note>'],
  ['curl https://a.test/x#top --fail', 'curl https://a.test/x#top <key>--fail</key>'],
  ['go(); // https://a.test', '<key>go</key>(); <note>// https://a.test</note>'],
  ['color: #fff', '<key>color</key>: #fff'],
  ['#!/bin/sh', '<note>#!/bin/sh</note>'],
  ['{ "a": "b", c: 1.5 }', '{ <key>"a"</key>: <string>"b"</string>, <key>c</key>: <number>1.5</number> }'],
  ['if (a) return "x"', '<word>if</word> (a) <word>return</word> <string>"x"</string>'],
  ['2026-11-29 at 10.0.0.1, As is', '2026-11-29 at <number>10.0.0.1</number>, As is'],
  ['<text size="1">', '<word><text</word> size=<string>"1"</string>>'],
  ['const list: Array<string>', '<word>const</word> <key>list</key>: Array<string>'],
  ["'a // b'", "<string>'a // b'</string>"],
])('highlights %s', (line, expected) => {
  const shown = tokensOf(line).map(({ kind, text }) =>
    kind === 'plain' ? text : `<${kind}>${text}</${kind}>`,
  );
  expect(shown.join('')).toBe(expected);
});
