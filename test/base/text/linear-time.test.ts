import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeResult } from '../../../src/base/text/delivery-reason.js';
import { htmlText } from '../../../src/base/text/html-text.js';
import { findImport, insertImportChains, packageOf } from '../../../src/bundle/plugins/import-chain.js';
import { describeFix } from '../../../src/cli/commands/validate/describe-fix.js';
import { explainMismatch } from '../../../src/cli/commands/webhook/signature/explain-mismatch.js';
import { parseMarkdown } from '../../../src/console/text/markdown/markdown.js';
import { findPageProblems } from '../../../src/content/page/check-page.js';
import { parsePage } from '../../../src/content/page/index.js';
import { documentOf } from '../../../src/emulator/spaces/content-resources.js';
import { findMasks } from '../../../src/manifest/check/secret-positions.js';
import { namedFiles } from '../../../src/manifest/read/find-manifest.js';
import { vaultReference } from '../../../src/manifest/model/secret-expressions.js';
import { expandBraces } from '../../../src/manifest/read/glob.js';
import { parseEnv } from '../../../src/manifest/read/shell-and-dotenv.js';
import { doubleOf } from '../../../src/protocol/outbound-map.js';
import { declaredSecrets } from '../../../src/publish/checks/declared-secrets.js';
import { placeholderUrls } from '../../../src/publish/checks/placeholder-urls.js';
import { escapeMarkdown } from '../../../src/publish/render-markdown.js';
import { compareWithLog } from '../../../src/recordings/compare-outcome.js';
import { findLine } from '../../../src/recordings/find-line.js';
import { possibleSecretsIn } from '../../../src/recordings/record/possible-secrets.js';
import { replaceSecrets } from '../../../src/recordings/record/replace-secrets.js';
import { comparableUrl } from '../../../src/sandbox/replay/find-answer.js';
import { decode, namedValuesIn } from '../../../src/recordings/record/find-named-values.js';
import { addImport, addToCollection } from '../../../src/scaffold/add/register-in-source.js';
import { findAutoRun } from '../../../src/scaffold/import/auto-run/find-auto-run.js';
import { rewriteInstallationReads } from '../../../src/scaffold/import/source/installation-reads.js';
import { rewriteSource } from '../../../src/scaffold/import/source/rewrite-source.js';
import { createStubs } from '../../../src/testing/outside/stubs.js';
import { refuseAddress } from '../../../src/webhooks/send/target-address.js';
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
const imported = (file: string) => (text: string) => findAutoRun(new Map([[file, Buffer.from(text)]]));
const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };
const position = { line: 1, column: 1 };
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
    ['a body that ends in line breaks', (text) => explainMismatch(Buffer.from(text), '', ''), '\n', '', '\r'],
    ['a setting with blanks', imported('.yarnrc'), '\t', '-', '\0\u2028'],
    ['a setting with a secret', imported('.npmrc'), 'key'],
    ...['.envrc', '.husky/a', 'bunfig.toml'].map((file): [string, (text: string) => unknown, string] => [
      `old line breaks in ${file}`,
      imported(file),
      '\r',
    ]),
    [
      'blanks in a fix',
      (text) =>
        describeFix({ fix: [{ text, range: { start: position, end: position } }] } as never, { text: '' }),
      '\t',
      'a',
      'a',
    ],
    ['a stub', (text) => createStubs('', () => {}).add(`https://a${text}`, new Response()), '/', '', 'a'],
    ['a query in a recording', comparableUrl, '\0', '?', '#\n'],
    [
      'blanks in a cookie',
      (text) =>
        replaceSecrets([{ name: '', event: { headers: { cookie: text } }, outbound: [] }] as never, []),
      '\t',
    ],
    ['blanks in an env file', (text) => parseEnv(text), '\t#', 'a=b', '\u2028'],
    ['commas in a glob', (text) => expandBraces(text), ',', '{'],
    ['blanks around a reference to a vault', vaultReference, '\t', ' a://', '\t"a://$'],
    ['old line breaks on a page', (text) => documentOf({ text } as never), '\r'],
    ['a long line on a page', (text) => documentOf({ text } as never), 'a'],
    ['old line breaks in references', (text) => parsePage(text), '\u2028[\u2028', ':'],
    [
      'a link with fragments',
      (url) =>
        findPageProblems(
          'a',
          { problems: [], links: [{ url, ...position }], blocks: [], anchors: undefined },
          { paths: new Map() } as never,
        ),
      '#',
      '',
      '\n#',
    ],
    ['web tokens in web tokens', (text) => possibleSecretsIn(text), 'eyJ0000000-'],
    ['a reason without spaces', (message) => describeResult({ kind: 'error', message }), 'a'],
    [
      'blanks above a line',
      (text) =>
        findLine({ before: '', after: '"a b": "c d"' }, '', [], [
          { path: 'a', line: 1, text: `${text}:` },
          { path: 'a', line: 2, text: ' "c d"' },
        ] as never),
      '\t',
      ':',
    ],
    [
      'base64 in a response',
      (body) =>
        compareWithLog({ response: { status: 200, body } } as never, {
          outbound: [],
          response: { status: 200, body: `${body}!` },
        }),
      'M+ZTT6T20B+ZZGG/2/6ZM',
    ],
    ['dots in a host', (text) => doubleOf({ hosts: {}, rest: 'pass' }, text, 443), '.', '', 'a'],
    ['the zone of an address', (text) => refuseAddress(text, 'any'), '%', '', '\n%'],
    ['a long word in a source', rewriteInstallationReads, 'a'],
    ['a long word before a call', (text) => rewriteSource(text, origin), 'apiclient'],
    ['imports without a module', (text) => addImport(text, 'a', 'b'), 'import from\n'],
  ];

async function costOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

// Compilation, garbage collection and other threads disturb single measurements, so the best of several counts.
test.each(table)('%s: the time grows with the length', async (_, use, part, before = '', after = '') => {
  const textOf = (length: number): string => before + part.repeat(length / part.length) + after;
  let length = 2 ** 11;
  while (length < 2 ** 18 && (await costOf(() => use(textOf(length)))) < 5) length *= 2;
  const [short, long] = [textOf(length), textOf(length * 4)];
  let [base, longer] = [Infinity, Infinity];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    base = Math.min(base, await costOf(() => use(short)));
    longer = Math.min(longer, await costOf(() => use(long)));
    if (longer < 8 * Math.max(base, 5)) return;
  }
  expect(longer / Math.max(base, 5)).toBeLessThan(8);
});

// Searching a line takes so little time that the cost of a search for each element shows only in long lines.
test('reads elements on one long line about as fast as on many lines', async () => {
  const cost = (text: string): Promise<number> => costOf(() => parsePage(text + ' '.repeat(2 ** 18)));
  await cost('<details>\n'.repeat(2 ** 15));
  const many = await cost('<details>\n'.repeat(2 ** 15));
  expect((await cost('<details>'.repeat(2 ** 15))) / many).toBeLessThan(8);
});
