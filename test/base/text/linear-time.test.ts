import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlText } from '../../../src/base/text/html-text.js';
import { findImport, insertImportChains, packageOf } from '../../../src/bundle/plugins/import-chain.js';
import { parseMarkdown } from '../../../src/console/text/markdown/markdown.js';
import { findMasks } from '../../../src/manifest/check/secret-positions.js';
import { namedFiles } from '../../../src/manifest/read/find-manifest.js';
import { declaredSecrets } from '../../../src/publish/checks/declared-secrets.js';
import { placeholderUrls } from '../../../src/publish/checks/placeholder-urls.js';
import { escapeMarkdown } from '../../../src/publish/render-markdown.js';
import { decode, namedValuesIn } from '../../../src/recordings/record/named-values.js';
import { addImport, addToCollection } from '../../../src/scaffold/add/register-in-source.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const check = (text: string): unknown =>
  [declaredSecrets, placeholderUrls].map(({ run }) =>
    run({
      manifest: { secrets: [], folder: '/' },
      sources: [{ path: 'a.ts', text }],
      bundle: { code: '' },
    } as never),
  );
const importOf = (text: string): unknown => {
  const file = join(temporaryFolder(), 'a.ts');
  writeFileSync(file, text);
  return findImport({ importer: file, specifier: './b' });
};
const chains = (text: string): unknown => insertImportChains(text, { inputs: {}, outputs: {} }, '/');
const addTo = (text: string): unknown => addToCollection(text, 'b', '[]', 'c');
const masks = (text: string): unknown => findMasks(text, undefined);

/** Text that repeats a part up to the length, with something before and after it. */
const table: [name: string, use: (text: string) => unknown, part: string, before?: string, after?: string][] =
  [
    ['HTML with unclosed tags', htmlText, '<'],
    ['HTML with unclosed styles', htmlText, '<style>'],
    ['HTML with unclosed style tags', htmlText, '<style '],
    ['HTML that ends in a style', htmlText, '<', '', '<style></style>'],
    ['unclosed import marks', chains, '"@imports-of:'],
    ['a long import mark', chains, 'a', '"@imports-of:'],
    ['blank lines before an import', importOf, '\n', '', 'import "./c"'],
    ['the package of a path', packageOf, 'a/'],
    ['a heading with spaces', parseMarkdown, ' ', '#', 'b\u2028b'],
    ['a table rule with spaces', parseMarkdown, ' ', 'a|b\n-', 'b'],
    ['a word with marks', escapeMarkdown, '!', '', 'a'],
    ['brackets before a word', escapeMarkdown, '(.', '', 'a'],
    ['a word of k', escapeMarkdown, 'k', '', '@'],
    ['keys of dashes', masks, '-'],
    ['file names of folders', (text) => namedFiles('/a', text), 'a/'],
    ['escaped quotes', check, String.raw`\'`],
    ['declared secrets', check, 'const secrets=', '', 'env'],
    ['spaces before a URL', check, ' ', 'placeholder', '"http://a/"'],
    ['URLs after a comma', check, ',"http://a/"'],
    ['base64 with line breaks', decode, '\n', 'a', '!'],
    ['elements in elements', (text) => namedValuesIn(text, 'data'), '<a><a '],
    ['YAML blocks', (text) => namedValuesIn(text, 'data'), 'a: |\n  '],
    ['fields of a form without quotes', (text) => namedValuesIn(text, 'data'), 'form-data;name=0'],
    ['fields of a form', (text) => namedValuesIn(text, 'data'), 'form-data;name="0"'],
    ['a member with a long name', addTo, 'a', 'createIntegration({', '/**/: 1 })'],
    ['imports without a module', (text) => addImport(text, 'a', 'b'), 'import from\n'],
  ];

/** Compilation, garbage collection and other threads disturb single measurements. */
const cost = (run: () => unknown): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const start = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );

test.each(table)(
  '%s: the time grows with the length',
  { retry: 2 },
  (_, use, part, before = '', after = '') => {
    const costOf = (length: number): number => {
      const text = before + part.repeat(length / part.length) + after;
      return cost(() => use(text));
    };
    let length = 2 ** 11;
    let base = costOf(length);
    while (base < 5 && length < 2 ** 18) base = costOf((length *= 2));
    expect(costOf(length * 4) / Math.max(base, 5)).toBeLessThan(8);
  },
);
