import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docsFolder } from '../../src/base/package-files.js';
import { readPage } from '../../src/diagnostics/read-page.js';
import { contentProblems } from '../../src/content/content-problems.js';
import { openContent } from '../../src/content/index.js';
import { findPageProblems, knownPaths, readPageToCheck } from '../../src/content/page/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pageOf = (code: string): string => readPage(code, docsFolder) ?? '';
const codes = contentProblems.map(({ code }) => code);
/** Codes that no example on a page can show. Other tests of this room cover them. */
const withoutExample = ['content/skipped-file', 'content/too-complex', 'content/unreadable-folder'];

/** The codes of the problems in a folder that contains the example. */
async function codesOf(example: string, code: string): Promise<string[]> {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'guides/first-steps.md'), '# First steps\n');
  const file = code === 'content/missing-page' ? 'SUMMARY.md' : 'page.md';
  writeFileSync(join(folder, file), example);
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  await content.ready;
  const known = {
    paths: knownPaths(content),
    integration: { name: 'hello', blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: [] }] },
  };
  const ofPage = content.pageByPath('page') ? findPageProblems(file, readPageToCheck(example), known) : [];
  content.close();
  return [...content.warnings(), ...ofPage].map((problem) => `content/${problem.code}`);
}

test.each(codes)('the explanation of %s has a title, a sentence and a reason', (code) => {
  expect(pageOf(code)).toMatch(
    new RegExp(`^# ${code}\n\n(?:Severity: .*\n\n)?[A-Z].+\\.\n[^]*\n\\*\\*Why\\.\\*\\* .+\n`),
  );
});

test.each(codes.filter((code) => !withoutExample.includes(code)))(
  'only the incorrect example in the explanation of %s causes the problem',
  async (code) => {
    const [wrong = '', right = ''] = [...pageOf(code).matchAll(/```md\n([^]*?)```/g)].map(([, text]) => text);
    expect(await codesOf(wrong, code)).toEqual([code]);
    expect(await codesOf(right, code)).toEqual([]);
  },
);
