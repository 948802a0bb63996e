import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sourceFile = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** Reads the types of the sources as an editor does. */
export function openProgram(paths: readonly string[]): {
  checker: ts.TypeChecker;
  exportsOf(path: string): ts.Symbol[];
} {
  const program = ts.createProgram(paths.map(sourceFile), {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    skipLibCheck: true,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  return {
    checker,
    exportsOf(path) {
      const file = program.getSourceFile(sourceFile(path));
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${path} exports nothing.`);
      return checker.getExportsOfModule(module).map((one) => target(one, checker));
    },
  };
}

const target = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

export const commentOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

/** The properties of a type. For a union: those of all its members. */
export function propertiesOf(type: ts.Type, checker: ts.TypeChecker): ts.Symbol[] {
  const parts = type.isUnion() ? type.types : [type];
  const byName = new Map(
    parts.flatMap((part) => checker.getPropertiesOfType(part)).map((one) => [one.name, one]),
  );
  return [...byName.values()];
}

/** The text of a type as an editor shows it, without the `undefined` of an optional property. */
export const typeText = (type: ts.Type, checker: ts.TypeChecker): string =>
  checker.typeToString(
    // Without `null` and `undefined`, `unknown` would be `{}`.
    type.flags & ts.TypeFlags.Unknown ? type : checker.getNonNullableType(type),
    undefined,
    ts.TypeFormatFlags.NoTruncation,
  );
