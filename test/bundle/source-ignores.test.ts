import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostics/model/diagnostic.js';
import { checkSources } from '../../src/bundle/index.js';

const file = '/project/src/index.tsx';

/** Returns `code line` of the remaining problems and the reasons for ignored ones. */
async function left(text: string, found: Diagnostic[] = []): Promise<string[]> {
  const { building, apis } = await checkSources(found, [{ file, text }]);
  return [...building, ...apis].map(({ code, range, ignored }) =>
    ignored === undefined ? `${code.slice('bundle/'.length)} ${range?.start.line}` : `ignored: ${ignored}`,
  );
}

const portable = 'platform-ignore bundle/non-portable-api';

test.each<[what: string, text: string, found: string[]]>([
  ['on the line above', `// ${portable}: a fallback\nprocess.pid;`, ['ignored: a fallback']],
  ['on the line itself', `process.pid; // ${portable}: a fallback`, ['ignored: a fallback']],
  ['in block syntax', `/* ${portable}: a fallback */\nprocess.pid;`, ['ignored: a fallback']],
  ['in markup', `a = <b>\n{/* ${portable}: shown */}\n{process.pid}</b>;`, ['ignored: shown']],
  [
    'next to another one for the same line',
    `// ${portable}: one\n// platform-ignore bundle/refused-api: two\neval(process.argv);`,
    ['ignored: two', 'ignored: one'],
  ],
  ['without a reason', `// ${portable}\nprocess.pid;`, ['ignored: ', 'ignore-without-reason 1']],
  ['that has nothing to ignore', `// ${portable}: why\nf();`, ['unused-ignore 1']],
  ['two lines above', `// ${portable}: why\n\nprocess.pid;`, ['non-portable-api 3', 'unused-ignore 1']],
  ['for an unknown rule', '// platform-ignore bundle/non-portable: why\nf();', ['unused-ignore 1']],
  ['without a rule', '// platform-ignore\nf();', ['unused-ignore 1']],
  ['for a fixed rule', "// platform-ignore bundle/node-import: why\nimport 'node:fs';", ['unused-ignore 1']],
  ['for a publish-check check', '// platform-ignore publish/render: why\nf();', []],
  ['for a fault rule', '// platform-ignore fault/lost-change: why\nf();', []],
  ['a typo', '// platform-ignore bundel/refused-api: why\neval("1");', ['refused-api 2', 'unused-ignore 1']],
  ['for a rule without its prefix', '// platform-ignore refused-api: why\nf();', ['unused-ignore 1']],
  ['for a manifest rule', '// platform-ignore manifest/unknown-key: why\nf();', ['unused-ignore 1']],
  [
    'above a line with its own comment',
    `// ${portable}: one\nprocess.pid; // platform-ignore bundle/refused-api: two`,
    ['ignored: one', 'unused-ignore 2'],
  ],
  ['in a string', `const a = "// ${portable}: no"; process.pid;`, ['non-portable-api 1']],
  ['in a single-quoted string', `const a = '/* ${portable}: no */'; process.pid;`, ['non-portable-api 1']],
  ['in a template string', `const a = \`\n// ${portable}: no\n\${process.pid}\``, ['non-portable-api 3']],
  ['in a regular expression', `const a = /\\/\\/ *platform-ignore/; process.pid;`, ['non-portable-api 1']],
  ['in markup text', `a = <b>\n// ${portable}: no\n{process.pid}</b>;`, ['non-portable-api 3']],
  ['after an apostrophe', `a = <b>Don't {/* ${portable}: yes */ process.pid}</b>;`, ['ignored: yes']],
  ['after a URL', `const a = 'https://x'; process.pid; // ${portable}: yes`, ['ignored: yes']],
  ['after one in a string', `a("// ${portable}: no"); process.pid; // ${portable}: yes`, ['ignored: yes']],
  ['inside code', `f(/* ${portable}: yes */ process.pid);`, ['ignored: yes']],
  [
    'in a type',
    `type A = {\n  // ${portable}: why\n  b: 1 };\nprocess.pid;`,
    ['non-portable-api 4', 'unused-ignore 2'],
  ],
  ['with Windows line endings', `// ${portable}: yes\r\nprocess.pid;\r\n`, ['ignored: yes']],
])('reads an ignore comment %s', async (_, text, found) => expect(await left(text)).toEqual(found));

test('also applies an ignore comment to problems found by the build', async () => {
  const suspicious: Diagnostic = {
    code: 'bundle/suspicious-code',
    severity: 'warning',
    message: 'Comparison with NaN.',
    file,
    range: { start: { line: 2, column: 1 }, end: { line: 2, column: 4 } },
  };
  const text = '// platform-ignore bundle/suspicious-code: on purpose\nif (a === NaN) b();';
  expect(await left(text, [suspicious])).toEqual(['ignored: on purpose']);
  expect(await left(text)).toEqual(['unused-ignore 1']);
});

test.each(['/project/README.md', '/project/src/data.json', '/project/src/sample.raw.ts'])(
  'does not look for ignore comments in %s, which contains no code',
  async (other) => {
    const text = `// ${portable}: why\n`;
    const { apis, comments } = await checkSources([], [{ file: other, text }]);
    expect([apis, comments.get(other)]).toEqual([[], []]);
  },
);
