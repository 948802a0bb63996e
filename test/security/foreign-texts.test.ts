import { afterAll, expect, test } from 'vitest';
import { addImport, addToCollection, beginMethod } from '../../src/scaffold/add/register-in-source.js';
import { environmentExample, withIgnored } from '../../src/scaffold/import/manifest/env-files.js';
import { rewriteManifest } from '../../src/scaffold/import/manifest/rewrite-manifest.js';
import { packagesImported } from '../../src/scaffold/import/package/wanted-packages.js';
import { moveScripts } from '../../src/scaffold/import/package/package-scripts.js';
import { findOrigin } from '../../src/scaffold/import/model/recognise-origin.js';
import { findGeneratedFiles } from '../../src/scaffold/import/source/generated-files.js';
import { rewriteSource } from '../../src/scaffold/import/source/rewrite-source.js';
import { declareTextModules } from '../../src/scaffold/import/source/text-modules.js';
import { parseTsconfig } from '../../src/scaffold/tools/parse-tsconfig.js';
import {
  fileOfBrowsers,
  neededTypes,
  needsWorkerTypes,
} from '../../src/scaffold/import/tsconfig/needed-types.js';
import { rewriteTsconfig } from '../../src/scaffold/import/tsconfig/rewrite-tsconfig.js';
import { toBytes } from '../../src/scaffold/files/files-in-memory.js';
import { processorMs } from '../support/processor-time.js';

const length = 200_000;
const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };
/** One takes milliseconds. A pattern that goes back for each character takes minutes. */
const limitMs = 4_000;

const full = (part: string): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const space = full(' ');
const after = (start: string, filler: string, end = 'x'): string => start + full(filler) + end;

const sources: Record<string, string> = {
  'spaces after an installation': after('const installation=1; installation', ' '),
  'line breaks after an installation': after('const { target } = installation', '\n'),
  'spaces after an import': after('import', ' ', '.'),
  'unclosed import clauses': full('import{'),
  "unclosed import clauses with the function's name": full('import{createIntegration '),
  'an import clause with repeated names': after('import {', 'createIntegration ', "} from '@acme/runtime'"),
  'an import of many names': after('import {', 'AB,', "} from '@acme/runtime';"),
  'unclosed type arguments': full('mock<'),
  'unclosed comments in an import clause': after('import {', '/*', "} from '@acme/runtime'"),
  'repeated type imports': full('import type '),
  'repeated targets in a destructuring pattern': after('const {', 'target ', '} = installation'),
  'spaces in a destructuring pattern': after('const {', ' ', '} = installation'),
  'a destructuring pattern with one field': after('{ organization', ' ', '} = x'),
  'nested destructuring patterns': full('const { target: {'),
  'repeated destructuring patterns': full('const { target: { organization } } = installation;'),
  'unrelated destructuring patterns': full('f({ target: { a } }) => {};\n'),
  'nested space patterns': full('const { space: { id'),
  'many variable declarations': full('{ space: s } = spaceInstallation; '),
  'many aliases': full('data: a } = await x.getIntegrationInstallation(); '),
  'a long method name': after('{ data } = await x.getIntegration', 'Installation', '!'),
  'spaces after await': after('{ data } = await', ' '),
  'one word': full('a'),
  'one word of repeated names': full('installation'),
  'unclosed brackets': full('installation['),
  'a long property chain': after('{ organization } = ', 'a.'),
  'a long optional chain': after('installation', '?.', 'target'),
  'escaped quotes': full("'\\"),
  'escaped quotes in a template': full('`\\'),
  'repeated reads of the target': full('installation.target;\n'),
  'imports of missing files': full("import './x';\nfrom './y.js' "),
  'spaces after a function': after('createIntegration', '<'),
  'spaces before a parameter': after('createIntegration({ fetch: (a,b', ' '),
  'repeated indentation': full('\n\t'),
  'repeated .raw extensions': after("from '", '.raw.a'),
  'repeated API calls': full('api.spaces   '),
};

const read: Record<string, (text: string) => unknown> = {
  rewriteSource: (text) => rewriteSource(text, origin),
  findOrigin: (text) => findOrigin(files(text)),
  packagesImported: (text) => packagesImported(files(text), origin),
  findGeneratedFiles: (text) => findGeneratedFiles(files(text), { build: 'gen x', other: 'node a.ts' }),
  declareTextModules: (text) => declareTextModules(files(text)),
  neededTypes: (text) => [
    needsWorkerTypes(files(text)),
    fileOfBrowsers(files(text)),
    neededTypes(files(text)),
  ],
  addImport: (text) => addImport(text, 'x', './x'),
  addToCollection: (text) => addToCollection(text, 'components', '[]', 'x'),
  beginMethod: (text) => beginMethod(text, 'fetch', () => 'x'),
};

const files = (text: string): ReadonlyMap<string, Uint8Array> => new Map([['a.test.ts', toBytes(text)]]);

let texts = 0;
let slowest = 0;
afterAll(() => {
  console.log(`hostile texts of 200,000 characters: ${texts} read, slowest ${Math.round(slowest)} ms`);
});

function expectFast(work: Record<string, () => unknown>): void {
  texts += 1;
  const slow = Object.entries(work).flatMap(([name, run]) => {
    const took = processorMs(run);
    slowest = Math.max(slowest, took);
    return took > limitMs ? [`${name}: ${Math.round(took)} ms`] : [];
  });
  expect(slow).toEqual([]);
}

test.each(Object.entries(sources))('reads a source of 200,000 characters quickly: %s', (_, text) => {
  expectFast(Object.fromEntries(Object.entries(read).map(([name, run]) => [name, () => run(text)])));
});

const manifest = 'name: weather\nscript: ./index.ts\n';

test.each(
  Object.entries({
    'spaces in the title': `title: a${space}x\n${manifest}`,
    'spaces in the description': `description:${space}x\n${manifest}`,
    'blank lines': full('\t\n') + manifest,
    'spaces after a secret': `${manifest}secrets:\n  A:${space}x`,
    'comments after a secret': `${manifest}secrets:\n  A: op://a/b/c${full(' #')}\u2028x`,
    'a path of backslashes': `script: ${full('a\\')}\n`,
    'a path of dots': `script: \\${full('a.')}!\n`,
    'unknown scopes': `${manifest}scopes:\n${full('  - nope\n')}`,
    'unknown keys': `${manifest}${Array.from({ length: 10_000 }, (__, n) => `key-${n}: 1`).join('\n')}`,
    categories: `${manifest}categories:\n${full('- ')}`,
  }),
)('reads a manifest of 200,000 characters quickly: %s', (_, text) => {
  expectFast({
    rewriteManifest: () => rewriteManifest(text, {}),
    environmentExample: () => environmentExample(text),
    withIgnored: () => withIgnored(text),
  });
});

test.each(
  Object.entries({
    'unclosed comments': full('{//\t'),
    'escaped quotes': full('"\\'),
    commas: `{"a": [${full(', ')}`,
    'unclosed lists of base files': full('"extends":['),
    'spaces after a base file': `{"extends": "./a"${space}x`,
    'many base files': `{"extends": [${full('"./a",')}"./b"]}`,
    'unclosed options': full('"compilerOptions": {'),
    'options made of line breaks': `{"compilerOptions": {${full('\n ')}`,
    'empty options': `{"compilerOptions": ${full('{ ')}`,
    'many includes': `{"include": [${full('"a*",')}"b"]}`,
  }),
)('reads a tsconfig of 200,000 characters quickly: %s', (_, text) => {
  expectFast({
    parseTsconfig: () => parseTsconfig(text),
    rewriteTsconfig: () =>
      rewriteTsconfig(text, parseTsconfig(text)?.compilerOptions ?? {}, {
        origin,
        has: () => false,
        inherit: () => undefined,
        workerTypes: false,
        needed: [],
        fileOfBrowsers: undefined,
        brings: () => false,
        markup: true,
      }),
  });
});

test.each(
  Object.entries({
    'environment variables': full('; a=b;a=b'),
    'one long environment variable': full(';a='),
    wrappers: full('cross-env '),
    quotes: full('"\' '),
    spaces: `acme${space}dev`,
  }),
)('reads a script of 200,000 characters quickly: %s', (_, command) => {
  expectFast({ moveScripts: () => moveScripts({ dev: command }, origin) });
});
