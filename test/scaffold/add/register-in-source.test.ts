import { expect, test } from 'vitest';
import { editSource, type EntryEdit } from '../../../src/scaffold/add/addition.js';
import {
  addImport,
  addMember,
  addToCollection,
  beginMethod,
} from '../../../src/scaffold/add/register-in-source.js';

const call = (inside: string): string => `export default createIntegration<Context>(${inside});\n`;

test.each([
  ['an empty definition', '{}', '{\n  components: [card],\n}'],
  ['an empty list', '{\n  components: [],\n}', '{\n  components: [card],\n}'],
  ['a list in a line', '{ components: [a, b] }', '{ components: [a, b, card] }'],
  ['a list with a comma at its end', '{ components: [a,] }', '{ components: [a, card] }'],
  [
    'a list in lines',
    '{\n  components: [\n    a, // first\n    b // last\n  ],\n}',
    '{\n  components: [\n    a, // first\n    b, // last\n    card,\n  ],\n}',
  ],
  ['other members', '{\n  fetch: handle,\n}', '{\n  fetch: handle,\n  components: [card],\n}'],
  ['no comma at the end', '{\n  fetch\n}', '{\n  fetch,\n  components: [card],\n}'],
  [
    'members that stand apart',
    '{\n  async fetch() {},\n\n  events: {},\n}',
    '{\n  async fetch() {},\n\n  events: {},\n\n  components: [card],\n}',
  ],
  [
    'brackets in texts and comments',
    "{\n  fetch: () => new Response('}]'), // }\n  components: [a /* ] */],\n}",
    "{\n  fetch: () => new Response('}]'), // }\n  components: [a, card /* ] */],\n}",
  ],
  ['a quoted member', "{ 'components': [a] }", "{ 'components': [a, card] }"],
  [
    'the same word deeper down',
    '{\n  events: { a: () => ({ components: [] }) },\n  components: [],\n}',
    '{\n  events: { a: () => ({ components: [] }) },\n  components: [card],\n}',
  ],
])('adds a component to %s', (_, before, after) => {
  expect(addToCollection(call(before), 'components', '[]', 'card')).toBe(call(after));
});

test.each([
  ['no call', 'export default definition;'],
  ['a definition from elsewhere', 'export default createIntegration(definition);'],
  ['a list from elsewhere', call('{ components: all }')],
  ['a shorthand', call('{ components }')],
  ['an unclosed bracket', 'createIntegration({ components: ['],
  ['a list that a spread may contain', call('{ ...shared }')],
  ['a call in a line comment', '// createIntegration({ components: [] })\nexport default definition;'],
  ['a call in a block comment', '/* createIntegration({ components: [] }) */'],
  ['a call in a string', "export const help = 'createIntegration({ components: [] })';"],
  ['a call in a template', 'export const help = `\ncreateIntegration({ components: [] })`;'],
  ['a call in a regular expression', 'export const pattern = /createIntegration({ components: [] })/;'],
  ['a call in markup', 'export const help = <p>createIntegration({ 1 })</p>;'],
  ['one of two calls', `${call('{}')}${call('{}').replace('default', 'const b =')}`],
])('does not recognize %s', (_, source) => {
  expect(addToCollection(source, 'components', '[]', 'card')).toBeUndefined();
});

test.each([
  '// createIntegration({ … }) returns the fetch handler.',
  '/** createIntegration({ components: [] }) */',
  'const help = `createIntegration({ components: [] })`;',
  'const quote = /[\'"`]/;',
])('leaves %s before the call unchanged', (line) => {
  const edited = addToCollection(`${line}\n${call('{ components: [] }')}`, 'components', '[]', 'card');
  expect(edited).toBe(`${line}\n${call('{ components: [card] }')}`);
});

const addCard: EntryEdit = {
  change: (source) => addToCollection(source, 'components', '[]', 'card'),
  imports: { card: './card' },
};

test.each([
  ['an import in a template', 'const a = `\nimport b from "b";\n`;\n'],
  ['an import in a comment', '/*\nimport b from "b";\n*/\n'],
  ['a variable with the name', 'const card = 1;\n'],
])('does not edit an entry file with %s', (_, start) => {
  expect(editSource(start + call('{ components: [] }'), addCard)).toBeUndefined();
});

test('adds the component and its import to an entry file', () => {
  expect(editSource(call('{ components: [] }'), addCard)).toBe(
    `import { card } from './card';\n${call('{ components: [card] }')}`,
  );
});

test('adds a handler to the events only once', () => {
  const once = addToCollection(call('{\n  events: {\n    a: b,\n  },\n}'), 'events', '{}', 'c: d');
  expect(once).toBe(call('{\n  events: {\n    a: b,\n    c: d,\n  },\n}'));
  expect(addToCollection(once ?? '', 'events', '{}', 'c: e')).toBeUndefined();
  expect(addToCollection(call('{ events: { a: b } }'), 'events', '{}', 'c: d')).toBe(
    call('{ events: { a: b, c: d } }'),
  );
});

test('adds a member only if no other has its name', () => {
  expect(addMember(call('{ a }'), 'fetch', 'fetch')).toBe(call('{ a, fetch }'));
  expect(addMember(call('{ async fetch() {} }'), 'fetch', 'fetch')).toBeUndefined();
});

test.each([
  [
    'async fetch(request, context) {\n    return x;\n  }',
    'async fetch(request, context) {\n    go(request, context);\n\n    return x;\n  }',
  ],
  [
    'fetch: async (r, c) => {\n    return x;\n  }',
    'fetch: async (r, c) => {\n    go(r, c);\n\n    return x;\n  }',
  ],
  ['fetch: handle', undefined],
  ['async fetch(request, { environment }) {}', undefined],
])('adds a statement at the beginning of %j', (before, after) => {
  const edited = beginMethod(call(`{\n  ${before},\n}`), 'fetch', (names) => `go(${names.join(', ')});`);
  expect(edited).toBe(after && call(`{\n  ${after},\n}`));
});

test.each([
  [
    'behind the last import',
    "import a from 'a';\nimport {\n  b,\n} from 'b';\n\ncode();\n",
    './c',
    "import a from 'a';\nimport {\n  b,\n} from 'b';\nimport { c } from './c';\n\ncode();\n",
  ],
  [
    'with the quotes of the others',
    'import a from "a";\n',
    './c',
    'import a from "a";\nimport { c } from "./c";\n',
  ],
  [
    'with the ending of the others',
    "import a from './a.js';\n",
    './c',
    "import a from './a.js';\nimport { c } from './c.js';\n",
  ],
  ['into the same import', "import { a } from 'm';\n", 'm', "import { a, c } from 'm';\n"],
  ['once', "import { c, d } from 'm';\n", 'm', "import { c, d } from 'm';\n"],
  ['at the top', 'code();\n', './c', "import { c } from './c';\ncode();\n"],
])('adds an import %s', (_, before, module, after) => {
  expect(addImport(before, 'c', module)).toBe(after);
});
