import { expect, it } from 'vitest';
import { documentNodes, parsePage } from '../../src/content/page/index.js';
import { processorMs } from '../support/processor-time.js';

it('finds blocks with their properties and exact positions, even in lists', () => {
  const text =
    '\uFEFF---\r\ntitle: X\r\n---\r\n\r\n{% @hello/counter start=3 data={"a":[1,2]} /%}\r\n\r\n- a\r\n  {% @hello/other "the key"="x %\\u007d" %}\r\n';
  const { tags, problems } = parsePage(text);
  expect(tags).toMatchObject([
    {
      type: 'block',
      integration: 'hello',
      component: 'counter',
      props: { start: 3, data: { a: [1, 2] } },
      line: 5,
    },
    { type: 'block', component: 'other', props: { 'the key': 'x %}' }, line: 8 },
  ]);
  expect(tags.map(({ start, end }) => text.slice(start, end))).toEqual([
    '{% @hello/counter start=3 data={"a":[1,2]} /%}',
    '{% @hello/other "the key"="x %\\u007d" %}',
  ]);
  expect(problems).toEqual([]);
});

it('keeps line breaks in the strings of a tag', () => {
  const { tags } = parsePage('{% @mermaid/diagram content="graph LR\n\n  A --> B" %}\n\nafter');
  expect(tags).toMatchObject([{ props: { content: 'graph LR\n\n  A --> B' } }]);
});

it('keeps the caption of an embed', () => {
  const { blocks } = parsePage('{% embed url="https://example.com/t" %}\nA caption\n{% endembed %}\n\nafter');
  expect(blocks).toMatchObject([
    { type: 'embed', url: 'https://example.com/t', caption: 'A caption' },
    { kind: 'paragraph' },
  ]);
});

it.each([
  ['{% @a/b c="say "hi" now" %}', 'Expected a space after the value of c', 17],
  ['{% @a/b c=word %}', 'The value of c is not valid JSON', 11],
  ['{% @a/b c %}', 'Expected = after c', 10],
  [`{% @a/b c=${'['.repeat(3e4)}${']'.repeat(3e4)} %}`, 'nested more than 100 levels deep', 11],
  ['{% embed url="javascript:alert(1)" %}', 'An embed needs a url', 1],
])('reports the position of the error in %s', (text, message, column) => {
  const { tags, problems } = parsePage(`first\n\n${text}`);
  expect(tags).toMatchObject([{ type: 'other' }]);
  expect(problems).toMatchObject([{ code: 'invalid-tag', line: 3, column }]);
  expect(problems[0]?.message).toContain(message);
});

it.each(['a {% @a/b %}', '{% @a/b %} a', '    {% @a/b %}', '```\n{% @a/b %}\n```', '{% @a/b'])(
  'treats %j as text, because a tag needs its own line',
  (text) => {
    expect(parsePage(text).tags).toEqual([]);
  },
);

it('parses formulas within a line and on several lines, with safe elements only', () => {
  const page = 'An $$a_1$$.\n\n> $$\n> \\sqrt{b} +\n>\n> - c\n> $$\n\n$$\\color{red} y$$ costs $$5';
  const { blocks, problems } = parsePage(page);
  expect(problems).toEqual([]);
  expect(blocks).toMatchObject([
    { children: [{}, { kind: 'math', isBlock: false, math: { children: [{ tag: 'msub' }] } }, {}] },
    { kind: 'quote', children: [{ children: [{ isBlock: true, text: '\n\\sqrt{b} +\n\n- c\n' }] }] },
    { children: [{ kind: 'math' }, { text: ' costs $$5' }] },
  ]);
  const json = JSON.stringify(blocks);
  expect(json).toContain('"mathcolor":"red"');
  expect(json).not.toMatch(/href|"style"|"tag":"a"/);
  expect(documentNodes(blocks)).toMatchObject([
    { nodes: [{}, { type: 'inline-math', data: { formula: 'a_1' } }, {}] },
    { nodes: [{ type: 'math' }] },
    {},
  ]);
});

it.each([
  ['a $$\\foo{x}$$', 'unknown command \\foo', 5],
  ['| a |\n|-|\n| $$x_$$ |', 'it ends too early', 7],
  ['$$\\href{javascript:alert(1)}{x}$$', 'unknown command \\href', 3],
  ['$$\\constructor$$', 'unknown command \\constructor', 3],
  ['$$\\begin{constructor}$$', 'unknown environment constructor', 3],
  ['$$a_b_c$$', 'double subscript', 6],
  ['$$\\left( x$$', 'it ends too early', 11],
  ['$$\\color{url(x)} a$$', 'url(x) is not a color', 18],
  ['$$\\begin{matrix} a$$', 'expected \\end', 19],
  ['$$a & b}$$', 'unexpected }', 8],
  [`$$${'{'.repeat(70)}$$`, 'nested too deeply', 63],
])('shows the source of %j, and reports the position of the error', (text, message, column) => {
  const { blocks, problems } = parsePage(text);
  expect(problems).toMatchObject([{ code: 'invalid-math', column }]);
  expect(problems[0]?.message).toContain(message);
  expect(JSON.stringify(blocks)).not.toContain('"math":{');
});

it('keeps the tasks of a task list', () => {
  const [list] = parsePage('- [x] done\n- [ ] open\n- other').blocks;
  expect(list).toMatchObject({
    items: [[{ kind: 'task', done: true }], [{ kind: 'task', done: false }], [{ kind: 'paragraph' }]],
  });
});

it('removes known HTML tags but keeps their text, and shows other tags as text', () => {
  const { blocks } = parsePage(
    '<p align="center">in <b>bold</b><br><img src="a.png" alt="A" onerror="x"> <a href="/b">b</a> <T> <script>x</script></p>',
  );
  expect(blocks).toEqual([
    {
      kind: 'paragraph',
      children: [
        { kind: 'text', text: 'in ' },
        { kind: 'strong', children: [{ kind: 'text', text: 'bold' }] },
        { kind: 'break' },
        { kind: 'image', url: 'a.png', alt: 'A' },
        { kind: 'text', text: ' ' },
        { kind: 'link', url: '/b', children: [{ kind: 'text', text: 'b' }] },
        { kind: 'text', text: ' <T> <script>x</script>' },
      ],
    },
  ]);
});

it.each([
  '[x](javascript:alert(1))',
  '[x](JaVa\tscript:alert(1))',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="data:text/html,x">x</a>',
  '[x](data:image/png;base64,AAAA)',
  '[x](data:image/svg+xml,x)',
  '![x](file:///etc/passwd)',
  '<img src="vbscript:x">',
  '[x][1]\n\n[1]: vbscript:x',
  '<javascript:alert(1)>',
  '<a href="javascript:alert(1)" class="button primary">x</a>',
  '<figure><img src="vbscript:x"><figcaption>x</figcaption></figure>',
  '<table data-view="cards"><tr><th data-card-target></th></tr><tr><td><a href="javascript:x">x</a></td></tr></table>',
  'javascript://example.com/%0aalert(1)',
])('creates no link or image for %j', (text) => {
  const json = JSON.stringify(parsePage(text).blocks);
  expect(json).not.toMatch(/"kind":"(link|image)"/);
});

it('assigns different ids to long headings with the same text', () => {
  const { headings } = parsePage(`# ${'x'.repeat(100)}\n\n`.repeat(3));
  const id = `h-${'x'.repeat(78)}`;
  expect(headings.map((heading) => heading.id)).toEqual([`${id}xx`, `${id}xx-2`, `${id}xx-3`]);
});

it('assigns a unique id to every heading', () => {
  const { headings } = parsePage('# A b\n\n# A b\n\n## A-b 2\n\n# <span id="x">Ü</span>\n\n# !');
  const ids = headings.map(({ id }) => id);
  expect(ids).toEqual(['h-a-b', 'h-a-b-2', 'h-a-b-2-2', 'h-ü', 'h-section']);
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([
  ['1,000 tags', '{% @a/b %}\n\n'.repeat(1001)],
  ['1,000 link references', '[a]: b\n'.repeat(1001)],
  ['1,000 tags', '- {% @a/b %}\n'.repeat(1001)],
  ['30 levels deep', '>'.repeat(100) + ' deep'],
  ['60 levels deep', '*a '.repeat(1e4) + 'a*'.repeat(1e4)],
  ['60 levels deep', '**~~a '.repeat(1e3) + 'a~~**'.repeat(1e3)],
])('shows a page as plain text if it exceeds the limit "%s"', (limit, text) => {
  const { blocks, problems } = parsePage(text, () => 0);
  expect(blocks).toEqual([{ kind: 'code', language: '', text }]);
  expect(problems).toMatchObject([{ code: 'too-complex', message: expect.stringContaining(limit) }]);
});

it('shows a page as plain text if parsing takes too long', () => {
  let time = 0;
  const { problems } = parsePage('one\n\ntwo', () => (time += 400));
  expect(problems).toMatchObject([{ code: 'too-complex' }]);
});

it.each([
  ['open angle brackets', '<'.repeat(1e6)],
  ['unclosed comments', '<!--'.repeat(2e5)],
  ['unclosed tags', '{% '.repeat(3e5)],
  ['unclosed tags, each on its own line', '{%\n'.repeat(900) + 'x'.repeat(9e5)],
  ['unclosed brackets', '['.repeat(1e6)],
  ['unclosed emphasis marks', '*a_'.repeat(3e5)],
  ['quotes', '>'.repeat(1e6)],
  ['text on one line', 'x'.repeat(1e6)],
  ['table rows', `${'|a'.repeat(1e5)}\n${'|-'.repeat(1e5)}`],
  ['unclosed links', '<a href="/x">b'.repeat(7e4)],
  ['a table of many rows', `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n`.repeat(400)],
  ['unclosed elements', '<table>\n'.repeat(1.2e5)],
  ['unclosed figures in one line', '<figure>'.repeat(1.2e5)],
  ['unclosed details', '<details>\n\n'.repeat(9e4)],
  ['footnotes', '[^a]: b\n\n'.repeat(900) + '[^a]'.repeat(2e5)],
  ['bare URLs', 'http://a.example/ '.repeat(5e4)],
  ['half of a URL', 'http://'.repeat(1.4e5)],
  ['rows in HTML', `<table>${'<tr><td>a</td></tr>'.repeat(5e4)}</table>`],
  ['alerts', '> [!NOTE]\n\n'.repeat(8e4)],
  ['tags in lists', '- {% @a/b %}\n'.repeat(8e4)],
  ['equal headings', '# a\n'.repeat(2.5e5)],
  ['spaces in a heading', `# a${' '.repeat(1e6)}b`],
  ['formulas', '$$a$$ '.repeat(1.6e5)],
  ['unclosed formulas', '$$a\n'.repeat(2.5e5)],
  ['nested formulas', `$$${'{'.repeat(3900)}$$\n\n`.repeat(250)],
  ['escaped quotes', `{% @a/b c="${'\\"'.repeat(4e5)}`],
])('fully parses a page with 1 MB of %s within the time limit', (_, text) => {
  expect(processorMs(() => parsePage(text))).toBeLessThan(2500);
});
