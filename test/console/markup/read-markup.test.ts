import { expect, it } from 'vitest';
import { blockForLink } from '../../../src/protocol/match-link.js';
import {
  readAddress,
  readChildren,
  readWords,
  withValue,
} from '../../../src/console/markup/basics/read-markup.js';
import { readFrameMessage } from '../../../src/console/markup/basics/webframe-message.js';

it("reads an element's children in rendering order", () => {
  expect(readChildren(['a', [null, [false, 0, 'b']], undefined, { type: 'text' }])).toEqual([
    'a',
    0,
    'b',
    { type: 'text' },
  ]);
});

it('reads the text of markup', () => {
  const bold = { type: 'text', style: 'bold', children: ['three'] };
  expect(readWords(['one ', { type: 'text', children: ['two ', bold] }, 4, null])).toBe('one two three4');
  expect(readWords(undefined)).toBe('');
});

it('sets a value whose name matches an inherited property without changing the prototype', () => {
  expect(Object.getPrototypeOf(withValue({}, '__proto__', { evil: true }))).toBe(Object.prototype);
});

it.each<[unknown, unknown]>([
  [{ action: { action: '@webframe.ready' } }, { kind: 'ready' }],
  [{ action: '@webframe.ready' }, { kind: 'ready' }],
  [
    { action: { action: '@webframe.resize', size: { aspectRatio: 2, maxHeight: -1, maxWidth: '9' } } },
    { kind: 'resize', size: { aspectRatio: 2 } },
  ],
  [
    { action: '@webframe.resize', maxHeight: 90 },
    { kind: 'resize', size: { maxHeight: 90 } },
  ],
  [{ action: { action: 'vote', a: 1 } }, { kind: 'action', action: { action: 'vote', a: 1 } }],
  ['text', undefined],
  [null, undefined],
  [{ action: 7 }, undefined],
])('parses the webframe message %j', (data, message) => {
  expect(readFrameMessage(data)).toEqual(message);
});

const block = (id: string, ...urlUnfurl: string[]) => ({ id, title: id, urlUnfurl });
const blocks = [
  block('none'),
  block('incident', 'https://status.example.com/incidents/'),
  block('design', '*.figma.com/file/*'),
];
it.each([
  ['https://status.example.com/incidents/7', 'incident'],
  [' https://www.status.example.com/incidents/7\n', 'incident'],
  ['https://status.example.com/', undefined],
  ['https://evil.test/?https://status.example.com/incidents/', undefined],
  ['https://app.figma.com/file/1', 'design'],
  ['see https://status.example.com/incidents/7', undefined],
  ['javascript:alert(1)', undefined],
])('finds the block for the link %j: %s', (text, id) => {
  expect(blockForLink(blocks, text)?.id).toBe(id);
});

it.each([
  ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
  [{ host: '127.0.0.1:4100', pathname: '/v1/x/channels' }, 'http://127.0.0.1:4100/v1/x/channels'],
  [{ host: 'h', pathname: '/p', query: { a: 'b c', n: 1, no: null } }, 'http://h/p?a=b+c&n=1'],
  [{ host: 'h' }, undefined],
  [null, undefined],
])('builds the URL of a webframe from the options %j', (value, expected) => {
  expect(readAddress(value, 'http:')).toBe(expected);
});
