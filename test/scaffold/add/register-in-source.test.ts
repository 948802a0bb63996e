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
  ['a list on one line', '{ components: [a, b] }', '{ components: [a, b, card] }'],
  ['a list with a trailing comma', '{ components: [a,] }', '{ components: [a, card] }'],
  [
    'a list on several lines',
    '{\n  components: [\n    a, // first\n    b // last\n  ],\n}',
    '{\n  components: [\n    a, // first\n    b, // last\n    card,\n  ],\n}',
  ],
  ['a definition with members', '{\n  fetch: handle,\n}', '{\n  fetch: handle,\n  components: [card],\n}'],
  ['a definition without a trailing comma', '{\n  fetch\n}', '{\n  fetch,\n  components: [card],\n}'],
  [
    'members separated by blank lines',
    '{\n  async fetch() {},\n\n  events: {},\n}',
    '{\n  async fetch() {},\n\n  events: {},\n\n  components: [card],\n}',
  ],
  [
    'code with brackets in strings and comments',
    "{\n  fetch: () => new Response('}]'), // }\n  components: [a /* ] */],\n}",
    "{\n  fetch: () => new Response('}]'), // }\n  components: [a, card /* ] */],\n}",
  ],
  ['a quoted property', "{ 'components': [a] }", "{ 'components': [a, card] }"],
  [
    'the right list if a nested one has the same name',
    '{\n  events: { a: () => ({ components: [] }) },\n  components: [],\n}',
    '{\n  events: { a: () => ({ components: [] }) },\n  components: [card],\n}',
  ],
])('adds a component to %s', (_, before, after) => {
  expect(addToCollection(call(before), 'components', '[]', 'card')).toBe(call(after));
});

test.each([
  ['a file without a call', 'export default definition;'],
  ['a definition stored in a variable', 'export default createIntegration(definition);'],
  ['a list stored in a variable', call('{ components: all }')],
  ['a shorthand property', call('{ components }')],
  ['an unclosed bracket', 'createIntegration({ components: ['],
  ['a list that may come from a spread', call('{ ...shared }')],
  ['a call in a line comment', '// createIntegration({ components: [] })\nexport default definition;'],
  ['a call in a block comment', '/* createIntegration({ components: [] }) */'],
  ['a call in a string', "export const help = 'createIntegration({ components: [] })';"],
  ['a call in a template string', 'export const help = `\ncreateIntegration({ components: [] })`;'],
  ['a call in a regular expression', 'export const pattern = /createIntegration({ components: [] })/;'],
  ['a call in markup', 'export const help = <p>createIntegration({ 1 })</p>;'],
  ['code with two calls', `${call('{}')}${call('{}').replace('default', 'const b =')}`],
])('finds no call to edit in %s', (_, source) => {
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
  ['an import in a template string', 'const a = `\nimport b from "b";\n`;\n'],
  ['an import in a comment', '/*\nimport b from "b";\n*/\n'],
  ['a variable with the same name', 'const card = 1;\n'],
])('does not edit an entry file with %s', (_, start) => {
  expect(editSource(start + call('{ components: [] }'), addCard)).toBeUndefined();
});

test('adds the component and its import to an entry file', () => {
  expect(editSource(call('{ components: [] }'), addCard)).toBe(
    `import { card } from './card';\n${call('{ components: [card] }')}`,
  );
});

test('adds an event handler to the entry file only once', () => {
  const once = addToCollection(call('{\n  events: {\n    a: b,\n  },\n}'), 'events', '{}', 'c: d');
  expect(once).toBe(call('{\n  events: {\n    a: b,\n    c: d,\n  },\n}'));
  expect(addToCollection(once ?? '', 'events', '{}', 'c: e')).toBeUndefined();
  expect(addToCollection(call('{ events: { a: b } }'), 'events', '{}', 'c: d')).toBe(
    call('{ events: { a: b, c: d } }'),
  );
});

test('adds a member to the entry file only if no other member has the same name', () => {
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
    'after the last import',
    "import a from 'a';\nimport {\n  b,\n} from 'b';\n\ncode();\n",
    './c',
    "import a from 'a';\nimport {\n  b,\n} from 'b';\nimport { c } from './c';\n\ncode();\n",
  ],
  ['with the same quotes', 'import a from "a";\n', './c', 'import a from "a";\nimport { c } from "./c";\n'],
  [
    'with the same extension as other imports',
    "import a from './a.js';\n",
    './c',
    "import a from './a.js';\nimport { c } from './c.js';\n",
  ],
  ['to an existing import of the module', "import { a } from 'm';\n", 'm', "import { a, c } from 'm';\n"],
  [
    'to an import whose comments end with a comma',
    "import { a, /* c, */ } from 'm';\n",
    'm',
    "import { a, c /* c, */ } from 'm';\n",
  ],
  [
    'to an import on several lines that ends with a comment',
    "import {\n  a,\n  b, // last\n} from 'm';\n",
    'm',
    "import {\n  a,\n  b, // last\n  c,\n} from 'm';\n",
  ],
  ['only if it is missing', "import { c, d } from 'm';\n", 'm', "import { c, d } from 'm';\n"],
  ['at the top of a file without imports', 'code();\n', './c', "import { c } from './c';\ncode();\n"],
])('adds an import %s', (_, before, module, after) => {
  expect(addImport(before, 'c', module)).toBe(after);
});
