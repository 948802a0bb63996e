import { expect, it } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';
import { ticketLinks } from '../../support/manifest-text.js';

const told = (text: string): string[] =>
  parseManifest(ticketLinks + text)
    .diagnostics.filter(({ ignored }) => ignored === undefined)
    .map(({ code, range }) => `${code.replace('manifest/', '')} ${range?.start.line}:${range?.start.column}`);

it.each([
  ['on the line above', 'categories:\n  # platform-ignore manifest/unknown-category: soon\n  - iot\n', []],
  ['on the line itself', 'categories:\n  - iot # platform-ignore manifest/unknown-category: soon\n', []],
  ['without spaces', 'categories:\n  #platform-ignore manifest/unknown-category:soon\n  - iot\n', []],
  [
    'above another comment',
    'categories:\n  # platform-ignore manifest/unknown-category: soon\n  # platform-ignore manifest/duplicate-category: twice\n  - iot\n',
    ['unused-ignore 9:3'],
  ],
  [
    'next to another one for the same line',
    'categories:\n  - iot # platform-ignore manifest/unknown-category: soon\n  # platform-ignore manifest/unknown-category: soon\n  # platform-ignore manifest/duplicate-category: twice\n  - iot\n',
    [],
  ],
  [
    'for an error',
    'y: 1 # platform-ignore manifest/unknown-key: read by another tool\n',
    ['unknown-key 7:1', 'unused-ignore 7:6'],
  ],
  ['in a list in brackets', 'categories: [iot] # platform-ignore manifest/unknown-category: soon\n', []],
  [
    'with CR LF',
    'categories:\r\n  - iot # platform-ignore manifest/unknown-category: soon\r\n',
    ['mixed-line-ends 7:1'],
  ],
  [
    'without a reason',
    'categories:\n  - iot # platform-ignore manifest/unknown-category\n',
    ['ignore-without-reason 8:9'],
  ],
  [
    'with no reason',
    'categories:\n  - iot # platform-ignore manifest/unknown-category:  \n',
    ['ignore-without-reason 8:9'],
  ],
  [
    'with nothing to ignore',
    '# platform-ignore manifest/unknown-category: soon\nx-a: 1\n',
    ['unused-ignore 7:1'],
  ],
  [
    'two lines above',
    'categories:\n  # platform-ignore manifest/unknown-category: soon\n\n  - iot\n',
    ['unused-ignore 8:3', 'unknown-category 10:5'],
  ],
  [
    'at the end of the line above',
    'categories: # platform-ignore manifest/unknown-category: soon\n  - iot\n',
    ['unused-ignore 7:13', 'unknown-category 8:5'],
  ],
  [
    'for another rule',
    'y: 1 # platform-ignore manifest/unknown-category: soon\n',
    ['unknown-key 7:1', 'unused-ignore 7:6'],
  ],
  [
    'for a typo',
    'y: 1 # platform-ignore manifest/unknown-kee: soon\n',
    ['unknown-key 7:1', 'unused-ignore 7:6'],
  ],
  ['without a rule', 'x-a: 1 # platform-ignore\n', ['unused-ignore 7:8']],
  ['for a rule of another kind', 'x-a: 1 # platform-ignore publish/small-icon: drawn soon\n', []],
  ['in a block of text', 'summary: |\n  # platform-ignore manifest/unknown-key: no\n', []],
  ['in a quoted string', 'x-a: "# platform-ignore manifest/unknown-key: no"\n', []],
])('reads an ignore comment %s', (_, text, expected) => {
  expect(told(text)).toEqual(expected);
});

it('keeps an ignored problem with its reason', () => {
  const { diagnostics } = parseManifest(
    `${ticketLinks}categories:\n  - iot # platform-ignore manifest/unknown-category: soon\n`,
  );
  expect(diagnostics).toMatchObject([{ code: 'manifest/unknown-category', ignored: 'soon' }]);
});

it('suggests the most similar rule for a typo in an ignore comment', () => {
  const [, unused] = parseManifest(
    `${ticketLinks}y: 1 # platform-ignore manifest/unknown-kee: a\n`,
  ).diagnostics;
  expect(unused).toMatchObject({
    message: 'Unknown rule: manifest/unknown-kee.',
    help: 'Did you mean manifest/unknown-key?',
  });
});
