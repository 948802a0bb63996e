import { expect, test } from 'vitest';
import { applySourceIgnores, checkApis } from '../../src/bundle/index.js';

const file = '/project/src/index.tsx';

/** `code line` of what is left, and the reasons of what is ignored. */
async function left(text: string): Promise<string[]> {
  const sources = [{ file, text }];
  const { found, problems } = applySourceIgnores(await checkApis(sources), sources);
  return [...found, ...problems].map(({ code, range, ignored }) =>
    ignored === undefined ? `${code.slice('bundle/'.length)} ${range?.start.line}` : `ignored: ${ignored}`,
  );
}

const portable = 'platform-ignore bundle/non-portable-api';

test.each<[what: string, text: string, found: string[]]>([
  ['on the line above', `// ${portable}: a fallback\nprocess.pid;`, ['ignored: a fallback']],
  ['on the line itself', `process.pid; // ${portable}: a fallback`, ['ignored: a fallback']],
  ['in a block comment', `/* ${portable}: a fallback */\nprocess.pid;`, ['ignored: a fallback']],
  ['in markup', `a = <b>\n{/* ${portable}: shown */}\n{process.pid}</b>;`, ['ignored: shown']],
  [
    'two for one line',
    `// ${portable}: one\n// platform-ignore bundle/refused-api: two\neval(process.argv);`,
    ['ignored: two', 'ignored: one'],
  ],
  ['without a reason', `// ${portable}\nprocess.pid;`, ['ignored: ', 'ignore-without-reason 1']],
  ['with nothing to ignore', `// ${portable}: why\nf();`, ['unused-ignore 1']],
  ['two lines above', `// ${portable}: why\n\nprocess.pid;`, ['non-portable-api 3', 'unused-ignore 1']],
  ['of no rule', '// platform-ignore bundle/non-portable: why\nf();', ['unused-ignore 1']],
  ['of nothing', '// platform-ignore\nf();', ['unused-ignore 1']],
  [
    'what cannot be ignored',
    "// platform-ignore bundle/node-import: why\nimport 'node:fs';",
    ['unused-ignore 1'],
  ],
  ['of a check of publish-check', '// platform-ignore publish/render: why\nf();', []],
])('a comment that ignores: %s', async (_, text, found) => expect(await left(text)).toEqual(found));
