import { expect, it } from 'vitest';
import { includeFiles, linesOf, parsePage, readPageToCheck } from '../../src/content/page/index.js';
import { blocksOnPage } from '../../src/protocol/page/page-blocks.js';

const files: Record<string, string> = {
  'parts/a.md': '## From a\n\n> {% include "b c.md" %}\n\n{% @hello/counter %}\n',
  'parts/b c.md': '- {% @hello/counter start=2 %}\n\n  {% include "../parts/a.md" %}\n',
  'wide.md': '{% include "long.md" %}\n\n'.repeat(5),
  'own.md': '## From own',
  'api.yaml': `servers: [{ url: 'https://api.example.com/' }]
security: [{ key: [] }]
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    put:
      summary: Change a pet
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        200: { description: The pet. }
        404: { $ref: '#/components/responses/None' }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  responses: { None: { description: Unknown. } }
  schemas:
    Named: { type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } }
    Pet:
      allOf:
        - $ref: '#/components/schemas/Named'
        - { properties: { kind: { enum: [cat, dog], default: dog }, young: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
`,
  'guide/near.yaml': 'paths: { /: { get: {} } }',
  'broken.json': '{"secret": "xyz"',
  'long.md': 'x'.repeat(400_000),
};
const include = (text: string): ReturnType<typeof includeFiles> =>
  includeFiles(parsePage(text), 'guide/page.md', (file) => files[file]);
const problemsIn = (text: string): string[] =>
  [...JSON.stringify(include(text).blocks).matchAll(/"problem":"([^"]*)"/g)].map(([, found = '']) => found);

it('adds the content of other files, and keeps which file a block comes from', () => {
  const page = '# Page\n\n{% include "../parts/a.md" %}\n\n{% @hello/counter start=3 %}';
  const tree = include(page);
  const integrations = [{ name: 'hello', blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: [] }] }];
  expect(blocksOnPage(tree, integrations).map(({ file, props }) => [file, props])).toEqual([
    ['parts/b c.md', { start: 2 }],
    ['parts/a.md', {}],
    [undefined, { start: 3 }],
  ]);
  expect(linesOf(tree.blocks)).toContain('From a');
  const other = '{% include "/own.md" %}';
  expect([...(readPageToCheck(other, parsePage(other), include(other)).anchors ?? [])]).toContain(
    'h-from-own',
  );
  // The tree of the page itself stays the same, because other pages may use it.
  expect(linesOf(parsePage(page).blocks)).not.toContain('From a');
});

it.each([
  ['{% include "nowhere.md" %}', ['This file is missing.']],
  ['{% include "../../out.md" %}', ['This file is missing.']],
  ['{% include "https://example.com/a.md" %}', ['This file is missing.']],
  ['{% include "/parts/a.md" %}', ['This file includes itself.']],
  ['{% include "/wide.md" %}', Array(2).fill('This page includes too much text.')],
])('explains why %s is not included', (text, problems) => {
  expect(problemsIn(text)).toEqual(problems);
});

it('reads an operation from a file with an API description', () => {
  const tree = include(
    '# Page\n\n{% openapi src="../api.yaml" path="/pets/{id}" method="put" %}\n\n## After\n',
  );
  expect(tree.headings.map(({ id }) => id)).toEqual(['h-page', 'h-change-a-pet', 'h-after']);
  const [, node] = tree.blocks;
  const name = { name: 'name', type: 'string', isRequired: true, notes: ['maximum length 9'], fields: [] };
  const kind = { name: 'kind', type: 'any', isRequired: false, fields: [] };
  expect(node?.kind === 'container' && node.operation).toMatchObject({
    server: 'https://api.example.com',
    groups: [
      { title: 'Authorization', fields: [{ name: 'X-Key', type: 'header' }] },
      { title: 'Path parameters', fields: [{ name: 'id', type: 'string', isRequired: true }] },
      {
        title: 'Body',
        type: 'application/json',
        fields: [
          name,
          { ...kind, notes: ['one of cat, dog', 'default dog'] },
          { name: 'young', type: 'Pet[]', fields: [] },
        ],
        example: JSON.stringify({ name: 'text', kind: 'dog', young: [] }, undefined, 2),
      },
    ],
    responses: [
      { title: '200', text: 'The pet.' },
      { title: '404', text: 'Unknown.' },
    ],
  });
  const named = include('{% openapi-operation spec="api" path="/pets/{id}" method="put" %}');
  expect(named.headings).toHaveLength(1);
  const near = include('{% openapi-operation spec="near.yaml" path="/" method="get" %}');
  expect(near.headings).toHaveLength(1);
});

it.each([
  ['src="/api.yaml" path="/pets/{id}" method="get"', 'This file does not describe GET /pets/{id}.'],
  [
    'src="/broken.json" path="/" method="get"',
    'This file is not valid YAML or JSON, or it is longer than 1 MB.',
  ],
  [
    'src="https://example.com/a.yaml" path="/" method="get"',
    'The API description https://example.com/a.yaml is not in this folder, so the operation is not shown.',
  ],
  [
    'spec="far" path="/" method="get"',
    'The API description far is not in this folder, so the operation is not shown.',
  ],
])('reports an operation with %s', (attributes, message) => {
  const { problems, blocks } = include(`Text.\n\n{% openapi-operation ${attributes} %}`);
  expect(problems).toEqual([{ code: 'broken-link', message, line: 3, column: 1 }]);
  expect(JSON.stringify(blocks)).not.toContain('xyz');
});

it('reports an operation in a missing file only once, and includes no data files as text', () => {
  const text = '{% openapi src="gone.yaml" path="/" method="get" %}';
  expect(include(text).problems).toEqual([]);
  expect(problemsIn(text)).toEqual(['This file is missing.']);
  expect(problemsIn('{% include "/broken.json" %}')).toEqual(['This file is missing.']);
});

it.each(['allOf', 'oneOf'])('shows an operation whose schemas multiply through %s', (key) => {
  const schemas = Object.fromEntries(
    Array.from({ length: 9 }, (_, nth) => [
      `S${nth}`,
      { [key]: Array.from({ length: 50 }, () => ({ $ref: `#/components/schemas/S${nth + 1}` })) },
    ]),
  );
  const content = {
    'application/json': { schema: { properties: { a: { $ref: '#/components/schemas/S0' } } } },
  };
  const spec = { paths: { '/': { get: { responses: { 200: { content } } } } }, components: { schemas } };
  const page = parsePage('{% openapi src="deep.json" path="/" method="get" %}');
  const [node] = includeFiles(page, 'page.md', () => JSON.stringify(spec)).blocks;
  expect(node?.kind === 'container' && node.operation?.responses[0]?.fields).toMatchObject([{ name: 'a' }]);
});
