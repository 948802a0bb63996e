import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entry = `${root}src/runtime/index.ts`;
const file = `${root}src/runtime/hover.tsx`;

const program = ts.createProgram([entry], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 });
const checker = program.getTypeChecker();
const source = program.getSourceFile(entry) as ts.SourceFile;
const exported = checker
  .getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
  .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));

/** Returns the properties of a type, including all union variants. */
const propertiesOf = (type: ts.Type): ts.Symbol[] =>
  (type.isUnion() ? type.types : [type]).flatMap((variant) => checker.getPropertiesOfType(variant));
const namesOf = (type: ts.Type): string[] => [...new Set(propertiesOf(type).map(({ name }) => name))];
const parameterOf = (name: string): ts.Type => {
  const made = exported.find((symbol) => symbol.name === name) as ts.Symbol;
  const [signature] = checker.getTypeOfSymbol(made).getCallSignatures();
  return checker.getTypeOfSymbol(signature?.parameters[0] as ts.Symbol);
};

/** Serves one file and replaces its content in each test, so that libraries are parsed only once. */
const edited = { code: '', version: 0 };
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(edited.version) : '1'),
  getScriptSnapshot: (name) => {
    const text = name === file ? edited.code : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: 'integration-platform',
    paths: { 'integration-platform/*': [`${root}src/runtime/*.ts`] },
    types: [],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
});

/** Returns the editor's hover text for each word after an `at` comment. */
const hover = (code: string): [word: string, text: string][] => {
  edited.code = code;
  edited.version += 1;
  return [...code.matchAll(/(\/\*at\*\/)(\w+)/g)].map(({ index, 1: mark = '', 2: word = '' }) => {
    const info = service.getQuickInfoAtPosition(file, index + mark.length);
    return [word, ts.displayPartsToString(info?.documentation)];
  });
};
const empty = (texts: [word: string, text: string][]): string[] =>
  texts.filter(([, text]) => text === '').map(([word]) => word);

test('explains every markup element and property in editors', () => {
  const elements = exported.find(({ name }) => name === 'Elements') as ts.Symbol;
  const markup = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(elements)).map((element) => {
    const properties = namesOf(checker.getTypeOfSymbol(element)).filter((name) => name !== 'children');
    const attributes = properties.map((name) => `/*at*/${name}={any}`);
    return `<\n/*at*/${element.name} ${attributes.join('\n')}>{any}</${element.name}>`;
  });
  const texts = hover(`declare const any: any;\nexport const all = [${markup.join(',\n')}];`);
  expect(texts.length).toBeGreaterThan(100);
  expect(empty(texts)).toEqual([]);
  expect(texts).toContainEqual(['onPress', 'Action sent to the component when the button is pressed.']);
});

test.each(['createIntegration', 'createComponent', 'createOAuthHandler', 'createContentSource'])(
  'explains every option of %s in editors',
  (name) => {
    const options = namesOf(parameterOf(name)).map((option) => `/*at*/${option}: any,`);
    const texts = hover(
      `import { ${name} } from './index.js';\ndeclare const any: any;\n/*at*/${name}({ ${options.join('\n')} });`,
    );
    expect(texts.length).toBeGreaterThan(2);
    expect(empty(texts)).toEqual([]);
  },
);

test('explains everything that authors can import', () => {
  const explained = (symbol: ts.Symbol): boolean =>
    symbol.getDocumentationComment(checker).length > 0 || symbol.name === 'JSX';
  expect(exported.filter((symbol) => !explained(symbol)).map(({ name }) => name)).toEqual([]);
});
