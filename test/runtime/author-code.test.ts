import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { programOf } from '../support/type-check.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixtures = join(root, 'test/fixtures/integrations');
const documented = ['src/runtime', 'src/webhooks', 'src/protocol', 'src/base'];
const entries = ['src/runtime/index.ts', 'src/protocol/signature.ts', 'src/webhooks/receive/receiver.ts'];

/** The README example and those in source comments, as project files. */
function examples(): Map<string, string> {
  const found = new Map<string, string>();
  const [, readme = ''] = /^```tsx\n(.*?)^```/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  found.set(join(root, 'examples/readme.tsx'), readme);
  for (const folder of documented) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => file.endsWith('.ts'))) {
      const text = readFileSync(join(root, folder, name), 'utf8').replaceAll(/^ *\* ?/gm, '');
      [...text.matchAll(/^@example\n```(tsx?)\n(.*?)^```/gms)].forEach(([, language, code = ''], i) => {
        found.set(
          join(root, `examples/${`${folder}/${name}`.replaceAll(/[\\/]/g, '-')}-${i}.${language}`),
          code,
        );
      });
    }
  }
  return found;
}

/** A typical author's project: strict, bundled, with web types. */
function createProgram(virtual: Map<string, string>): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: 'integration-platform',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    baseUrl: root,
    paths: {
      'integration-platform': ['src/runtime/index.ts'],
      'integration-platform/jsx-runtime': ['src/runtime/jsx-runtime.ts'],
      'integration-platform/webhooks': ['src/webhooks/node/index.ts'],
    },
  };
  const integrations = readdirSync(fixtures).flatMap((name) =>
    readdirSync(join(fixtures, name))
      .filter((file) => /^index\.tsx?$/.test(file))
      .map((file) => join(fixtures, name, file)),
  );
  return programOf(virtual, options, [...integrations, ...entries.map((file) => join(root, file))]);
}

let program: ts.Program;
const virtual = examples();
beforeAll(() => {
  program = createProgram(virtual);
}, 60_000);

const problems = (files: (file: string) => boolean): string[] =>
  ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && files(file.fileName))
    .map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${relative(root, file?.fileName ?? '')}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });

test('type-checks integrations that were written for similar platforms', () => {
  expect(problems((file) => file.startsWith(fixtures))).toEqual([]);
});

test('compiles the examples in the README and in comments', () => {
  expect(virtual.size).toBeGreaterThan(20);
  expect(problems((file) => virtual.has(file))).toEqual([]);
});

test("compiles the sources for authors without Node's types", () => {
  const forNode = join(root, 'src/webhooks/node');
  expect(problems((file) => file.startsWith(join(root, 'src')) && !file.startsWith(forNode))).toEqual([]);
});

const forPlatforms = [
  'checkSignature',
  'parseSignatureHeader',
  'signatureHeader',
  'longestHeader',
  'defaultToleranceSeconds',
  'createMemorySeen',
];
test.each(entries)('documents every function exported by %s with an example', (entry) => {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, entry));
  const module = source && checker.getSymbolAtLocation(source);
  const values = (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(({ flags, name }) => flags & ts.SymbolFlags.Value && !forPlatforms.includes(name));
  const isFunction = (symbol: ts.Symbol): boolean => {
    const type = checker.getTypeOfSymbol(symbol);
    return type.getCallSignatures().length + type.getConstructSignatures().length > 0;
  };
  const functions = values.filter(isFunction);
  const bare = functions.filter((symbol) => !symbol.getJsDocTags().some(({ name }) => name === 'example'));
  expect(functions.length).toBeGreaterThan(0);
  expect(bare.map(({ name }) => name)).toEqual([]);
});
