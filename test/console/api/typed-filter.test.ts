import { expect, it } from 'vitest';
import type { FilterTexts } from '../../../src/console/api/call-filter.js';
import { formatTypedFilter, parseTypedFilter, tokensOf } from '../../../src/console/api/typed-filter.js';

it.each<[string, FilterTexts]>([
  ['', {}],
  ['free text', { search: 'free text' }],
  [
    '-type:ui_render failed status:5xx component:ticket',
    { type: '-ui_render', failed: 'true', status: '5xx', component: 'ticket' },
  ],
  ['failed:false', { failed: 'false' }],
  ['path:"/a b" deep', { path: '/a b', search: 'deep' }],
  ['"failed"', { search: 'failed' }],
  ['"status:5xx"', { search: 'status:5xx' }],
  ['https://example.com/?a=1', { search: 'https://example.com/?a=1' }],
  ['colour:red', { search: 'colour:red' }],
])('parses and prints the filter "%s"', (text, filter) => {
  expect(parseTypedFilter(text)).toEqual(filter);
  expect(parseTypedFilter(formatTypedFilter(filter))).toEqual(filter);
});

it('formats each filter as a user would type it', () => {
  expect(formatTypedFilter({ status: '404', type: '-ui_render', failed: 'true', search: 'near me' })).toBe(
    '-type:ui_render failed status:404 "near me"',
  );
});

it.each<[string, string[], string[]]>([
  ['status:5xx failed free', ['status:5xx', 'failed'], []],
  ['-type:ui_render "status:5xx" https://example.com/?a=1', ['-type:ui_render'], []],
  [
    'stat:200 status:abc slower:fast source:mail',
    [],
    ['stat:200', 'status:abc', 'slower:fast', 'source:mail'],
  ],
  ['status:400-499,502 -source:script slower:20', ['status:400-499,502', '-source:script', 'slower:20'], []],
])('marks the filters and the wrong tokens in "%s"', (text, filters, wrong) => {
  const tokens = tokensOf(text);
  expect(tokens.map((token) => token.text).join('')).toBe(text);
  const marked = (look: string) => tokens.filter((token) => token.look === look).map((token) => token.text);
  expect([marked('filter'), marked('wrong')]).toEqual([filters, wrong]);
  expect(tokens.filter(({ problem }) => problem !== undefined)).toHaveLength(wrong.length);
});
