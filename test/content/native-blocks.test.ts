import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { amount } from '../support/proved.js';
import { editTag, parsePage, type PageBlock } from '../../src/content/page/index.js';

interface Part {
  name: string;
  parts: Part[];
}

const block = fc.constantFrom('hint', 'tabs', 'stepper', 'columns', 'details', 'if', 'text', 'fence', 'own');
/** A block that contains others, at most this many levels deep. */
const partOf = (levels: number): fc.Arbitrary<Part> =>
  fc.record({
    name: block,
    parts: levels === 0 ? fc.constant([]) : fc.array(partOf(levels - 1), { maxLength: 3 }),
  });

const inner: Record<string, string> = { tabs: 'tab', stepper: 'step', columns: 'column' };
const simple: Record<string, string[]> = {
  text: ['Some *text* with 🙂 and {% endhint %}'],
  fence: ['```md', '{% endtabs %}', '<details>', '```'],
  own: ['{% @hello/counter start=1 %}'],
};

function write({ name, parts }: Part): string[] {
  if (simple[name]) return simple[name];
  const inside = parts.flatMap((one) => ['', ...write(one), '']);
  if (name === 'details') return ['<details>', '<summary>More</summary>', ...inside, '</details>'];
  const within = inner[name];
  return [
    name === 'if' ? '{% if a == "%" %}' : `{% ${name} style="info" %}`,
    ...(within ? [`{% ${within} title="T" %}`, ...inside, `{% end${within} %}`] : inside),
    `{% end${name} %}`,
  ];
}

const namesOf = (blocks: readonly PageBlock[]): unknown[] =>
  blocks.flatMap((one): unknown[] => {
    if (one.kind === 'paragraph') return ['text'];
    if (one.kind === 'code') return ['fence'];
    if (one.kind === 'tag') return ['own'];
    if (one.kind !== 'container') return [one.kind];
    if (one.name === 'summary') return [];
    return Object.values(inner).includes(one.name)
      ? namesOf(one.children)
      : [[one.name, ...namesOf(one.children)]];
  });
const wanted = ({ name, parts }: Part): unknown => (simple[name] ? name : [name, ...parts.map(wanted)]);

it('keeps the source ranges of pages with random nested blocks', () => {
  fc.assert(
    fc.property(
      fc.array(partOf(4), { maxLength: 4 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
      (parts, eol, bom) => {
        const text = bom + parts.flatMap((one) => [...write(one), '']).join(eol);
        const { blocks, tags, problems, ends } = parsePage(text);
        expect(problems).toEqual([]);
        expect(namesOf(blocks)).toEqual(parts.map(wanted));
        expect(ends).toHaveLength(blocks.length);
        const check = (one: PageBlock): void => {
          if (one.kind !== 'container' || one.name === 'summary') return;
          const { name, start, open, close, end, children } = one;
          expect(text.slice(start, open)).toMatch(
            name === 'details' ? /^<details>$/ : new RegExp(`^{% ${name} [^{}]*%}$`),
          );
          expect(text.slice(close, end)).toBe(name === 'details' ? '</details>' : `{% end${name} %}`);
          children.forEach(check);
        };
        blocks.forEach(check);
        for (const tag of tags) {
          const edited = editTag(text, tag.start, { start: 22 }) ?? '';
          expect(edited).toBe(
            `${text.slice(0, tag.start)}{% @hello/counter start=22 %}${text.slice(tag.end)}`,
          );
          expect(namesOf(parsePage(edited).blocks)).toEqual(parts.map(wanted));
        }
      },
    ),
    { numRuns: amount(400, 10_000), seed: 57 },
  );
});

it.each([
  ['{% hint %}\ntext', 'unclosed-tag', 1, 'Add {% endhint %}'],
  ['text\n\n{% endhint %}', 'unclosed-tag', 3, 'add {% hint %} before it'],
  ['{% tab title="A" %}\ntext\n{% endtab %}', 'misplaced-tag', 1, 'Put {% tabs %} before it'],
  ['{% tabs %}\n{% tab title="A" %}\ntext\n{% endtabs %}', 'unclosed-tag', 2, 'Add {% endtab %}'],
  ['- {% hint %}\n\n{% endhint %}\n\ntext', 'unclosed-tag', 1, 'Add {% endhint %}'],
  ['<details>\n\ntext', 'unclosed-tag', 1, 'Add </details>'],
  ['text\n\n</details>', 'unclosed-tag', 3, 'add <details> before it'],
])('reports %j with its line and the next step, and shows its content', (text, code, line, help) => {
  const { blocks, problems } = parsePage(text);
  expect(problems[0]).toMatchObject({ code, line, help: expect.stringContaining(help) });
  expect(JSON.stringify(blocks)).toContain('"text":"text"');
  expect(JSON.stringify(blocks)).not.toContain('"kind":"tag"');
});

it('reads the cover and the icon from the front matter', () => {
  const page = (cover: string): unknown => parsePage(`---\ncover: ${cover}\nicon: gear\n---\n\ntext`);
  expect(page('a/b.png')).toMatchObject({ cover: { url: 'a/b.png' }, icon: 'gear' });
  expect(page('"data:image/svg+xml,<svg/>"')).toHaveProperty('cover');
  expect(page('"javascript:alert(1)"')).not.toHaveProperty('cover');
});

it('shows a page as plain text if its tags are nested too deeply', () => {
  const text = `${'{% hint %}\n'.repeat(21)}x\n${'{% endhint %}\n'.repeat(21)}`;
  expect(parsePage(text).problems).toMatchObject([{ code: 'too-complex' }]);
});

const paragraph = (...children: object[]): object => ({ kind: 'paragraph', children });
const text = (value: string): object => ({ kind: 'text', text: value });

it.each<[string, object]>([
  [
    '> [!WARNING]\n> Hot',
    { name: 'hint', attributes: { style: 'warning' }, children: [paragraph(text('Hot'))] },
  ],
  ['> [!OTHER]\n> Hot', { kind: 'quote' }],
  ['H<sub>2</sub>O', paragraph(text('H'), { kind: 'sub', children: [text('2')] }, text('O'))],
  ['<kbd>a <b>b</kbd> c', paragraph({ kind: 'kbd' }, text(' c'))],
  ['**a</kbd>** <kbd>**b</kbd>**', paragraph({ kind: 'strong' }, text(' '), { kind: 'kbd' })],
  [
    '<mark style="background-color:$primary">a</mark><mark style="color:red">b</mark>',
    paragraph(
      { kind: 'mark', tone: 'accent', isFilled: true },
      { kind: 'mark', tone: 'bad', isFilled: false },
    ),
  ],
  [
    'see https://example.com/a.',
    paragraph(text('see '), { kind: 'link', url: 'https://example.com/a' }, text('.')),
  ],
  ['see example.com', paragraph(text('see example.com'))],
  [
    '<a href="/b" class="button secondary">b</a>',
    paragraph({ kind: 'link', url: '/b', button: 'secondary' }),
  ],
  ['<i class="fa-gear">:gear:</i>', paragraph({ kind: 'icon', name: 'gear' })],
  ['|a|b|\n|-|-:|\n|1|2|', { kind: 'table', columns: [{}, { align: 'right' }] }],
  [
    '```js title="a.js" lineNumbers\n1\n```',
    { kind: 'code', language: 'js', title: 'a.js', lineNumbers: true },
  ],
  ['## A **b** {#own-id}', { kind: 'heading', id: 'h-own-id', children: [text('A '), { kind: 'strong' }] }],
  ['## A <a href="#x" id="x-1"></a>', { kind: 'heading', id: 'h-x-1' }],
  ['<h2 align="center">A <b>b</b></h2>', { kind: 'heading', level: 2 }],
  ['a[^x]\n\n[^x]: Note', paragraph(text('a'), { kind: 'note', number: 1 })],
  ['a[^y]\n\n[^x]: Note', paragraph(text('a[^y]'))],
  [
    '<figure><img src="a.png" alt="A" width="30"><figcaption><p>C</p></figcaption></figure>',
    { name: 'figure', attributes: { url: 'a.png', alt: 'A', width: 30 }, children: [paragraph(text('C'))] },
  ],
  [
    '<details open><summary>S</summary>\n\n- a\n\n</details>',
    { name: 'details', attributes: { open: true }, children: [{ name: 'summary' }, { kind: 'list' }] },
  ],
  [
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target></th></tr></thead><tbody><tr><td><b>A</b></td><td><a href="a.md">a</a></td></tr></tbody></table>',
    {
      kind: 'table',
      view: 'cards',
      columns: [{}, { role: 'target' }],
      rows: [[[{ kind: 'strong' }], [{ kind: 'link', url: 'a.md' }]]],
    },
  ],
])('reads %j', (source, expected) => {
  const { blocks, problems } = parsePage(source);
  expect(problems).toEqual([]);
  expect(blocks[0]).toMatchObject(expected);
});
