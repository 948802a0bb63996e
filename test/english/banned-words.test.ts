import { expect, test } from 'vitest';
import { productTexts, textsOfSource } from '../support/product-texts.js';
import { bannedWords, cleanPaths } from './banned-words.js';

/** Words inside of code are names, not text. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`|\$\{[^}]*\}/g, '…');

test.each(cleanPaths)('%s has no banned words', (path) => {
  const found = productTexts([path]).flatMap(({ file, line, text }) => {
    const shown = withoutCode(text);
    return bannedWords
      .filter(({ word, except = [] }) => word.test(shown) && !except.some((one) => file.startsWith(one)))
      .map(({ word, better }) => `${file}:${line} ${word.exec(shown)?.[0]} -> ${better}: ${shown}`);
  });
  expect(found).toEqual([]);
});

test('a banned word is found in comments and strings, not in code', () => {
  const source = `// A comment that has to be mended.
/** Not a word but code: \`mend()\`. */
export const mend = 'This string was mended.';
function idle() {
  // The block has nothing but this mended comment.
}`;
  const texts = textsOfSource('sample.ts', source).map(({ text }) => withoutCode(text));
  const hits = texts.filter((text) => bannedWords.some(({ word }) => word.test(text)));
  expect(hits).toEqual([
    'A comment that has to be mended.',
    'This string was mended.',
    'The block has nothing but this mended comment.',
  ]);
});
