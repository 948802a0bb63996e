import { join } from 'node:path';
import ts from 'typescript';
import { repository } from './code-blocks.js';

const built = (path: string): string[] => [join(repository, 'dist', path)];

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  jsxImportSource: 'integration-platform',
  types: ['node'],
  typeRoots: [join(repository, 'node_modules/@types')],
  strict: true,
  skipLibCheck: true,
  resolveJsonModule: true,
  noEmit: true,
  paths: {
    'integration-platform': built('runtime/index.d.ts'),
    'integration-platform/jsx-runtime': built('runtime/jsx-runtime.d.ts'),
    'integration-platform/webhooks': built('webhooks/node/index.d.ts'),
    'integration-platform/webhooks/postgres': built('deliveries/index.d.ts'),
    'integration-platform/testing': built('testing/index.d.ts'),
    vitest: [join(repository, 'node_modules/vitest')],
    hono: [join(repository, 'node_modules/hono')],
    pg: [join(repository, 'node_modules/@types/pg')],
  },
};

/** JavaScript declares no parameter types, so fewer things are errors there. */
const forJavaScript: ts.CompilerOptions = { ...options, allowJs: true, checkJs: true, strict: false };

/** Lets sources import third-party packages that are not installed here. All of their exports have the type `any`. */
function declareMissing(files: ReadonlyMap<string, string>, compilerOptions: ts.CompilerOptions): string {
  const missing = new Set<string>();
  for (const [file, code] of files) {
    for (const { fileName } of ts.preProcessFile(code).importedFiles) {
      if (fileName.startsWith('.')) continue;
      const found = ts.resolveModuleName(fileName, file, compilerOptions, ts.sys).resolvedModule;
      const builtIn = fileName.startsWith('node:') || fileName.startsWith('integration-platform');
      if (!found && !builtIn) missing.add(fileName);
    }
  }
  return [...missing].map((name) => `declare module '${name}';\n`).join('');
}

/** Declarations of packages and of the build, which do not change, so that all programs share them. */
const declarations = new Map<string, ts.SourceFile | undefined>();

/** A program of these files (absolute path to code), which need not exist on disk, and of files that do. */
export function programOf(
  files: ReadonlyMap<string, string>,
  compilerOptions: ts.CompilerOptions,
  roots: readonly string[] = [],
): ts.Program {
  const host = ts.createCompilerHost(compilerOptions);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const code = files.get(file);
    if (code !== undefined) return ts.createSourceFile(file, code, language);
    if (!/[/](node_modules|dist)[/].*[.]d[.][cm]?ts$/.test(file))
      return getSourceFile(file, language, ...rest);
    const key = JSON.stringify([file, language]);
    if (!declarations.has(key)) declarations.set(key, getSourceFile(file, language, ...rest));
    return declarations.get(key);
  };
  return ts.createProgram([...roots, ...files.keys()], compilerOptions, host);
}

/** Returns what `tsc` prints in this folder. */
export function typeErrorsIn(folder: string): string {
  const file = join(folder, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: unknown };
  const { errors, fileNames, options: own } = ts.parseJsonConfigFileContent(config, ts.sys, folder, {}, file);
  const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(programOf(new Map(), own, fileNames))];
  return ts.formatDiagnostics(diagnostics, ts.createCompilerHost(own));
}

interface TypeMistake {
  file: string;
  /** Starts at 1. */
  line: number;
  message: string;
}

function errorsOf(files: ReadonlyMap<string, string>, compilerOptions: ts.CompilerOptions): TypeMistake[] {
  if (files.size === 0) return [];
  const ambient = join(repository, 'test/docs/not-installed.d.ts');
  const missing = declareMissing(files, compilerOptions);
  const program = programOf(new Map([...files, [ambient, missing]]), compilerOptions);
  return [...files.keys()].flatMap((file) => {
    const parsed = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(parsed), ...program.getSemanticDiagnostics(parsed)].map(
      ({ start = 0, messageText }) => ({
        file,
        line: (parsed?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
        message: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }),
    );
  });
}

/** Returns the compiler's errors for these files (absolute path to code), which need not exist on disk. */
export function typeErrors(files: ReadonlyMap<string, string>): TypeMistake[] {
  const isJavaScript = ([file]: [string, string]): boolean => /\.[cm]?jsx?$/.test(file);
  const all = [...files];
  return [
    ...errorsOf(new Map(all.filter((file) => !isJavaScript(file))), options),
    ...errorsOf(new Map(all.filter(isJavaScript)), forJavaScript),
  ];
}

/** Returns the syntax errors in code that is not a whole program. */
export function syntaxErrors(code: string, language: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(code, {
    fileName: `fragment.${language}`,
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
