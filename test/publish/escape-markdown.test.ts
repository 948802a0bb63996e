import { expect, test } from 'vitest';
import { escapeMarkdown } from '../../src/publish/index.js';

/** Returns the visible text and the part outside code, where services look for links and mentions. */
function read(markdown: string): { shown: string; outside: string } {
  const parts = markdown.split(/`([^`]*)`/);
  const decode = (text: string): string =>
    text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return {
    shown: parts.map((part, index) => (index % 2 === 0 ? decode(part) : part)).join(''),
    outside: parts.map((part, index) => (index % 2 === 0 ? decode(part) : ' ')).join(''),
  };
}

const texts = [
  'Ask @everyone or (@acme/team), &#64;name and \\@name',
  'See http://evil.example/a?b=c&d, https://evil.example. ftp://evil.example, www.evil.example and evil.example',
  'WWW.EVIL.EXAMPLE, HtTpS://EVIL.example, "http://evil.example", xhttp://evil.example',
  'Write to me@evil.example, mailto:me@evil.example, xmpp:me@evil.example/x and MAILTO:me@evil.example',
  '<b>bold</b> <http://evil.example> <!-- hidden --> &lt;b&gt; &amp; &copy;',
  '[a link](http://evil.example) [reference][1] ![image](x.png) [^1] [x]',
  '*bold* _it_ **b** ~~gone~~ ~gone~ $x^2$ \\( x \\) ==mark== :tada: :+1:',
  'Fixes #12, acme/weather#12, GH-12, ABC-123, !12, %3, ~bug, &4, $5, ^alert#6, *iteration:7',
  'a commit 0123abc or 0123456789abcdef',
  '`code` ``more`` |cell| \\| \\` \\\\| a\\',
  '| --- | # heading - item 1. item > quote',
  '\uFF20name é@name 名前@name @名前',
];

test.each(texts)('escapes %j so that Markdown displays it exactly as written', (text) => {
  expect(read(escapeMarkdown(text)).shown).toBe(text);
});

test.each(texts)('leaves no link, mention or markup in the escaped text of %j', (text) => {
  const markdown = escapeMarkdown(text);
  const { outside } = read(markdown);
  expect(outside).not.toMatch(/[@#<>[\]*_~$^=\\/]|www|:[\w+-]+:|\w\.\w*[a-z]|[\da-f]{7}|[a-z]-\d/i);
  expect(markdown.split('`').length % 2).toBe(1);
  expect(markdown).not.toContain('|');
});

test('does not escape ordinary prose', () => {
  const prose = `The author's "well-known" text (about 12 words, 3.5): done! Straße, 天気。`;
  expect(escapeMarkdown(prose)).toBe(prose);
  expect(escapeMarkdown('../other/project')).toBe('../other/project');
  expect(escapeMarkdown('../@other ../a.example')).toBe('`../@other` `../a.example`');
});

test('replaces line breaks and other whitespace with a single space', () => {
  expect(escapeMarkdown('a\n\n# b\t\u2028c')).toBe('a `#` b c');
});
