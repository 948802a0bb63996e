import { expect, it } from 'vitest';
import { applyFixes, parseManifest } from '../../../src/manifest/index.js';

const start = `# A comment.
name:   ticket-links
title: 'Ticket links'   # as in the shop

description: "Turns links to tickets into cards."
organization: acme
visibility: private
scopes: [ space:content:read ]
`;
const fixed = (text: string): string => applyFixes(text, parseManifest(text).diagnostics);

it.each<[name: string, from: string, wrong: string, right: string]>([
  ['a key', 'organization: acme', 'orgnization: acme # ours', 'organization: acme # ours'],
  ['a key in quotes', 'organization: acme', '"orgnization": acme', '"organization": acme'],
  ['a word', 'private', 'privte', 'private'],
  ['a word in double quotes', 'private', '"privte" # for now', '"private" # for now'],
  ['a word in single quotes', 'private', "'Private'", "'private'"],
  ['a scope in brackets', 'space:content:read ]', 'space:content:raed ]', 'space:content:read ]'],
  ['a duplicate scope in brackets', 'read ]', 'read, space:content:read ]', 'read ]'],
  ['a duplicate inside', 'read ]', 'read, space:content:read, site:views:read ]', 'read, site:views:read ]'],
  [
    'a duplicate scope on separate lines',
    '[ space:content:read ]',
    '\n  - space:content:read\n  # between\n  - space:content:read\n  - site:views:read',
    '\n  - space:content:read\n  # between\n  - site:views:read',
  ],
  ['a missing visibility', 'visibility: private\n', '', 'visibility: private\n'],
  ['text that looks like a number', "'Ticket links'", '2024', '"2024"'],
  ['text that looks like a boolean', "'Ticket links'", 'true', '"true"'],
])('changes only the text that causes the problem: %s', (_, from, wrong, right) => {
  const text = start.replace(from, wrong);
  expect(text).not.toBe(start);
  expect(fixed(text)).toBe(start.replace(from, right));
  expect(fixed(text.replaceAll('\n', '\r\n'))).toBe(start.replace(from, right).replaceAll('\n', '\r\n'));
  expect(fixed(`\uFEFF${text}`)).toBe(`\uFEFF${start.replace(from, right)}`);
  expect(fixed(fixed(text))).toBe(fixed(text));
});

it('corrects only one of two misspellings of the same field', () => {
  const text = start.replace('organization: acme', 'organizatin: acme\norganizaton: acme');
  expect(fixed(text)).toBe(text.replace('organizatin:', 'organization:'));
  expect(fixed(fixed(text))).toBe(fixed(text));
});

it.each([
  [
    'scopes: [ space:content:read ]',
    'scopes: [ space:content:read, space:content:reed ]',
    'space:content:read',
  ],
  ['scopes:', 'categories: [content, contents]\nscopes:', 'content'],
  ['scopes:', 'titel: Links\nscopes:', 'title', 'here'],
])('offers no fix if the right value exists: %s -> %s', (from, to, meant, where = 'in the list') => {
  const { diagnostics } = parseManifest(start.replace(from, to));
  expect(diagnostics.map(({ help, fix }) => ({ help, fix }))).toEqual([
    { help: `Did you mean ${meant}? It already exists ${where}, so remove this one.`, fix: undefined },
  ]);
});

it('applies several fixes at the same time', () => {
  const wrong = start
    .replace('private', 'privte')
    .replace('organization', 'organisation')
    .replace('raed', 'read');
  expect(fixed(wrong)).toBe(start);
});

it('removes the last line of a file without a trailing newline', () => {
  const text = start.replace(
    'scopes: [ space:content:read ]\n',
    'scopes:\n  - openapi:read\n  - openapi:read',
  );
  expect(fixed(text)).toBe(text.slice(0, -'\n  - openapi:read'.length));
});

it('adds a missing visibility after the previous field, regardless of what follows', () => {
  const text = 'name: a\ntitle: A\ndescription: D\norganization: acme # ours\nscopes:\n  - openapi:read';
  expect(fixed(text)).toBe(text.replace('# ours\n', '# ours\nvisibility: private\n'));
});

it.each([
  ['two words are equally similar', 'scopes: [ space:content:read ]', 'scopes: [ openapi:reit ]'],
  ['no word is similar', 'private', 'everybody'],
  ['the correct word already exists', 'organization: acme', 'organization: acme\norganizatio: acme'],
  [
    'a comment would be removed with the line',
    '[ space:content:read ]',
    '\n  - openapi:read\n  - openapi:read # for the docs',
  ],
  ['the value may be a custom category', 'scopes:', 'categories: [gardening]\nscopes:'],
  [
    'the document is JSON',
    start,
    '{"name":"a","title":"A","description":"D","organization":"acme","scopes":[]}',
  ],
])('applies no fix if %s', (_, from, wrong) => {
  const text = start.replace(from, wrong);
  expect(text).not.toBe(start);
  expect(parseManifest(text).diagnostics).not.toEqual([]);
  expect(fixed(text)).toBe(text);
});
