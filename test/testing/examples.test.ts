import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { programOf } from '../support/type-check.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entry = join(root, 'src/testing/index.ts');

/** What an example may use that does not import anything itself. */
const around = `
import { createIntegration, type IntegrationScript } from 'integration-platform';
import { createTestPlatform, createVirtualClock, hang, withTestPlatform } from 'integration-platform/testing';
import type * as T from 'integration-platform/testing';
import { afterEach, expect, test } from 'vitest';
declare const integration: IntegrationScript;
declare const platform: T.TestPlatform;
type TestPlatformOptions = T.TestPlatformOptions; type TestTarget = T.TestTarget; type TestEvent = T.TestEvent;
type Clock = T.Clock; type VirtualClock = T.VirtualClock; type InitialState = T.InitialState; type StubResponse = T.StubResponse;
`;

let program: ts.Program;
const files = new Map<string, string>();

function addExample(name: string, code: string): void {
  const imports = (code.match(/^import .*$/gm) ?? []).filter((line) => !line.includes("'../src/index'"));
  const body = code.replaceAll(/^import .*$/gm, '');
  const own =
    "import { type IntegrationScript } from 'integration-platform';\ndeclare const integration: IntegrationScript;";
  const runner = imports.some((line) => line.includes('vitest'))
    ? ''
    : "import { expect, test } from 'vitest';";
  const head = imports.length > 0 ? [...imports, own, runner].join('\n') : around;
  const file = join(root, 'test/testing', `example-${name}.ts`);
  files.set(file, `${head}\nexport async function example() {\n${body}\n}\n`);
}

/** The names that the entry exports, and the examples in the comments of what they stand for. */
function exported(): [name: string, examples: string[]][] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error('The entry was not read.');
  return checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const tags = target.getJsDocTags(checker).filter(({ name }) => name === 'example');
    return [symbol.name, tags.map(({ text }) => ts.displayPartsToString(text))];
  });
}

const compile = (): ts.Program =>
  programOf(
    files,
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      paths: {
        'integration-platform': [join(root, 'src/runtime/index.ts')],
        'integration-platform/webhooks': [join(root, 'src/webhooks/node/index.ts')],
        'integration-platform/testing': [entry],
      },
    },
    [entry],
  );

beforeAll(() => {
  program = compile();
  for (const [name, examples] of exported()) {
    for (const [, code = ''] of examples.join('\n').matchAll(/```\w+\n(.*?)```/gs)) addExample(name, code);
  }
  program = compile();
}, 60_000);

test('every export of the testing library has an example', () => {
  const without = exported().filter(([, examples]) => examples.length === 0);
  expect(without.map(([name]) => name)).toEqual([]);
});

test('every example in the comments compiles', () => {
  expect(files.size).toBeGreaterThan(25);
  const mistakes = [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) =>
        `${file.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
  expect(mistakes).toEqual([]);
});
