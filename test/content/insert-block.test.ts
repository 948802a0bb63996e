import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { editFence, insertBlock, parsePage, removeBlock } from '../../src/content/page/index.js';
import { amount } from '../support/proved.js';

const counter = { name: 'hello/counter', props: { start: 3, text: 'a %} "b"' } };
const tag = '{% @hello/counter start=3 text="a %\\u007d \\"b\\"" %}';

it.each([
  ['into an empty page', '', 0, `${tag}\n`],
  ['into a page that only has front matter', '---\ntitle: A\n---\n', 0, `---\ntitle: A\n---\n${tag}\n`],
  ['at the start', '# A\n\ntext\n', 0, `${tag}\n\n# A\n\ntext\n`],
  ['in the middle', '# A\r\n\r\ntext\r\n', 1, `# A\r\n\r\n${tag}\r\n\r\ntext\r\n`],
  ['between lines without a blank line', '# A\ntext', 1, `# A\n\n${tag}\n\ntext`],
  ['at the end', '\uFEFF# A\n\n- b\n- c\n\n\n', 2, `\uFEFF# A\n\n- b\n- c\n\n${tag}\n\n\n`],
  ['at the end without a trailing newline', '# A', 1, `# A\n\n${tag}`],
])('inserts a block %s', (_, text, nth, expected) => {
  const { start, ends } = parsePage(text);
  expect(insertBlock(text, [start, ...ends][nth] ?? -1, counter)?.text).toBe(expected);
});

it.each([
  [{ embed: 'https://example.com/a?b="c"' }, '{% embed url="https://example.com/a?b=\\"c\\"" %}'],
  [{ link: 'https://example.com/' }, '<https://example.com/>'],
  [{ fence: 'mermaid' }, '```mermaid\n```'],
])('inserts the Markdown for %j', (insertion, expected) => {
  expect(insertBlock('# A\n', 3, insertion)).toEqual({ text: `# A\n\n${expected}\n`, start: 5 });
});

it('inserts nothing where a block would not be parsed', () => {
  const open = '# A\n\n```js\nlet a;\n';
  const { ends } = parsePage(open);
  expect(insertBlock(open, ends[1] ?? -1, counter)).toBeUndefined();
  expect(insertBlock(open, 4, counter)).toBeUndefined();
});

const pieces = fc.array(
  fc.constantFrom(
    '# A',
    'text\nmore',
    '- a\n\n  b\n- c',
    '> quote\nlazy',
    '| a |\n| - |\n| b |',
    '```js\nlet a;\n```',
    '{% @x/y a=1 %}',
    '{% embed url="https://a.example/" %}\nCaption\n{% endembed %}',
    '---',
    '    code',
    '[a]: https://a.example/',
  ),
  { maxLength: 6 },
);

it('inserts a block without changing other bytes of the page, and can undo it, in many random cases', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '\uFEFF', '---\ntitle: A\n---\n'),
      pieces,
      fc.constantFrom('\n', '\n\n', '\n\n\n'),
      fc.constantFrom('', '\n', '\n\n'),
      fc.boolean(),
      fc.nat(),
      (head, parts, between, end, windows, nth) => {
        const plain = head + parts.join(between) + end;
        const text = windows ? plain.replaceAll('\n', '\r\n') : plain;
        const { start, ends } = parsePage(text);
        const places = [start, ...ends];
        const at = places[nth % places.length] ?? 0;
        const inserted = insertBlock(text, at, counter);
        if (!inserted) return;
        const { text: edited, start: from } = inserted;
        expect(edited.slice(0, at) + edited.slice(edited.length - (text.length - at))).toBe(text);
        expect(edited.slice(at, from).trim()).toBe('');
        expect(edited.slice(from, from + tag.length)).toBe(tag);
        expect(parsePage(edited).blocks.filter(({ kind }) => kind !== 'tag').length).toBe(
          parsePage(text).blocks.filter(({ kind }) => kind !== 'tag').length,
        );
        const removed = removeBlock(edited, from, from + tag.length);
        expect(removed.replace(/\s+/g, ' ').trim()).toBe(text.replace(/\s+/g, ' ').trim());
      },
    ),
    { numRuns: amount(400, 2000) },
  );
});

it.each([
  ['```js\na\n```\nend', 'b\nc', '```js\nb\nc\n```\nend'],
  ['  ~~~js title\r\n  a\r\n  ~~~\r\n', 'b\nc', '  ~~~js title\r\nb\r\nc\r\n  ~~~\r\n'],
  ['~~~js title\r\na\r\n~~~\r\n', 'b\nc', '~~~js title\r\nb\r\nc\r\n~~~\r\n'],
  ['```js\na\n```', '```\nx\n```', '````js\n```\nx\n```\n````'],
  ['```js\na\n```', '', '```js\n```'],
  ['text', 'b', ''],
])('replaces the text of the code fence in %j', (text, body, expected) => {
  expect(editFence(text, 0, body) ?? '').toBe(expected);
});
