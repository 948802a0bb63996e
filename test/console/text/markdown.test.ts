import { expect, it } from 'vitest';
import { parseInline } from '../../../src/console/text/markdown/markdown-inline.js';
import { parseMarkdown } from '../../../src/console/text/markdown/markdown.js';
import { processorMs } from '../../support/processor-time.js';

const text = (value: string) => ({ kind: 'text', text: value });
const paragraph = (...children: unknown[]) => ({ kind: 'paragraph', children });

it.each<[string, string, unknown[]]>([
  ['a paragraph', 'one\ntwo', [paragraph(text('one'), text(' '), text('two'))]],
  ['two paragraphs', 'one\n\ntwo', [paragraph(text('one')), paragraph(text('two'))]],
  ['a heading', '## Hi ##', [{ kind: 'heading', level: 2, children: [text('Hi')] }]],
  ['a horizontal rule', '- - -', [{ kind: 'rule' }]],
  [
    'a code block',
    '```js\na <b>\n```\nx',
    [{ kind: 'code', language: 'js', text: 'a <b>' }, paragraph(text('x'))],
  ],
  ['an unclosed code block', '```\na', [{ kind: 'code', language: '', text: 'a' }]],
  ['a quote', '> a\n> b', [{ kind: 'quote', children: [paragraph(text('a'), text(' '), text('b'))] }]],
  [
    'a list',
    '- a\n- b',
    [{ kind: 'list', ordered: false, start: 1, items: [[paragraph(text('a'))], [paragraph(text('b'))]] }],
  ],
  [
    'an ordered list that starts at 3',
    '3. a\n4. b',
    [{ kind: 'list', ordered: true, start: 3, items: [[paragraph(text('a'))], [paragraph(text('b'))]] }],
  ],
  [
    'a nested list',
    '- a\n  - b\n- c',
    [
      {
        kind: 'list',
        ordered: false,
        start: 1,
        items: [
          [paragraph(text('a')), { kind: 'list', ordered: false, start: 1, items: [[paragraph(text('b'))]] }],
          [paragraph(text('c'))],
        ],
      },
    ],
  ],
  [
    'a table',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    [{ kind: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], [text('2')]]] }],
  ],
  ['strong text', '**a**', [paragraph({ kind: 'strong', children: [text('a')] })]],
  [
    'emphasized text',
    '*a* _b_',
    [
      paragraph({ kind: 'emphasis', children: [text('a')] }, text(' '), {
        kind: 'emphasis',
        children: [text('b')],
      }),
    ],
  ],
  ['a name with underscores', 'a_b_c', [paragraph(text('a_b_c'))]],
  ['inline code', '`**a**`', [paragraph({ kind: 'code', text: '**a**' })]],
  [
    'x',
    '[a](https://x.test "t")',
    [paragraph({ kind: 'link', url: 'https://x.test', children: [text('a')] })],
  ],
  [
    'a bare URL',
    'see https://x.test/a.',
    [
      paragraph(
        text('see '),
        { kind: 'link', url: 'https://x.test/a', children: [text('https://x.test/a')] },
        text('.'),
      ),
    ],
  ],
  ['an image', '![a](p.png)', [paragraph({ kind: 'image', url: 'p.png', alt: 'a' })]],
  ['escaped characters', '\\*a\\*', [paragraph(text('*a*'))]],
  ['HTML as text', '<script>alert(1)</script>', [paragraph(text('<script>alert(1)</script>'))]],
  ['an unclosed mark as text', '**a', [paragraph(text('**a'))]],
])('parses %s', (_, source, blocks) => {
  expect(parseMarkdown(source)).toEqual(blocks);
});

const link = (url: string, ...children: unknown[]) => ({ kind: 'link', url, children });
const marked = (kind: string, ...children: unknown[]) => ({ kind, children });

it.each<[string, string, unknown[]]>([
  ['__a__', 'strong text with underscores', [marked('strong', text('a'))]],
  ['~~a~~', 'deleted text', [marked('deleted', text('a'))]],
  ['*a **b** c*', 'a nested mark', [marked('emphasis', text('a '), marked('strong', text('b')), text(' c'))]],
  [
    '**~~__*a*__~~**',
    'nested',
    [marked('strong', marked('deleted', marked('strong', marked('emphasis', text('a')))))],
  ],
  ['2 * 3 * 4', 'a mark before a space', [text('2 * 3 * 4')]],
  ['a*b*', 'an asterisk inside a word', [text('a'), marked('emphasis', text('b'))]],
  ['*', 'a mark at the end', [text('*')]],
  ['****', 'marks without content', [text('****')]],
  ['``a ` b`` c', 'code with a backtick', [{ kind: 'code', text: 'a ` b' }, text(' c')]],
  ['` a `', 'code between spaces', [{ kind: 'code', text: 'a' }]],
  ['`a', 'unclosed code', [text('`a')]],
  ['a  \nb', 'two spaces before a line break', [text('a  '), { kind: 'break' }, text('b')]],
  ['a \nb', 'one space before a line break', [text('a '), text(' '), text('b')]],
  ['[*a*](b) c', 'a mark in a link', [link('b', marked('emphasis', text('a'))), text(' c')]],
  ['[a](<b>)', 'a URL in angle brackets', [link('b', text('a'))]],
  ['[a]( b "t" )', 'spaces around a URL', [link('b', text('a'))]],
  ['[a] (b)', 'a space before the URL', [text('[a] (b)')]],
  ['[a](b', 'an unclosed link', [text('[a](b')]],
  ['[a[b](c)', 'a bracket in a link', [text('[a'), link('c', text('b'))]],
  ['![a', 'an unclosed image', [text('![a')]],
  ['!a', 'an exclamation mark', [text('!a')]],
  ['(https://x.test)', 'in parens', [text('('), link('https://x.test', text('https://x.test')), text(')')]],
  ['http://x.test/a?b=c!', 'no TLS', [link('http://x.test/a?b=c', text('http://x.test/a?b=c')), text('!')]],
  ['xhttps://x.test', 'a URL inside a word', [text('xhttps://x.test')]],
  ['https://', 'only a scheme', [text('https://')]],
  ['\\a', 'a backslash before a letter', [text('\\a')]],
  ['\\[a](b)', 'an escaped link', [text('[a](b)')]],
])('parses %j (%s)', (source, _, children) => {
  expect(parseInline(source)).toEqual(children);
});

it.each(['*a', '[', '![', '`', '](', '**', '> ', '- ', '~~x', '_a ', '|', 'http://'])(
  'parses 50,000 repetitions of %j quickly',
  (piece) => {
    const parse = () => [parseMarkdown(piece.repeat(50_000)), parseMarkdown(`${piece}\n`.repeat(2000))];
    expect(processorMs(parse)).toBeLessThan(10_000);
  },
);
